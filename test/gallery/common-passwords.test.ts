// The commonest passwords that the rules for length accept, and passwords that only look like them.

import { expect, test } from 'bun:test';
import { newPasswordField } from '../../src/core/accounts/passwords.ts';

const commonPasswords = `
  12345678 123456789 1234567890 password password1 iloveyou sunshine princess football charlie1 superman michelle
  1qaz2wsx qwertyui trustno1 jennifer whatever starwars computer corvette mercedes midnight jonathan 11111111 maverick
  samantha elephant victoria 87654321 asdfasdf rush2112 scorpion liverpoo marlboro metallic 0987654321 qwertyuiop
  qazwsxedc 123123123 19871987 poiuytrewq Password PASSWORD1
  qwertz12 schule123 Hallo1234 hallo2026! école2026 contraseña1 Escuela#12 password123! asdfgh99
`;

const read = (password: string) => newPasswordField('Password').read(password);

test.each(commonPasswords.trim().split(/\s+/))('%s is too common', (password) => {
  expect(() => read(password)).toThrow('This password is too common.');
});

test.each([
  'nanoseconds of wire',
  'passwordly',
  '"password',
  'password","',
  '12345678a7b',
  'abcabcabd',
  'hallo hund 12',
  'schulhof 12',
])('%j is not a common one', (password) => {
  expect(read(password)).toBe(password);
});
