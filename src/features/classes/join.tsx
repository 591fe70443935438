// /join/: with the link of a class, people with an account of their own become members.

import { NotFound } from '#common/errors.ts';
import { toText } from '#rest/fields.ts';
import { ButtonForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { findByJoinLink, joinClass } from './joining.ts';

const path = '/join/';

async function showJoinPage(context: PageContext) {
  const { database, url, t } = context;
  const code = url.query.get('code');
  if (code === null) throw new NotFound();
  const collection = await findByJoinLink(database, code);
  return context.render(
    <FormPage title={t('classes.joinTitle', { title: collection.title })}>
      <p>{t('classes.joinHelp')}</p>
      <ButtonForm action={path} values={{ code }}>
        {t('classes.joinButton')}
      </ButtonForm>
    </FormPage>,
  );
}

async function submitJoin(context: PageContext) {
  const code = toText((await context.request.readBody()).data.code);
  const collection = await findByJoinLink(context.database, code);
  await context.transact((write) => joinClass(write, code));
  return seeOther(projectPath(collection));
}

export const joinRoutes = [page(path, 'changeCollection', showJoinPage, submitJoin)];
