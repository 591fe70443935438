// `vitrine key …`: keys to the API, for the programs of whoever has an account.

import { NotFound, OperatorError } from '../errors.ts';
import { choiceField, textField, wholeField } from '../fields.ts';
import { listKeys } from '../gallery/accounts/find.ts';
import { daysAfter, keyLimits, makeKey, revokeKey } from '../gallery/accounts/keys.ts';
import { parseId } from '../gallery/ids.ts';
import { formatInstant, type Instant } from '../gallery/instant.ts';
import { commandOf, table } from './acts.ts';
import { holder, read, say } from './user.ts';

const fields = {
  name: textField({ label: 'Name', most: keyLimits.name, oneLine: true }),
  access: choiceField('Access', { Read: 'read', Write: 'write' }),
  days: wholeField({ label: 'Days', least: 1, most: keyLimits.days }),
};

export const keyCommand = commandOf('key', 'Makes and revokes keys to the API.', {
  add: {
    operands: 'USERNAME NAME read|write [DAYS]',
    help: 'Makes a key and prints it, this once. Without DAYS it lasts until it is revoked.',
    async run(database, [username = '', name = '', access = '', days]) {
      const wish = { name: read('NAME', fields.name, name), access: read('ACCESS', fields.access, access) };
      const lasting = days === undefined ? undefined : read('DAYS', fields.days, days);
      const { id: contributor } = await holder(database, username);
      const { secret } = await makeKey(database, null, {
        ...{ contributor, name: wish.name, writes: wish.access === 'write' },
        expires: (made) => (lasting === undefined ? null : daysAfter(made, lasting)),
      });
      process.stdout.write(`${secret}\n`);
    },
  },
  list: {
    operands: '[USERNAME]',
    help: 'Lists the keys of an account, or all.',
    async run(database, [username]) {
      const owner = username === undefined ? undefined : (await holder(database, username)).id;
      const keys = await listKeys(database, owner);
      const rows = keys.map((key) => [
        ...[String(key.id), key.username, key.name, key.writes ? 'write' : 'read'],
        ...[day(key.created, ''), day(key.expires, 'never'), day(key.used, 'never')],
      ]);
      process.stdout.write(table(['ID', 'USERNAME', 'NAME', 'ACCESS', 'CREATED', 'EXPIRES', 'USED'], rows));
    },
  },
  revoke: {
    operands: 'ID',
    help: 'Revokes a key.',
    async run(database, [text = '']) {
      const id = parseId(text);
      try {
        if (id === undefined) throw new NotFound();
        await revokeKey(database, null, id);
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        throw new OperatorError(`There is no key ${JSON.stringify(text)}: see vitrine key list.`);
      }
      say(`The key ${id} is revoked.`);
    },
  },
});

function day(instant: Instant | null, none: string): string {
  return instant === null ? none : formatInstant(instant, 'UTC').slice(0, 10);
}
