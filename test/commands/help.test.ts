// `vitrine help`, the completions and the man page.

import { expect, test } from 'bun:test';
import { listSettings } from '../../src/core/settings/settings.ts';
import { temporaryPath } from '../support/databases.ts';
import { vitrine, vitrineIn } from '../support/server.ts';

const overview = async () => (await vitrine('help')).out;
const namesIn = (help: string) =>
  [...help.matchAll(/^ {2}vitrine ([\w-]+)/gm)].map(([, name]) => name as string);

test('each command has help that fits a terminal, and examples with options that it has', async () => {
  const help = await overview();
  const names = namesIn(help);
  expect(names.length).toBeGreaterThan(15);

  const pages = await Promise.all(names.map(async (name) => (await vitrine('help', name)).out));
  for (const text of [help, ...pages])
    expect(text.split('\n').filter((line) => Bun.stringWidth(line) > 80)).toEqual([]);
  pages.forEach((text, index) => {
    const [usage, examples = ''] = text.split('\nExamples:\n');
    expect(usage).toStartWith(`Usage: vitrine ${names[index]}`);
    expect(examples).toMatch(/^( {2}vitrine .*\n)+$/);
    for (const line of examples.trim().split('\n')) expect(line).toContain(`vitrine ${names[index]}`);
    for (const [option] of examples.matchAll(/--[\w-]+/g)) expect(usage).toContain(`  ${option}`);
  });
  for (const { flag, variable } of Object.values(listSettings())) {
    expect(pages.join('')).toMatch(new RegExp(`^  --${flag}\\b`, 'm'));
    expect(pages.join('')).toContain(`[${variable}]`);
  }
  expect(await vitrine('site', 'show', '--help')).toEqual({
    code: 0,
    out: pages[names.indexOf('site')] as string,
    error: '',
  });
});

test('help for an unknown command is a mistake', async () => {
  const error = 'vitrine: There is no command "launch". See vitrine help.\n';
  expect(await vitrine('help', 'launch')).toEqual({ code: 2, out: '', error });
  expect(await vitrine('launch', '--help')).toEqual({ code: 2, out: '', error });
});

test('a mistyped command, option or variable is answered with the nearest one', async () => {
  const results = await Promise.all([
    vitrine('chekc'),
    vitrine('check', '--databse', 'x.sqlite'),
    vitrine('check', '--elephant'),
    vitrineIn({ VITRINE_DATABSE: 'x.sqlite', VITRINE_ELEPHANT: '1' }, 'backup'),
  ]);
  expect(results.map(({ code, error }) => [code, error])).toEqual([
    [2, 'vitrine: There is no command "chekc". Did you mean check? See vitrine help.\n'],
    [2, "vitrine: Unknown option '--databse'. Did you mean --database? See vitrine help.\n"],
    [2, "vitrine: Unknown option '--elephant'. See vitrine help.\n"],
    [
      2,
      [
        'vitrine: There is no setting VITRINE_DATABSE. Did you mean VITRINE_DATABASE?',
        'vitrine: There is no setting VITRINE_ELEPHANT.',
        'vitrine: backup needs one folder or bucket.',
        '',
      ].join('\n'),
    ],
  ]);
});

test('bash completes commands, options, and the values that an option can have', async () => {
  const script = temporaryPath('completions.bash');
  await Bun.write(script, (await vitrine('completions', 'bash')).out);
  const complete = async (...words: string[]) => {
    const set = `COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _vitrine; echo "\${COMPREPLY[*]}"`;
    return (await Bun.$`bash --norc -c ${`. ${script}; ${set}`} bash ${words}`.text()).trim();
  };
  expect(await complete('vitrine', 'ba')).toBe('backup backup-key');
  expect(await complete('vitrine', 'serve', '--sign')).toBe('--sign-in-limit --sign-up --sign-with');
  expect(await complete('vitrine', 'serve', '--sign-up', '')).toBe('open invitation closed');
  expect(await complete('vitrine', 'site', 'se')).toBe('set');
});

test('the completions of zsh and fish and the man page have every command', async () => {
  const names = namesIn(await overview());
  const [zsh, fish, manual] = await Promise.all([
    vitrine('completions', 'zsh'),
    vitrine('completions', 'fish'),
    vitrine('man'),
  ]);
  for (const name of names) {
    expect(zsh.out).toContain(`    ${name}) _arguments `);
    expect(fish.out).toContain(` -a ${name} -d '`);
    expect(manual.out.includes(`\n.SS vitrine ${name.replaceAll('-', '\\-')}`)).toBe(true);
  }
  expect(
    manual.out.split('\n').filter((line) => /^\.(?!TH|SH|SS|TP|B |P|nf|fi|RS|RE|nh|ad)/.test(line)),
  ).toEqual([]);
});
