// /account/webhooks/: the webhooks of an account. A secret is shown once, in the response that made it.

import { type Fields, readFields } from '../../common/fields.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { confirmIdentity } from '../../gallery/sign-in/sign-in.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { requireEvents, webhookFields } from '../../gallery/webhooks/fields.ts';
import { type CountedWebhook, listWebhooks } from '../../gallery/webhooks/webhook.ts';
import { createWebhook } from '../../gallery/webhooks/write.ts';
import { DateTimeText } from '../layout/dates.tsx';
import { PostForm } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { SecretNotice } from '../layout/links.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { findConfirmationFields } from './passkeys.tsx';

export const webhooksPath = '/account/webhooks/';

export async function showWebhooksPage(deps: PageDependencies, context: PageContext) {
  return renderWebhooksPage(deps, context, undefined);
}

export async function submitNewWebhook(deps: PageDependencies, context: PageContext) {
  const { viewer, request, origin } = context;
  authorizeAny(viewer, 'changeAccount');
  const { data } = await request.readBody();
  const { url, events = 'own', filter = '' } = readFields(webhookFields(deps), data);
  requireEvents(viewer, events);
  await confirmIdentity(deps.accounts, viewer, data, request.client);
  const contributor = requireSignedIn(viewer);
  const webhook = { contributor, url, origin, events, filter };
  const { secret } = await createWebhook(deps.database, contributor, webhook);
  return renderWebhooksPage(deps, context, secret);
}

async function renderWebhooksPage(deps: PageDependencies, context: PageContext, secret: string | undefined) {
  const { layout, viewer, formErrors } = context;
  const { t, rich } = layout.language;
  authorizeAny(viewer, 'seeAccount');
  const webhooks = await listWebhooks(deps.database, requireSignedIn(viewer));
  const { events, ...otherFields } = webhookFields(deps);
  const fields: Fields = {
    ...otherFields,
    ...(viewer.isModerator && { events: { ...events, required: true } }),
    ...(await findConfirmationFields(deps.database, context)),
  };
  return renderFormPage(context, {
    title: t('webhooks.title'),
    children: (
      <>
        {secret && <SecretNotice label={t('webhooks.secret')} secret={secret} />}
        <p>{rich('webhooks.intro', { link: (text) => <a href="/api/v1/webhooks/">{text}</a> })}</p>
        {webhooks.length === 0 ? (
          <p class="empty">{t('webhooks.empty')}</p>
        ) : (
          <ul class="rows">
            {webhooks.map((webhook) => (
              <li>
                <div>
                  <a href={`${webhooksPath}${webhook.id}/`}>
                    <bdi>{webhook.url}</bdi>
                  </a>
                  <p class="byline">
                    <WebhookState webhook={webhook} />
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
        <h2>{t('webhooks.new')}</h2>
        <PostForm
          fields={fields}
          values={{ events: 'own' }}
          formErrors={formErrors}
          action={webhooksPath}
          button={t('webhooks.create')}
        />
      </>
    ),
  });
}

export function WebhookState({ webhook }: { webhook: CountedWebhook }) {
  const { t, rich } = useLanguage();
  const { disabled_reason, failures, next_attempt, last_success, dead_letters } = webhook;
  return (
    <>
      {disabled_reason !== null && t(`webhooks.off.${disabled_reason}`)}
      {disabled_reason === null &&
        failures > 0 &&
        rich('webhooks.failing', { date: <DateTimeText instant={next_attempt} /> })}
      {disabled_reason === null && failures === 0 && t('webhooks.works')}
      {' · '}
      {last_success === null
        ? t('webhooks.neverSent')
        : rich('webhooks.lastSent', { date: <DateTimeText instant={last_success} /> })}
      {dead_letters > 0 && <> · {t('webhooks.deadLetters', { count: dead_letters })}</>}
    </>
  );
}
