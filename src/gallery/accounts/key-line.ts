import { defineLine, type LineOf } from '../line-format.ts';
import { id, instant, nullable, oneOf, sha256, trimmedText } from '../line-members.ts';
import { keyLimits } from './keys.ts';

export const keyLine = defineLine('key', {
  id,
  contributor: id,
  name: trimmedText({ maxLength: keyLimits.name }),
  hash: sha256('the SHA-256 of a key'),
  access: oneOf(['read', 'write']),
  created: instant,
  expires: nullable(instant),
  used: nullable(instant),
});

export type KeyLine = LineOf<typeof keyLine>;
