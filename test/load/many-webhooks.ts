// npm run test:load: however many webhooks and redeliveries wait, the other requests wait for at most 50 milliseconds when
// somebody changes a webhook.

import { expect, test } from 'bun:test';
import { webhookRedeliveryTable, webhookTable } from '../../src/features/webhooks/tables.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';
import { allowReceivers, createWebhook, startReceiver, webhooksPath } from '../support/webhook-receiver.ts';

const owners = Array.from({ length: 300 }, (_, index) => 10 + index);

test('a change of a webhook holds nobody up, however many others wait', async () => {
  const people = owners.map((id) => contributor(id, `owner${id}`));
  const options = { dump: dump(adasLine, project(1), ...people), environment: allowReceivers };
  const site = await siteOn('SQLite', options);
  const ada = await person(site, 'ada');
  for (const id of owners) await site.signIn(`owner${id}`);
  const [receiver, hanging] = [startReceiver(), startReceiver()];
  hanging.answer = () => new Promise(() => {});
  const { id } = await createWebhook(ada, { url: receiver.url });
  const requestTest = async () => {
    const before = receiver.received.length;
    expect((await ada.post(`${webhooksPath}${id}/redeliver/`)).status).toBe(204);
    await waitFor(() => receiver.received.length > before);
  };
  site.deliverWebhooks();
  await requestTest();

  const row = {
    ...{
      url: hanging.url,
      origin: 'http://gallery.example',
      events: 'own',
      filter: '',
      secret: 'whsec_c2VjcmV0',
    },
    ...{
      previous_secret: null,
      previous_secret_until: null,
      created: 1,
      disabled: null,
      disabled_reason: null,
    },
    ...{ concurrency: 1, batch_size: 1 },
    ...{ position: 1, failures: 0, failing_since: null, next_attempt: 0, last_success: null },
  };
  const webhooks = owners.flatMap((owner) =>
    Array.from({ length: 10 }, (_, index) => ({ ...row, id: owner * 10 + index, contributor: owner })),
  );
  const redeliveries = webhooks.flatMap((webhook) =>
    Array.from({ length: 5 }, (_, index) => ({
      ...{ id: webhook.id * 10 + index, webhook: webhook.id },
      ...{ after: 0, last: 1000 },
    })),
  );
  await site.database.transaction(async (transaction) => {
    await transaction.insert(webhookTable, webhooks);
    await transaction.insert(webhookRedeliveryTable, redeliveries);
  });
  await requestTest();
  expect(await longestBlock(requestTest)).toBeLessThan(1);
});
