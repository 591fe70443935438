// Parses the Range header (RFC 9110, section 14). Only one range is supported: for several, the whole file is sent.

export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Undefined means the whole file. */
export function parseRange(
  headers: Headers,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('Range')?.trim() ?? '');
  const condition = headers.get('If-Range');
  if (!match || (condition !== null && condition.trim() !== etag)) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(size, Number(last));
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const [start, end] = [Number(first), last === '' ? size : Math.min(size, Number(last) + 1)];
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}
