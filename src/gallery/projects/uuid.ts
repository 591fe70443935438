const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 22;

/** For imported ones too, which may have another length. */
export const uuidRules = {
  minLength: 4,
  maxLength: 40,
  pattern: [/^[A-Za-z0-9]+$/, 'letters and digits'],
} as const;

/** Letters and digits for a page's path, with 131 random bits. */
export function newUuid(): string {
  let uuid = '';
  while (uuid.length < length) {
    // 248 is the largest multiple of 62 in a byte: higher bytes would make some characters more likely.
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < 248 && uuid.length < length) uuid += alphabet[byte % alphabet.length];
    }
  }
  return uuid;
}

/** Always the same for a text. Without the secret, nobody can tell it from a new one. */
export function deriveUuid(secret: string, text: string): string {
  const digest = new Bun.CryptoHasher('sha256', secret).update(text).digest('hex');
  let number = BigInt(`0x${digest}`);
  let uuid = '';
  while (uuid.length < length) {
    uuid += alphabet[Number(number % BigInt(alphabet.length))];
    number /= BigInt(alphabet.length);
  }
  return uuid;
}
