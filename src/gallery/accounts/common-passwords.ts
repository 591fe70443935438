// Recognizes the passwords that attackers try first. The list is searched as text, which takes a tenth of a millisecond: a
// set of strings would take ten times its memory.

import list from './common-passwords.txt' with { type: 'text' };

/** The keys of a keyboard and of the alphabet in their order, in both directions. */
const rows = [
  '01234567890-=',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop[]',
  'qwertzuiop',
  'asdfghjkl;',
  'zxcvbnm,.',
];
const sequences = rows.flatMap((row) => [row, [...row].reverse().join('')]);

export function isCommonPassword(password: string): boolean {
  const text = password.toLowerCase();
  return (
    // A few characters again and again, such as `aaaaaaaa` or `12341234`.
    /^(.{1,5}?)\1+$/su.test(text) ||
    sequences.some((sequence) => sequence.includes(text)) ||
    list.includes(`\n${text}\n`)
  );
}
