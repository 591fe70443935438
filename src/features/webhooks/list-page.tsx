// /account/webhooks/: the webhooks of an account. A secret is shown once, in the response that made it.

import type { Fields } from '#rest/fields.ts';
import { accountSections } from '../../core/pages/account-sections.tsx';
import { Byline, DateTimeText, NameLink, Rows, SecretNotice } from '../../core/pages/layout/components.tsx';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page } from '../../core/pages/page.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { findConfirmationFields } from '../sign-in/confirmation.ts';
import { confirmIdentity } from '../sign-in/sign-in.ts';
import { webhooksPath } from './path.ts';
import { type CountedWebhook, listWebhooks } from './webhook.ts';
import { requireEvents, webhookFields } from './webhook-fields.ts';
import { createWebhook } from './write-webhook.ts';

async function renderWebhooksPage(context: PageContext, secret?: string) {
  const { viewer, formErrors, t, rich } = context;
  const webhooks = await listWebhooks(context.database, requireSignedIn(viewer));
  const { events, ...otherFields } = webhookFields;
  const fields: Fields = {
    ...otherFields,
    ...(viewer.isModerator && { events: { ...events, required: true } }),
    ...(await findConfirmationFields(context)),
  };
  return context.render(
    <FormPage aside={accountSections(context)} title={t('webhooks.title')}>
      {secret && <SecretNotice label={t('webhooks.secret')} secret={secret} />}
      <p>{rich('webhooks.intro', { link: (text) => <a href="/api/v1/webhooks/">{text}</a> })}</p>
      <Rows empty={t('webhooks.empty')}>
        {webhooks.map((webhook) => (
          <li>
            <div>
              <NameLink href={`${webhooksPath}${webhook.id}/`} name={webhook.url} />
              <WebhookState webhook={webhook} />
            </div>
          </li>
        ))}
      </Rows>
      <h2>{t('webhooks.new')}</h2>
      <PostForm
        fields={fields}
        values={{ events: 'own' }}
        formErrors={formErrors}
        action={webhooksPath}
        button={t('webhooks.create')}
      />
    </FormPage>,
  );
}

export function WebhookState({ webhook }: { webhook: CountedWebhook }) {
  const { t, rich } = useLanguage();
  const { disabled_reason, failures, next_attempt, last_success, dead_letters } = webhook;
  return (
    <Byline
      parts={[
        disabled_reason !== null && t(`webhooks.off.${disabled_reason}`),
        disabled_reason === null &&
          failures > 0 &&
          rich('webhooks.failing', { date: <DateTimeText instant={next_attempt} /> }),
        disabled_reason === null && failures === 0 && t('webhooks.works'),
        last_success === null
          ? t('webhooks.neverSent')
          : rich('webhooks.lastSent', { date: <DateTimeText instant={last_success} /> }),
        dead_letters > 0 && t('webhooks.deadLetters', { count: dead_letters }),
      ]}
    />
  );
}

export const webhookListRoutes = [
  page(webhooksPath, 'changeAccount', renderWebhooksPage),
  form(webhooksPath, 'changeAccount', async (context) => {
    const { viewer, request, origin } = context;
    const { url, events = 'own', filter = '' } = await context.readForm(webhookFields);
    const { data } = await request.readBody();
    requireEvents(viewer, events);
    await confirmIdentity(context.accounts, viewer, data, request.client);
    const contributor = requireSignedIn(viewer);
    const webhook = { contributor, url, origin, events, filter };
    const { secret } = await createWebhook(context.database, contributor, webhook);
    return renderWebhooksPage(context, secret);
  }),
];
