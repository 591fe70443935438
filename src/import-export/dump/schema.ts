import type { JsonSchema } from '../../common/inputs.ts';
import { frameKinds } from './kinds/frame.ts';
import { lineKinds } from './kinds/index.ts';

const [first, last] = frameKinds;
const formats = [first, ...lineKinds, last].flatMap((kind) => kind?.format ?? []);

/** Of one line of a dump, as far as a line can be judged without the others. */
export const dumpSchema: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'A line of a dump',
  oneOf: formats.map(({ type }) => ({ $ref: `#/$defs/${type}` })),
  $defs: Object.fromEntries(formats.map(({ type, schema }) => [type, schema])),
};
