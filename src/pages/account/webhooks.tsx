// /account/webhooks/: the webhooks of an account. A secret is shown once, in the response that made it.

import { readFields } from '../../fields.ts';
import { requireId } from '../../gallery/ids.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { requireEvents, webhookFields } from '../../gallery/webhooks/fields.ts';
import { type CountedWebhook, listWebhooks } from '../../gallery/webhooks/webhook.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  requestRedelivery,
  rotateSecret,
} from '../../gallery/webhooks/write.ts';
import { DateText } from '../dates.tsx';
import { ButtonForm, CsrfField, ErrorSummary, FormFields, NamedAction } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import { useLanguage } from '../layout-data.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';

const path = '/account/webhooks/';

export async function showWebhooksPage(deps: PageDependencies, context: PageContext) {
  return renderWebhooksPage(deps, context, undefined);
}

export async function submitNewWebhook(deps: PageDependencies, context: PageContext) {
  const { viewer, request, origin } = context;
  authorizeAny(viewer, 'changeAccount');
  const { data } = await request.readBody();
  const { url, events = 'own', filter = '' } = readFields(webhookFields(deps), data);
  requireEvents(viewer, events);
  const contributor = requireSignedIn(viewer);
  const webhook = { contributor, url, origin, events, filter };
  const { secret } = await createWebhook(deps.database, contributor, webhook);
  return renderWebhooksPage(deps, context, secret);
}

export async function submitNewSecret(deps: PageDependencies, context: PageContext) {
  const [contributor, id] = readTarget(context);
  const { secret } = await rotateSecret(deps.database, contributor, contributor, id);
  return renderWebhooksPage(deps, context, secret);
}

export async function submitWebhookTest({ database }: PageDependencies, context: PageContext) {
  const [contributor, id] = readTarget(context);
  await requestRedelivery(database, contributor, contributor, id);
  return seeOther(path);
}

export const submitWebhookSwitch =
  (active: boolean) =>
  async ({ database }: PageDependencies, context: PageContext) => {
    const [contributor, id] = readTarget(context);
    await changeWebhook(database, contributor, contributor, id, { active });
    return seeOther(path);
  };

export async function submitWebhookDeletion({ database }: PageDependencies, context: PageContext) {
  const [contributor, id] = readTarget(context);
  await deleteWebhook(database, contributor, contributor, id);
  return seeOther(path);
}

function readTarget({ viewer, params }: PageContext): [contributor: number, id: number] {
  authorizeAny(viewer, 'changeAccount');
  return [requireSignedIn(viewer), requireId(params.id)];
}

async function renderWebhooksPage(deps: PageDependencies, context: PageContext, secret: string | undefined) {
  const { layout, viewer, formErrors } = context;
  const { t, rich } = layout.language;
  authorizeAny(viewer, 'seeAccount');
  const webhooks = await listWebhooks(deps.database, requireSignedIn(viewer));
  const { events, ...otherFields } = webhookFields(deps);
  const fields = viewer.isModerator ? { ...otherFields, events: { ...events, required: true } } : otherFields;
  return renderPage(layout, {
    title: t('webhooks.title'),
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>{t('webhooks.title')}</h1>
        {secret && (
          <div class="notice" role="status">
            <p>{t('webhooks.secret')}</p>
            <pre class="secret">{secret}</pre>
          </div>
        )}
        <p>{rich('webhooks.intro', { link: (text) => <a href="/api/v1/webhooks/">{text}</a> })}</p>
        {webhooks.length === 0 ? (
          <p class="empty">{t('webhooks.empty')}</p>
        ) : (
          <ul class="rows">
            {webhooks.map((webhook) => (
              <WebhookRow webhook={webhook} />
            ))}
          </ul>
        )}
        <h2>{t('webhooks.new')}</h2>
        <ErrorSummary formErrors={formErrors} fields={fields} />
        <form class="stacked-form" method="post" action={path}>
          <CsrfField />
          <FormFields fields={fields} values={{ events: 'own' }} formErrors={formErrors} />
          <button type="submit">{t('webhooks.create')}</button>
        </form>
      </div>
    ),
  });
}

function WebhookRow({ webhook }: { webhook: CountedWebhook }) {
  const { t } = useLanguage();
  const { id, url, disabled } = webhook;
  const actions: [action: string, label: string][] =
    disabled === null
      ? [
          ['test', t('webhooks.test')],
          ['off', t('webhooks.off')],
        ]
      : [['on', t('webhooks.on')]];
  const all = [
    ...actions,
    ['secret', t('webhooks.rotate')] as const,
    ['delete', t('webhooks.delete')] as const,
  ];
  return (
    <li>
      <div>
        <b>
          <bdi>{url}</bdi>
        </b>
        <p class="byline">
          <WebhookState webhook={webhook} />
        </p>
        {all.map(([action, label]) => (
          <ButtonForm action={`${path}${id}/${action}/`} variant="quiet">
            <NamedAction action={label} name={url} />
          </ButtonForm>
        ))}
      </div>
    </li>
  );
}

function WebhookState({ webhook }: { webhook: CountedWebhook }) {
  const { t, rich } = useLanguage();
  const { disabled_reason, failures, next_attempt, last_success, dead_letters } = webhook;
  return (
    <>
      {disabled_reason !== null && t(`webhooks.off.${disabled_reason}`)}
      {disabled_reason === null &&
        failures > 0 &&
        rich('webhooks.failing', { date: <DateText instant={next_attempt} /> })}
      {disabled_reason === null && failures === 0 && t('webhooks.works')}
      {' · '}
      {last_success === null
        ? t('webhooks.neverSent')
        : rich('webhooks.lastSent', { date: <DateText instant={last_success} /> })}
      {dead_letters > 0 && <> · {t('webhooks.deadLetters', { count: dead_letters })}</>}
    </>
  );
}
