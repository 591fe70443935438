// Refuses bodies of too many members before anything is built from them: hundreds of thousands of small values take far
// longer to parse than one long text.

import { apiText } from '../../common/src/api-text.ts';
import { BadRequest } from './error-responses.ts';

export const maxFormFields = 1000;

export const tooManyFields = (format: string) =>
  new BadRequest(apiText('tooManyFields', { format, max: maxFormFields }));

export function checkFormSize(body: Uint8Array): void {
  const separator = '&'.charCodeAt(0);
  let fields = 1;
  for (let at = body.indexOf(separator); at >= 0; at = body.indexOf(separator, at + 1))
    if (++fields > maxFormFields) throw tooManyFields('Form');
}

/** Twice the longest text that can be stored. */
const maxShownLength = 200_000;

/** Only JSON has these: forms have texts and files. */
const isObject = (value: unknown) => typeof value === 'object' && value !== null && !(value instanceof File);

/**
 * After an error a form shows what was typed. Longer texts would take long to escape; the browser still has them. No field
 * shows an object.
 */
export function valuesToShow(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
  let length = 0;
  const shown = Object.entries(data).filter(([, value]) => {
    if ([value].flat().some(isObject)) return false;
    length += typeof value === 'string' ? value.length : 0;
    return length <= maxShownLength;
  });
  return Object.fromEntries(shown);
}
