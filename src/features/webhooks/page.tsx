// /account/webhooks/<id>/: one webhook, what was sent to it, and what is done with it.

import { readFields } from '#rest/fields.ts';
import { requireId } from '../../core/ids.ts';
import { accountSections } from '../../core/pages/account-sections.tsx';
import { Byline, DateTimeText, LinkLine, SecretNotice } from '../../core/pages/layout/components.tsx';
import { ButtonForm, ErrorSummary, Form, FormFields, NamedAction } from '../../core/pages/layout/form.tsx';
import { FormPage, SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { confirmViewer, findConfirmationFields } from '../sign-in/confirmation.ts';
import { WebhookState } from './list-page.tsx';
import { webhooksPath } from './path.ts';
import { type Attempt, findAttempt, findWebhook, listAttempts, listDeadLetters } from './webhook.ts';
import { redeliveryFields } from './webhook-fields.ts';
import {
  changeWebhook,
  deleteWebhook,
  requestRedelivery,
  rotateSecret,
  type WebhookTarget,
} from './write-webhook.ts';

const submitWebhookSwitch = (active: boolean) => async (context: PageContext) => {
  const { target, path } = readTarget(context);
  await changeWebhook(context.database, target, { active });
  return seeOther(path);
};

function readTarget({ viewer, params }: PageContext) {
  const contributor = requireSignedIn(viewer);
  const target: WebhookTarget = { actor: contributor, contributor, id: requireId(params.id) };
  return { target, path: `${webhooksPath}${target.id}/` };
}

async function renderWebhookPage(context: PageContext, secret?: string) {
  const { database, formErrors, t } = context;
  const { target, path } = readTarget(context);
  const webhook = await findWebhook(database, target);
  const attempts = await listAttempts(database, target.id);
  const deadLetters = await listDeadLetters(database, target.id);
  const isActive = webhook.disabled === null;
  return context.render(
    <FormPage aside={accountSections(context)} title={t('webhooks.webhook')}>
      {secret && <SecretNotice label={t('webhooks.secret')} secret={secret} />}
      <ErrorSummary formErrors={formErrors} fields={redeliveryFields} />
      <p>
        <bdi>{webhook.url}</bdi>
      </p>
      <WebhookState webhook={webhook} />
      <WebhookButtons path={path} isActive={isActive} />
      {deadLetters.length > 0 && <h2>{t('webhooks.deadLettersTitle')}</h2>}
      <ul class="rows">
        {deadLetters.map(({ sequence, at }) => (
          <li>
            <div>
              {t('webhooks.change', { number: sequence })}
              <Byline parts={[<DateTimeText instant={at} />]} />
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
      {isActive && (
        <>
          <h2>{t('webhooks.sendAgain')}</h2>
          <Form class="stacked-form" action={`${path}redeliver/`}>
            <FormFields fields={redeliveryFields} formErrors={formErrors} />
            <button type="submit">{t('webhooks.sendAgain')}</button>
          </Form>
        </>
      )}
    </FormPage>,
  );
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

function SendAgain({ path, sequence }: { path: string; sequence: number }) {
  const { t } = useLanguage();
  return (
    <ButtonForm action={`${path}redeliver/`} variant="quiet" values={{ first: sequence }}>
      <NamedAction action={t('webhooks.sendAgain')} name={String(sequence)} />
    </ButtonForm>
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

async function showAttemptPage(context: PageContext) {
  const { database, params, t } = context;
  const { target, path } = readTarget(context);
  const { disabled } = await findWebhook(database, target);
  const attempt = await findAttempt(database, target.id, requireId(params.attempt));
  const { sequence, request, response } = attempt;
  return context.render(
    <FormPage
      aside={accountSections(context)}
      title={t('webhooks.request')}
      heading={<AttemptName attempt={attempt} />}
    >
      <p>
        <AttemptResult attempt={attempt} />
      </p>
      {disabled === null && sequence > 0 && <SendAgain path={path} sequence={sequence} />}
      <h2>{t('webhooks.request')}</h2>
      <pre>{JSON.stringify(JSON.parse(request), null, 2)}</pre>
      <h2>{t('webhooks.response')}</h2>
      {response === '' ? <p class="empty">{t('webhooks.noResponse')}</p> : <pre>{response}</pre>}
      <LinkLine href={path}>{t('webhooks.back')}</LinkLine>
    </FormPage>,
  );
}

/** Asks before something that cannot be undone. */
const showConfirmationPage = (act: 'secret' | 'delete') => async (context: PageContext) => {
  const { database, t, rich } = context;
  const { target, path } = readTarget(context);
  const { url } = await findWebhook(database, target);
  return context.render(
    <SingleFormPage
      aside={accountSections(context)}
      title={t(`webhooks.${act}Title`)}
      note={rich(`webhooks.${act}Note`, { url: <bdi>{url}</bdi> })}
      fields={act === 'secret' ? await findConfirmationFields(context) : {}}
      action={`${path}${act}/`}
      variant={act === 'delete' ? 'danger' : undefined}
      button={t(act === 'delete' ? 'webhooks.delete' : 'webhooks.rotate')}
    />,
  );
};

export const webhookRoutes = [
  page(['/account/webhooks/:id/', '/account/webhooks/:id/redeliver/'], 'changeAccount', renderWebhookPage),
  form('/account/webhooks/:id/on/', 'changeAccount', submitWebhookSwitch(true)),
  form('/account/webhooks/:id/off/', 'changeAccount', submitWebhookSwitch(false)),
  // Without numbers, a test.
  form('/account/webhooks/:id/redeliver/', 'changeAccount', async (context) => {
    const { target, path } = readTarget(context);
    const { data } = await context.request.readBody();
    const filled = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== ''));
    await requestRedelivery(context.database, target, readFields(redeliveryFields, filled));
    return seeOther(path);
  }),
  page('/account/webhooks/:id/secret/', 'changeAccount', showConfirmationPage('secret'), async (context) => {
    const { target } = readTarget(context);
    await confirmViewer(context);
    const { secret } = await rotateSecret(context.database, target);
    return renderWebhookPage(context, secret);
  }),
  page('/account/webhooks/:id/delete/', 'changeAccount', showConfirmationPage('delete'), async (context) => {
    await deleteWebhook(context.database, readTarget(context).target);
    return seeOther(webhooksPath);
  }),
  page('/account/webhooks/:id/attempts/:attempt/', 'changeAccount', showAttemptPage),
];
