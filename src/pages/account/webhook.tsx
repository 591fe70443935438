// /account/webhooks/<id>/: one webhook, what was sent to it, and what is done with it.

import { readFields } from '../../common/fields.ts';
import { requireId } from '../../gallery/ids.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { confirmIdentity } from '../../gallery/sign-in/sign-in.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { redeliveryFields } from '../../gallery/webhooks/fields.ts';
import {
  type Attempt,
  findAttempt,
  findWebhook,
  listAttempts,
  listDeadLetters,
} from '../../gallery/webhooks/webhook.ts';
import {
  changeWebhook,
  deleteWebhook,
  requestRedelivery,
  rotateSecret,
  type WebhookTarget,
} from '../../gallery/webhooks/write.ts';
import { DateTimeText } from '../layout/dates.tsx';
import { ButtonForm, ErrorSummary, Form, FormFields, NamedAction } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { SecretNotice } from '../layout/links.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { findConfirmationFields } from './passkeys.tsx';
import { WebhookState, webhooksPath } from './webhooks.tsx';

export async function showWebhookPage(deps: PageDependencies, context: PageContext) {
  return renderWebhookPage(deps, context, undefined);
}

export async function submitNewSecret(deps: PageDependencies, context: PageContext) {
  const { target } = readTarget(context);
  const { viewer, request } = context;
  await confirmIdentity(deps.accounts, viewer, (await request.readBody()).data, request.client);
  const { secret } = await rotateSecret(deps.database, target);
  return renderWebhookPage(deps, context, secret);
}

/** Without numbers, a test. */
export async function submitRedelivery({ database }: PageDependencies, context: PageContext) {
  const { target, path } = readTarget(context);
  const { data } = await context.request.readBody();
  const filled = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ''));
  await requestRedelivery(database, target, readFields(redeliveryFields, filled));
  return seeOther(path);
}

export const submitWebhookSwitch =
  (active: boolean) =>
  async ({ database }: PageDependencies, context: PageContext) => {
    const { target, path } = readTarget(context);
    await changeWebhook(database, target, { active });
    return seeOther(path);
  };

export async function submitWebhookDeletion({ database }: PageDependencies, context: PageContext) {
  const { target } = readTarget(context);
  await deleteWebhook(database, target);
  return seeOther(webhooksPath);
}

function readTarget({ viewer, params }: PageContext) {
  authorizeAny(viewer, 'changeAccount');
  const contributor = requireSignedIn(viewer);
  const target: WebhookTarget = { actor: contributor, contributor, id: requireId(params.id) };
  return { target, path: `${webhooksPath}${target.id}/` };
}

async function renderWebhookPage(
  { database }: PageDependencies,
  context: PageContext,
  secret: string | undefined,
) {
  const { layout, formErrors } = context;
  const { t } = layout.language;
  const { target, path } = readTarget(context);
  const webhook = await findWebhook(database, target);
  const attempts = await listAttempts(database, target.id);
  const deadLetters = await listDeadLetters(database, target.id);
  const isActive = webhook.disabled === null;
  return renderFormPage(context, {
    title: t('webhooks.webhook'),
    children: (
      <>
        {secret && <SecretNotice label={t('webhooks.secret')} secret={secret} />}
        <ErrorSummary formErrors={formErrors} fields={redeliveryFields} />
        <p>
          <bdi>{webhook.url}</bdi>
        </p>
        <p class="byline">
          <WebhookState webhook={webhook} />
        </p>
        <WebhookButtons path={path} isActive={isActive} />
        {deadLetters.length > 0 && <h2>{t('webhooks.deadLettersTitle')}</h2>}
        <ul class="rows">
          {deadLetters.map(({ sequence, at }) => (
            <li>
              <div>
                {t('webhooks.change', { number: sequence })}
                <p class="byline">
                  <DateTimeText instant={at} />
                </p>
              </div>
              {isActive && <SendAgain path={path} sequence={sequence} />}
            </li>
          ))}
        </ul>
        <h2>{t('webhooks.attempts')}</h2>
        {attempts.length === 0 && <p class="empty">{t('webhooks.noAttempts')}</p>}
        <ul class="rows">
          {attempts.map((attempt) => (
            <li>
              <a href={`${path}attempts/${attempt.id}/`}>
                <AttemptName attempt={attempt} />
              </a>
              <AttemptResult attempt={attempt} />
            </li>
          ))}
        </ul>
        {isActive && <RedeliveryForm path={path} formErrors={formErrors} />}
      </>
    ),
  });
}

function WebhookButtons({ path, isActive }: { path: string; isActive: boolean }) {
  const { t } = useLanguage();
  return (
    <div class="buttons">
      <ButtonForm action={`${path}${isActive ? 'off' : 'on'}/`} variant="quiet">
        {t(isActive ? 'webhooks.off' : 'webhooks.on')}
      </ButtonForm>
      {isActive && (
        <ButtonForm action={`${path}redeliver/`} variant="quiet">
          {t('webhooks.test')}
        </ButtonForm>
      )}
      <a href={`${path}secret/`}>{t('webhooks.rotate')}</a>
      <a href={`${path}delete/`}>{t('webhooks.delete')}</a>
    </div>
  );
}

function RedeliveryForm({ path, formErrors }: { path: string; formErrors: PageContext['formErrors'] }) {
  const { t } = useLanguage();
  return (
    <>
      <h2>{t('webhooks.sendAgain')}</h2>
      <Form class="stacked-form" action={`${path}redeliver/`}>
        <FormFields fields={redeliveryFields} formErrors={formErrors} />
        <button type="submit">{t('webhooks.sendAgain')}</button>
      </Form>
    </>
  );
}

function SendAgain({ path, sequence }: { path: string; sequence: number }) {
  const { t } = useLanguage();
  return (
    <Form action={`${path}redeliver/`}>
      <input type="hidden" name="first" value={String(sequence)} />
      <button class="quiet" type="submit">
        <NamedAction action={t('webhooks.sendAgain')} name={String(sequence)} />
      </button>
    </Form>
  );
}

function AttemptName({ attempt: { sequence } }: { attempt: Attempt }) {
  const { t } = useLanguage();
  return <>{sequence === 0 ? t('webhooks.testEvent') : t('webhooks.change', { number: sequence })}</>;
}

function AttemptResult({ attempt: { at, status, error, milliseconds } }: { attempt: Attempt }) {
  const { t } = useLanguage();
  const result = t(`webhooks.result.${error || 'success'}`, { status: status ?? 0, milliseconds });
  return (
    <span class="byline">
      <DateTimeText instant={at} /> · {result}
    </span>
  );
}

export async function showAttemptPage({ database }: PageDependencies, context: PageContext) {
  const { layout, params } = context;
  const { t } = layout.language;
  const { target, path } = readTarget(context);
  const { disabled } = await findWebhook(database, target);
  const attempt = await findAttempt(database, target.id, requireId(params.attempt));
  const { sequence, request, response } = attempt;
  return renderFormPage(context, {
    title: t('webhooks.request'),
    heading: (
      <>
        <AttemptName attempt={attempt} />
      </>
    ),
    children: (
      <>
        <p>
          <AttemptResult attempt={attempt} />
        </p>
        {disabled === null && sequence > 0 && <SendAgain path={path} sequence={sequence} />}
        <h2>{t('webhooks.request')}</h2>
        <pre>{JSON.stringify(JSON.parse(request), null, 2)}</pre>
        <h2>{t('webhooks.response')}</h2>
        {response === '' ? <p class="empty">{t('webhooks.noResponse')}</p> : <pre>{response}</pre>}
        <p>
          <a href={path}>{t('webhooks.back')}</a>
        </p>
      </>
    ),
  });
}

/** Asks before something that cannot be undone. */
const showConfirmationPage =
  (act: 'secret' | 'delete') =>
  async ({ database }: PageDependencies, context: PageContext) => {
    const { layout, formErrors } = context;
    const { t, rich } = layout.language;
    const { target, path } = readTarget(context);
    const { url } = await findWebhook(database, target);
    const fields = act === 'secret' ? await findConfirmationFields(database, context) : {};
    return renderFormPage(context, {
      title: t(`webhooks.${act}Title`),
      children: (
        <>
          <p>{rich(`webhooks.${act}Note`, { url: <bdi>{url}</bdi> })}</p>
          <ErrorSummary formErrors={formErrors} fields={fields} />
          <Form class="stacked-form" action={`${path}${act}/`}>
            <FormFields fields={fields} formErrors={formErrors} />
            <button class={act === 'delete' ? 'danger' : undefined} type="submit">
              {t(act === 'delete' ? 'webhooks.delete' : 'webhooks.rotate')}
            </button>
          </Form>
        </>
      ),
    });
  };

export const showSecretPage = showConfirmationPage('secret');
export const showDeletionPage = showConfirmationPage('delete');
