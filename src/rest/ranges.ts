// Which bytes of a thing are asked for (RFC 9110, section 14). One range only: who asks for several gets all.

export interface Range {
  readonly from: number;
  /** Left out. */
  readonly upTo: number;
}

/** Undefined for all of it; 'none' where nothing of it is asked for. */
export function rangeOf(headers: Headers, size: number, etag: string): Range | 'none' | undefined {
  const asked = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('Range')?.trim() ?? '');
  const condition = headers.get('If-Range');
  if (!asked || (condition !== null && condition.trim() !== etag)) return undefined;
  const [, first = '', last = ''] = asked;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(size, Number(last));
    return length === 0 ? 'none' : { from: size - length, upTo: size };
  }
  const [from, upTo] = [Number(first), last === '' ? size : Math.min(size, Number(last) + 1)];
  if (last !== '' && Number(last) < from) return undefined;
  return from >= size ? 'none' : { from, upTo };
}
