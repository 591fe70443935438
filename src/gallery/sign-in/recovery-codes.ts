// A recovery code stands in for a passkey once. 80 random bits: only a hash is stored, which needs no salt.

import { hashSecret } from '../accounts/secret.ts';

export const recoveryCodeCount = 10;

/** Without letters that are mistaken for digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeLength = 16;

export function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const bytes = crypto.getRandomValues(new Uint8Array(codeLength));
    const code = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
    return code.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The same for a code that was typed with other letters, spaces or dashes. */
export function hashRecoveryCode(code: string): string {
  const letters = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return hashSecret(letters);
}
