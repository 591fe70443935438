/** The id that a text names; undefined when it is none that could be given out. */
export function parseId(text: string): number | undefined {
  const id = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : 0;
  return id >= 1 && id <= Number.MAX_SAFE_INTEGER ? id : undefined;
}
