import { apiText } from '#common/api-text.ts';
import { InvalidValue } from '#common/inputs.ts';
import { readText } from '#rest/fields.ts';
import { addDays, type Instant, now, parseInstant } from './instant.ts';

const maxDaysAhead = 366;

/** An ISO 8601 date-time with an offset, not too far in the future. */
export function readTimeAhead(value: unknown): Instant | null {
  if (value === null || value === '') return null;
  const text = readText(value);
  const parsed = /T.*(Z|[+-]\d\d:?\d\d)$/i.test(text) ? parseInstant(text, 'UTC') : undefined;
  if (parsed === undefined) throw new InvalidValue(apiText('badTime'));
  if (parsed > addDays(now(), maxDaysAhead)) throw new InvalidValue(apiText('lateTime'));
  return parsed;
}
