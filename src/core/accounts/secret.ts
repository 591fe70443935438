// Secrets of keys, sessions and invitations: 32 random bytes, shown once. Only a hash is stored; it needs no salt,
// because the bytes cannot be guessed.

export const newSecret = (prefix = ''): string =>
  prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');

export const hashSecret = (secret: string): string =>
  new Bun.CryptoHasher('sha256').update(secret).digest('hex');
