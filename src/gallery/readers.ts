/** Whoever makes a request. Every look-up starts from one: what they may not see is simply not found. */
export interface Reader {
  /** The contributor who is signed in; null for a visitor. */
  readonly contributor: number | null;
  readonly moderates: boolean;
}

export function isVisitor(reader: Reader): boolean {
  return reader.contributor === null && !reader.moderates;
}

export const visitor: Reader = { contributor: null, moderates: false };
