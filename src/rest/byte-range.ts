// Which bytes of a thing are asked for (RFC 9110, section 14). One range only: who asks for several gets all.

export interface ByteRange {
  readonly start: number;
  /** Left out. */
  readonly end: number;
}

/** Undefined for all of it; 'none' where nothing of it is asked for. */
export function parseRange(headers: Headers, size: number, etag: string): ByteRange | 'none' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('Range')?.trim() ?? '');
  const condition = headers.get('If-Range');
  if (!match || (condition !== null && condition.trim() !== etag)) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(size, Number(last));
    return length === 0 ? 'none' : { start: size - length, end: size };
  }
  const [start, end] = [Number(first), last === '' ? size : Math.min(size, Number(last) + 1)];
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'none' : { start, end };
}
