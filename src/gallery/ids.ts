import { NotFound } from '../errors.ts';

/** The id that a text names; undefined when it is none that could be given out. */
export function parseId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= Number.MAX_SAFE_INTEGER ? id : undefined;
}

/** The same of what an address or a form holds in the place of an id: there is nothing under what is none. */
export function requireId(value: unknown): number {
  const id = parseId(String(value));
  if (id === undefined) throw new NotFound();
  return id;
}
