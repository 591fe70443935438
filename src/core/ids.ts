import { NotFound } from '#common/errors.ts';
import { toText } from '#rest/fields.ts';

/** Undefined if the text is not an id that could have been issued. */
export function parseId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= Number.MAX_SAFE_INTEGER ? id : undefined;
}

/** The id from a path or a form, which may have zeros in front; throws NotFound if it is not a valid id. */
export function requireId(value: unknown): number {
  const id = parseId(toText(value).replace(/^0+/, ''));
  if (id === undefined) throw new NotFound();
  return id;
}
