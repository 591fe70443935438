// /unsubscribe/?code=…: ends mails about notifications, without signing in. Programs for mails send the POST by themselves
// (RFC 8058). The page only shows a button: programs that check mails open links.

import { NotFound } from '#common/errors.ts';
import { findAccount } from '../../core/accounts/account.ts';
import { Notice } from '../../core/pages/layout/components.tsx';
import { Form } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { findUnsubscriber, setMailFrequency, unsubscribePath } from './notification-settings.ts';

async function showUnsubscribePage(context: PageContext) {
  const { database, url, t, rich } = context;
  const code = url.query.get('code') ?? '';
  const contributor = await findUnsubscriber(database, code);
  const account = contributor === undefined ? undefined : await findAccount(database, contributor);
  const isDone = url.query.has('done');
  return context.render(
    <FormPage title={t('unsubscribe.title')} status={isDone || account ? 200 : 404}>
      {isDone && <Notice>{t('unsubscribe.done')}</Notice>}
      {!isDone && !account && <p>{t('unsubscribe.invalid')}</p>}
      {!isDone && account && (
        <Form action={unsubscribePath(code)}>
          <p>{rich('unsubscribe.intro', { username: <bdi>{account.username}</bdi> })}</p>
          <button type="submit">{t('unsubscribe.confirm')}</button>
        </Form>
      )}
    </FormPage>,
  );
}

export const unsubscribeRoutes = [
  page('/unsubscribe/', anyone, showUnsubscribePage, async ({ database, url }) => {
    const contributor = await findUnsubscriber(database, url.query.get('code') ?? '');
    if (contributor === undefined) throw new NotFound();
    await database.transaction((transaction) => setMailFrequency(transaction, contributor, 'never'));
    return seeOther('/unsubscribe/?done');
  }),
];
