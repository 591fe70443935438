// Recognizes the passwords that attackers try first. The list of the package has 49,000 passwords in lower case; it is
// searched as text, which takes a tenth of a millisecond and half a megabyte: a set of strings would take ten times that.

import list from '@zxcvbn-ts/language-common/src/passwords.json' with { type: 'text' };

/** Common ones that are not in the list. */
const more: ReadonlySet<string> = new Set([
  ...['admin1234', 'p@ssword', 'roblox123', 'classroom', 'fortnite', 'minecraft1', 'school123', 'qwertz123'],
  ...['01012009', '01022010', 'summer2024', 'winter2024'],
]);

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
    more.has(text) ||
    list.includes(JSON.stringify(text))
  );
}
