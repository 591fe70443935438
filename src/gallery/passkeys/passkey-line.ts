import { defineLine, type LineOf } from '../line-format.ts';
import { count, id, instant, nullable, text, trimmedText } from '../line-members.ts';
import { passkeyLimits } from './passkey.ts';

const base64url = (maxLength: number) =>
  text({ minLength: 1, maxLength, pattern: [/^[\w-]+$/, 'bytes as base64url'] });

export const passkeyLine = defineLine('passkey', {
  id,
  contributor: id,
  name: trimmedText({ maxLength: passkeyLimits.name }),
  host: trimmedText({ maxLength: 253 }),
  credential: base64url(passkeyLimits.credential),
  public_key: base64url(passkeyLimits.publicKey),
  counter: count,
  transports: text({ maxLength: 100, isSingleLine: true }),
  created: instant,
  used: nullable(instant),
});

export type PasskeyLine = LineOf<typeof passkeyLine>;
