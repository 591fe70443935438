// `vitrine user …`: who has an account, and what as. The only way to the first admin.

import type { Database } from '../database/open.ts';
import { OperatorError } from '../errors.ts';
import { type Field, Refused } from '../fields.ts';
import { type Person, personNamed } from '../gallery/accounts/account.ts';
import { addAccount, disable, enable, setPassword, setRole } from '../gallery/accounts/change.ts';
import { listAccounts } from '../gallery/accounts/find.ts';
import { makeInvitation } from '../gallery/accounts/invitations.ts';
import { Passwords, passwordChosen, wrongFor } from '../gallery/accounts/passwords.ts';
import { nameFields, usernameChosen } from '../gallery/accounts/sign-up.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { formatInstant } from '../gallery/instant.ts';
import { type Role, roles } from '../gallery/viewer.ts';
import { commandOf, table } from './acts.ts';
import { askPassword } from './ask-password.ts';

export const userCommand = commandOf('user', 'Makes and changes accounts.', {
  add: {
    operands: 'USERNAME [ROLE] [FIRST_NAME] [LAST_NAME]',
    help: `Makes an account and asks for its password; ROLE is ${roles.join(', ')}. Who came by an import keeps their names.`,
    async run(database, [name = '', role = 'contributor', first = '', last = '']) {
      const as = readRole(role);
      const present = await personNamed(database, name);
      if (present && present.role !== null)
        throw new OperatorError(`${present.username} has an account already.`);
      const names = {
        username: present?.username ?? read('USERNAME', usernameChosen, name),
        first_name: read('FIRST_NAME', nameFields.first_name, first),
        last_name: read('LAST_NAME', nameFields.last_name, last),
      };
      await addAccount(database, names, as, await newPassword(names.username));
      say(`${names.username} has an account, as ${as}.`);
    },
  },
  list: {
    operands: '',
    help: 'Lists the accounts.',
    async run(database) {
      const accounts = await listAccounts(database);
      const rows = accounts.map((account) => [
        ...[String(account.id), account.username, displayName(account), account.role],
        account.disabled === null ? '' : `since ${formatInstant(account.disabled, 'UTC').slice(0, 10)}`,
        account.password === null ? 'no' : 'yes',
        String(account.keys),
      ]);
      process.stdout.write(table(['ID', 'USERNAME', 'NAME', 'ROLE', 'DISABLED', 'PASSWORD', 'KEYS'], rows));
      say(`${rows.length} account${rows.length === 1 ? '' : 's'}.`);
    },
  },
  role: {
    operands: 'USERNAME ROLE',
    help: 'Gives an account another role.',
    async run(database, [name = '', role = '']) {
      const as = readRole(role);
      const { id, username } = await holder(database, name);
      await setRole(database, null, id, as);
      say(`${username} is ${as} now.`);
    },
  },
  password: {
    operands: 'USERNAME',
    help: 'Asks for a new password, and ends all sessions of the account.',
    async run(database, [name = '']) {
      const { id, username } = await holder(database, name);
      await setPassword(database, null, id, await newPassword(username));
      say(`${username} has a new password.`);
    },
  },
  disable: {
    operands: 'USERNAME',
    help: 'Keeps somebody out: sessions end, and neither password nor keys open anything.',
    async run(database, [name = '']) {
      const { id, username } = await holder(database, name);
      await disable(database, null, id);
      say(`${username} is disabled.`);
    },
  },
  enable: {
    operands: 'USERNAME',
    help: 'Lets somebody in again.',
    async run(database, [name = '']) {
      const { id, username } = await holder(database, name);
      await enable(database, null, id);
      say(`${username} is enabled.`);
    },
  },
  invite: {
    operands: '',
    help: 'Prints an invitation to sign up, good for one person and for 14 days.',
    async run(database) {
      process.stdout.write(`${(await makeInvitation(database, null)).secret}\n`);
    },
  },
});

/** Who has an account under that name. */
export async function holder(database: Database, name: string): Promise<Person> {
  const person = await personNamed(database, name);
  if (!person) throw new OperatorError(`There is nobody called ${JSON.stringify(name)}.`);
  if (person.role === null)
    throw new OperatorError(`${person.username} has no account: see vitrine user add.`);
  return person;
}

/** For the operator to read, beside what a script may want. */
export function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
}

export function read<Value>(what: string, field: Field<Value>, text: string): Value {
  try {
    return field.read(text);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new OperatorError(`${what}: ${error.message}`);
  }
}

async function newPassword(username: string): Promise<string> {
  const password = read('Password', passwordChosen('Password'), await askPassword());
  const wrong = wrongFor(username, password);
  if (wrong) throw new OperatorError(`Password: ${wrong}`);
  return new Passwords().hash(password);
}

function readRole(text: string): Role {
  const role = roles.find((known) => known === text);
  if (!role)
    throw new OperatorError(`ROLE must be one of ${roles.join(', ')}; it was ${JSON.stringify(text)}.`);
  return role;
}
