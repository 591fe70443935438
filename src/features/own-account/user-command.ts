// `vitrine user …`: accounts and their roles. The only way to create the first admin.

import { apiText } from '#common/api-text.ts';
import { OperatorError } from '#common/errors.ts';
import { type Input, readOrThrow } from '#common/inputs.ts';
import { integerField } from '#rest/fields.ts';
import type { Database } from '#sql';
import { type AccountDetails, findAccountByUsername } from '../../core/accounts/account.ts';
import {
  addAccount,
  disableAccount,
  enableAccount,
  setPassword,
  setRole,
} from '../../core/accounts/change-account.ts';
import { findEmail } from '../../core/accounts/email.ts';
import { listAccounts } from '../../core/accounts/list.ts';
import { findPasswordProblem, newPasswordField, Passwords } from '../../core/accounts/passwords.ts';
import { beginGallery, loadSignUpRules } from '../../core/accounts/sign-up-rules.ts';
import {
  commandWithSubcommands,
  plural,
  printMessage,
  printTable,
  readChoice,
  type Subcommand,
  timeCell,
  yesOrNo,
} from '../../core/commands/command.ts';
import { type ContributorNames, fullName, toFullNames } from '../../core/contributors/contributor.ts';
import { type Role, roles } from '../../core/viewer/viewer.ts';
import { emailField, setEmail } from '../sign-in/email/email.ts';
import { createInvitations, maxInvitations } from '../sign-in/invitation.ts';
import { createPasswordLink, passwordLinkPath } from '../sign-in/password-link.ts';
import { resetSecondFactor } from '../sign-in/second-factor/second-factor.ts';
import { nameFields, newUsernameField } from '../sign-in/sign-up.ts';

// Asks for a password without echo, or reads the first line of standard input. Never from the command line, which other
// users of the machine can see.

async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readFirstLine();
  const [password = '', repetition] = await readHiddenLines(['Password: ', 'The same again: ']);
  if (password !== repetition) throw new OperatorError('The two passwords differ: nothing was changed.');
  return password;
}

async function readFirstLine(): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of Bun.stdin.stream()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('\n')) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '')
    throw new OperatorError('A password is needed: the first line of standard input is empty.');
  return line;
}

/** Reads one line for each prompt, without echo. Pasted text may contain several lines. */
function readHiddenLines(prompts: string[]): Promise<string[]> {
  const { stdin, stderr } = process;
  const lines: string[] = [];
  let line: string[] = [];
  stdin.setEncoding('utf8').setRawMode(true).resume();
  // Not earlier: the terminal would still echo the first keys.
  stderr.write(prompts[0] ?? '');
  return new Promise<string[]>((resolve, reject) => {
    stdin.on('data', (keys: string) => {
      for (const key of keys) {
        if (key === '\u0003') reject(new OperatorError('Interrupted: nothing was changed.'));
        else if (key === '\u007f' || key === '\b') line.pop();
        else if (key === '\u0015') line = [];
        else if (key !== '\r' && key !== '\n' && key !== '\u0004') line.push(key);
        else {
          lines.push(line.join(''));
          line = [];
          stderr.write(`\n${prompts[lines.length] ?? ''}`);
          if (lines.length === prompts.length) return resolve(lines);
        }
      }
    });
  }).finally(() => {
    stdin.removeAllListeners('data');
    stdin.setRawMode(false).pause();
  });
}

const subcommands: Readonly<Record<string, Subcommand<'names'>>> = {
  add: {
    operands: 'USERNAME [ROLE] [FIRST_NAME] [LAST_NAME]',
    mayCreate: true,
    help: `Creates an account and asks for its password; ROLE is ${roles.join(', ')}. Contributors from an import keep their names.`,
    async run(database, [name = '', role = 'contributor', first = '', last = ''], { names: option }) {
      await beginGallery(database);
      const newRole = parseRole(role);
      const existing = await findAccountByUsername(database, name);
      if (existing && existing.role !== null)
        throw new OperatorError(`${existing.username} has an account already.`);
      // Somebody else of this name must not become an admin by mistake.
      if (existing && first && (first !== existing.first_name || last !== existing.last_name))
        throw new OperatorError(
          `The name ${existing.username} is taken by ${fullName(existing)}, who has no account yet: leave out the names to give one to them, or choose another username.`,
        );
      const names = {
        username: existing?.username ?? readOperand('USERNAME', newUsernameField, name),
        first_name: readOperand('FIRST_NAME', nameFields.first_name, first),
        last_name: readOperand('LAST_NAME', nameFields.last_name, last),
      };
      await addAccount(
        database,
        names,
        (await loadSignUpRules(database, { names: option, signUp: undefined })).shownName,
        newRole,
        await askNewPassword(existing ? toFullNames(existing) : names),
      );
      const person = existing ? `${existing.username} (${fullName(existing)})` : names.username;
      printMessage(`${person} has an account, as ${newRole}.`);
    },
  },
  list: {
    operands: '',
    help: 'Lists the accounts.',
    isList: true,
    async run(database, _, settings) {
      const accounts = await listAccounts(database);
      const rows = accounts.map((account) => [
        account.id,
        account.username,
        fullName(account),
        account.role,
        timeCell(account.disabled, 10, ''),
        yesOrNo(account.password !== null),
        yesOrNo(account.second_factors > 0),
        account.keys,
      ]);
      const names = ['ID', 'USERNAME', 'NAME', 'ROLE', 'DISABLED', 'PASSWORD', 'SECOND FACTOR', 'KEYS'];
      printTable(settings, names, rows);
      printMessage(`${plural(rows.length, 'account')}.`);
    },
  },
  role: {
    operands: 'USERNAME ROLE',
    help: 'Changes the role of an account.',
    async run(database, [name = '', role = '']) {
      const newRole = parseRole(role);
      const { id, username } = await requireAccount(database, name);
      await setRole(database, null, id, newRole);
      printMessage(`${username} is ${newRole} now.`);
    },
  },
  password: {
    operands: 'USERNAME',
    help: 'Asks for a new password and ends all sessions and keys of the account.',
    async run(database, [name = '']) {
      const account = await requireOwnAccount(database, name);
      await setPassword(database, null, account.id, await askNewPassword(toFullNames(account)));
      printMessage(`${account.username} has a new password; all sessions and keys ended.`);
    },
  },
  'password-link': {
    operands: 'USERNAME',
    help: 'Prints the path of a link with which the person chooses a new password, once and within 24 hours.',
    async run(database, [name = '']) {
      const { id } = await requireOwnAccount(database, name);
      process.stdout.write(`${passwordLinkPath(await createPasswordLink(database, undefined, id))}\n`);
    },
  },
  email: {
    operands: 'USERNAME [ADDRESS]',
    help: 'Prints the email address of an account, or sets it, without a mail to confirm it; none removes it.',
    async run(database, [name = '', address = '']) {
      const { id, username } = await requireAccount(database, name);
      if (address === '') {
        const { address, pending } = (await findEmail(database, id)) ?? {};
        process.stdout.write(`${address ?? (pending ? `${pending} (not confirmed)` : 'none')}\n`);
        return;
      }
      await requireOwnAccount(database, name);
      await setEmail(database, id, address === 'none' ? '' : readOperand('ADDRESS', emailField, address));
      printMessage(
        `${username} has ${address === 'none' ? 'no email address' : `the address ${address}`} now.`,
      );
    },
  },
  'reset-second-factor': {
    operands: 'USERNAME',
    help: 'For lost devices: removes the passkeys and recovery codes of an account and ends its sessions.',
    async run(database, [name = '']) {
      const { id, username } = await requireAccount(database, name);
      await resetSecondFactor(database, id);
      printMessage(`${username} has no passkeys and no second factor now: the password is enough.`);
    },
  },
  disable: {
    operands: 'USERNAME',
    help: 'Disables an account: its sessions end, and its password and keys no longer work.',
    async run(database, [name = '']) {
      const { id, username } = await requireAccount(database, name);
      await disableAccount(database, null, id);
      printMessage(`${username} is disabled.`);
    },
  },
  enable: {
    operands: 'USERNAME',
    help: 'Enables a disabled account.',
    async run(database, [name = '']) {
      const { id, username } = await requireAccount(database, name);
      await enableAccount(database, null, id);
      printMessage(`${username} is enabled.`);
    },
  },
  invite: {
    operands: '[COUNT]',
    help: `Prints an invitation to sign up, or up to ${maxInvitations}, one per line: each is valid for one account and for 14 days.`,
    async run(database, [count = '1']) {
      const number = readOperand('COUNT', integerField({ label: '', min: 1, max: maxInvitations }), count);
      const { secrets } = await createInvitations(database, null, number);
      process.stdout.write(secrets.map((secret) => `${secret}\n`).join(''));
    },
  },
};

export const userCommand = commandWithSubcommands(
  'user',
  'Creates and changes accounts.',
  ['vitrine user add grace admin Grace Hopper', 'vitrine user invite 25'],
  subcommands,
  ['names'],
);

/** Finds the account with that username. */
export async function requireAccount(database: Database, name: string): Promise<AccountDetails> {
  const account = await findAccountByUsername(database, name);
  if (!account) throw new OperatorError(`There is no account with the username ${JSON.stringify(name)}.`);
  if (account.role === null)
    throw new OperatorError(`${account.username} has no account: see vitrine user add.`);
  return account;
}

/** Finds an account that nobody looks after: others have no password. */
export async function requireOwnAccount(database: Database, name: string): Promise<AccountDetails> {
  const account = await requireAccount(database, name);
  if (account.looked_after_by !== null)
    throw new OperatorError(`A class looks after ${account.username}: it has to be released first.`);
  return account;
}

export const readOperand = <Value>(name: string, input: Pick<Input<Value>, 'read'>, text: string): Value =>
  readOrThrow(input, text, (problem) => new OperatorError(`${name}: ${problem}`));

export async function askNewPassword(names: ContributorNames): Promise<string> {
  const password = readOperand('Password', newPasswordField(apiText('password')), await askPassword());
  const problem = findPasswordProblem(names, password);
  if (problem) throw new OperatorError(`Password: ${problem}`);
  return new Passwords().hash(password);
}

const parseRole = (text: string): Role => readChoice('ROLE', roles, text);
