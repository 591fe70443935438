// `vitrine key …`: API keys of accounts.

import { NotFound, OperatorError } from '#common/errors.ts';
import { choiceField, integerField, textField } from '#rest/fields.ts';
import { createKey, keyLimits, revokeKey } from '../../core/accounts/keys.ts';
import { listKeys } from '../../core/accounts/list.ts';
import { commandWithSubcommands, printMessage, printTable, timeCell } from '../../core/commands/command.ts';
import { parseId } from '../../core/ids.ts';
import { addDays } from '../../core/instant.ts';
import { readOperand, requireAccount, requireOwnAccount } from './user-command.ts';

const fields = {
  name: textField({ label: 'Name', maxLength: keyLimits.name, isSingleLine: true }),
  access: choiceField('Access', { read: 'Read', write: 'Write' }),
  days: integerField({ label: 'Days', min: 1, max: keyLimits.days }),
};

export const keyCommand = commandWithSubcommands(
  'key',
  'Creates and revokes API keys.',
  ['vitrine key add grace statistics read 30'],
  {
    add: {
      operands: 'USERNAME NAME read|write [DAYS]',
      help: 'Creates a key and prints it; it is never shown again. Without DAYS it does not expire.',
      async run(database, [username = '', name = '', access = '', days]) {
        const options = {
          name: readOperand('NAME', fields.name, name),
          access: readOperand('ACCESS', fields.access, access),
        };
        const lifetimeDays = days === undefined ? undefined : readOperand('DAYS', fields.days, days);
        const { id: contributor } = await requireOwnAccount(database, username);
        const { secret } = await createKey(database, null, {
          contributor,
          name: options.name,
          can_write: options.access === 'write',
          expires: (created) => (lifetimeDays === undefined ? null : addDays(created, lifetimeDays)),
        });
        process.stdout.write(`${secret}\n`);
      },
    },
    list: {
      operands: '[USERNAME]',
      help: 'Lists the keys of one account or of all accounts.',
      isList: true,
      async run(database, [username], settings) {
        const owner = username === undefined ? undefined : (await requireAccount(database, username)).id;
        const keys = await listKeys(database, owner);
        const rows = keys.map((key) => [
          key.id,
          key.username,
          key.name,
          key.can_write ? 'write' : 'read',
          timeCell(key.created, 10, ''),
          timeCell(key.expires, 10, 'never'),
          timeCell(key.last_used, 10, 'never'),
        ]);
        printTable(settings, ['ID', 'USERNAME', 'NAME', 'ACCESS', 'CREATED', 'EXPIRES', 'USED'], rows);
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
        printMessage(`The key ${id} is revoked.`);
      },
    },
  },
);
