// The schemas that responses have in common, and the records that follow a schema.

import { z } from 'zod';
import { mapValues } from '#common/json.ts';
import { formatInstant, type Instant } from '../instant.ts';

export const idSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
/** A count, or the number of a change. */
export const numberSchema = z.int().min(0).max(Number.MAX_SAFE_INTEGER);

/** A time, to the microsecond. */
export const timestampSchema = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/)
  .meta({ format: 'date-time' });

export const formatOptionalInstant = (instant: Instant | null, timeZone: string): string | null =>
  instant === null ? null : formatInstant(instant, timeZone);

/** The members of the schema, in its order: those that are computed, and those of the row with the same names. */
export function toRecord<Schema extends z.ZodObject, Computed extends Partial<z.input<Schema>>>(
  schema: Schema,
  row: Omit<z.input<Schema>, keyof Computed>,
  computed: Computed,
): z.input<Schema>;
export function toRecord(
  { shape }: z.ZodObject,
  row: Readonly<Record<string, unknown>>,
  computed: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return mapValues(shape, (_, name) => (Object.hasOwn(computed, name) ? computed[name] : row[name]));
}
