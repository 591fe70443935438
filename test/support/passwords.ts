// Passwords for tests. Argon2 is slow on purpose, so the process of the tests hashes in argon2's format with a single
// SHA-256. Hashes that come from elsewhere are checked as they are, each once.

const { hash: hashSlowly, verify: verifySlowly } = Bun.password;

/** As the product hashes. Tests of how long that takes put it back. */
export const slowPasswords = { hash: hashSlowly, verify: verifySlowly };

const prefix = '$argon2id$v=19$m=19456,t=2,p=1$quick';

function hashQuickly(password: string, salt: string): string {
  const digest = new Bun.CryptoHasher('sha256').update(salt).update(password).digest('base64');
  return `${prefix}${salt}$${digest.replaceAll('=', '')}`;
}

const verified = new Map<string, Promise<boolean>>();

export function hashPasswordsQuickly(): void {
  Bun.password.hash = async (password) => hashQuickly(String(password), crypto.randomUUID().slice(0, 8));
  Bun.password.verify = (password, stored) => {
    const hash = String(stored);
    if (hash.startsWith(prefix)) {
      const salt = hash.slice(prefix.length).split('$')[0] ?? '';
      return Promise.resolve(hashQuickly(String(password), salt) === hash);
    }
    const key = `${password} ${hash}`;
    const isCorrect = verified.get(key) ?? verifySlowly(password, hash);
    verified.set(key, isCorrect);
    return isCorrect;
  };
}
