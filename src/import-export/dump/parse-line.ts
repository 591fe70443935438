import { isJsonObject, parseJson } from '../../common/json.ts';
import { ownDataLine } from '../own-data/lines.ts';
import type { LineKind } from './kind.ts';
import { frameKinds } from './kinds/frame.ts';
import { lineKinds } from './kinds/index.ts';

export interface ParsedLine {
  readonly kind: LineKind;
  readonly entry: unknown;
}

const kindsByType = new Map([...lineKinds, ...frameKinds].map((kind) => [kind.format.type, kind]));

/** Returns the parsed line, or sentences that say why it is rejected. */
export function parseLine(line: string): ParsedLine | string {
  const value = parseJson(line);
  if (value === undefined) return 'is not JSON.';
  const object = isJsonObject(value) ? value : {};
  const kind = typeof object.type === 'string' ? kindsByType.get(object.type) : undefined;
  if (object.type === ownDataLine.type) return 'is the data of one person, not the dump of a gallery.';
  if (!kind) return `type: must be one of ${[...kindsByType.keys()].join(', ')}.`;
  const entry = kind.format.parse(object);
  return typeof entry === 'string' ? entry : { kind, entry };
}
