// Secrets of keys, sessions and invitations: 32 random bytes, shown once. Only a hash is stored; it needs no salt,
// because the bytes cannot be guessed.

export function newSecret(prefix = ''): string {
  return prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

export function hashSecret(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(secret).digest('hex');
}
