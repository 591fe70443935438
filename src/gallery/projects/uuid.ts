const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 22;

/** Letters and digits for a page's address: 131 bits by chance. */
export function newUuid(): string {
  let uuid = '';
  while (uuid.length < length) {
    // 248 is the last multiple of 62 in a byte: beyond it some letters would be likelier than others.
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (byte < 248 && uuid.length < length) uuid += alphabet[byte % alphabet.length];
    }
  }
  return uuid;
}
