import { defineLine, type LineOf } from '../line-format.ts';
import { id, instant, nullable, oneOf, text } from '../line-members.ts';
import { roles } from '../viewer.ts';
import { passwordHashPattern } from './passwords.ts';

const passwordHash = text({
  maxLength: 500,
  pattern: [passwordHashPattern, 'an argon2id or pbkdf2_sha256 hash of a password'],
});

export const accountLine = defineLine('account', {
  contributor: id,
  role: oneOf(roles),
  password: nullable(passwordHash),
  disabled: nullable(instant),
});

export type AccountLine = LineOf<typeof accountLine>;
