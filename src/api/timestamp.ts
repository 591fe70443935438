// Times in responses, to the microsecond.

import { z } from 'zod';

export const timestampSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/)
  .meta({ format: 'date-time' });
