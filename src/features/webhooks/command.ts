// `vitrine webhook …`: the webhooks of all accounts.

import { AddressRules } from '#common/address-rules.ts';
import { OperatorError } from '#common/errors.ts';
import { choiceField, integerField, readText } from '#rest/fields.ts';
import type { Reader } from '#sql';
import { commandWithSubcommands, printMessage, printTable, timeCell } from '../../core/commands/command.ts';
import { parseId } from '../../core/ids.ts';
import { readOperand, requireAccount, requireOwnAccount } from '../own-account/user-command.ts';
import { listAllWebhooks, listAttempts } from './webhook.ts';
import { changeWebhook, createWebhook, deleteWebhook, requestRedelivery } from './write-webhook.ts';

const number = integerField({ label: 'Number', min: 1, max: Number.MAX_SAFE_INTEGER });
const eventsField = choiceField('Events', { own: 'Own', gallery: 'Gallery' });

export const webhookCommand = commandWithSubcommands(
  'webhook',
  'Creates, lists and switches webhooks, and sends events again.',
  ['vitrine webhook list', 'vitrine webhook redeliver 3 1042 1050'],
  {
    add: {
      operands: 'USERNAME URL SITE own|gallery',
      help: 'Creates a webhook and prints its secret. SITE is the address of the gallery, for links in events.',
      async run(database, [username = '', url = '', site = '', events = ''], { webhookNetworks }) {
        const { id: contributor } = await requireOwnAccount(database, username);
        const rules = new AddressRules(webhookNetworks);
        const { secret } = await createWebhook(database, null, {
          contributor,
          url: readOperand('URL', { read: (text) => rules.readUrl(readText(text)) }, url),
          origin: readSite(site),
          events: readOperand('EVENTS', eventsField, events),
          filter: '',
        });
        process.stdout.write(`${secret}\n`);
      },
    },
    list: {
      operands: '[USERNAME]',
      help: 'Lists the webhooks of one account or of all accounts.',
      isList: true,
      async run(database, [username], settings) {
        const owner = username === undefined ? undefined : (await requireAccount(database, username)).id;
        const rows = (await listAllWebhooks(database, owner)).map((webhook) => [
          webhook.id,
          webhook.username,
          webhook.events,
          webhook.disabled_reason === null ? 'on' : `off: ${webhook.disabled_reason}`,
          webhook.failures,
          webhook.dead_letters,
          timeCell(webhook.last_success, 19, 'never'),
          webhook.url,
        ]);
        const names = ['ID', 'USERNAME', 'EVENTS', 'STATE', 'FAILURES', 'DEAD', 'LAST SUCCESS', 'URL'];
        printTable(settings, names, rows);
      },
    },
    attempts: {
      operands: 'ID',
      help: 'Lists the last requests to a webhook, the newest first.',
      isList: true,
      async run(database, [text = ''], settings) {
        const { id } = await requireWebhook(database, text);
        const rows = (await listAttempts(database, id)).map((attempt) => [
          attempt.sequence,
          timeCell(attempt.at, 19, ''),
          { value: attempt.status, shown: String(attempt.status ?? '-') },
          attempt.error,
          attempt.milliseconds,
        ]);
        printTable(settings, ['CHANGE', 'AT', 'STATUS', 'ERROR', 'MS'], rows);
      },
    },
    enable: switchCommand(true, 'Switches a webhook on: it continues where it was.'),
    disable: switchCommand(false, 'Switches a webhook off.'),
    redeliver: {
      operands: 'ID [FIRST] [LAST]',
      help: 'Sends the changes from one number to another again; without numbers, a test.',
      async run(database, [text = '', firstText, lastText = firstText]) {
        const target = await requireWebhook(database, text);
        const first = firstText === undefined ? undefined : readOperand('FIRST', number, firstText);
        const last = lastText === undefined ? undefined : readOperand('LAST', number, lastText);
        await requestRedelivery(database, target, { first, last });
        printMessage('A running server sends it.');
      },
    },
    remove: {
      operands: 'ID',
      help: 'Deletes a webhook.',
      async run(database, [text = '']) {
        const target = await requireWebhook(database, text);
        await deleteWebhook(database, target);
        printMessage(`The webhook ${target.id} is deleted.`);
      },
    },
  },
  ['webhookNetworks'],
);

function switchCommand(active: boolean, help: string) {
  return {
    operands: 'ID',
    help,
    async run(database: Parameters<typeof changeWebhook>[0], [text = '']: string[]) {
      const target = await requireWebhook(database, text);
      await changeWebhook(database, target, { active });
      printMessage(`The webhook ${target.id} is ${active ? 'on' : 'off'}.`);
    },
  };
}

async function requireWebhook(reader: Reader, text: string) {
  const id = parseId(text);
  const webhook = (await listAllWebhooks(reader)).find((webhook) => webhook.id === id);
  if (webhook) return { ...webhook, actor: null };
  throw new OperatorError(`There is no webhook ${JSON.stringify(text)}: see vitrine webhook list.`);
}

function readSite(text: string): string {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/') return url.origin;
  throw new OperatorError('SITE must be the address of the gallery, such as https://gallery.example.org.');
}
