// What opens a door: 32 random bytes, shown once. Only the hash is kept, which needs no salt, as nobody guesses them.

export function newSecret(prefix = ''): string {
  return prefix + Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url');
}

export function hashSecret(secret: string): string {
  return new Bun.CryptoHasher('sha256').update(secret).digest('hex');
}
