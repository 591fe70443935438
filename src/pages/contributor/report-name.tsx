// /contributors/<id>-<username>/report/: the form to report a contributor's name, and the page after it.

import { type Contributor, displayName } from '../../gallery/contributors/contributor.ts';
import { findContributorAt } from '../../gallery/contributors/find.ts';
import { nameReportFields, reportName } from '../../gallery/moderation/name-report.ts';
import { contributorPath, parseContributorPath } from '../../gallery/paths.ts';
import { authorize } from '../../gallery/permissions.ts';
import { RulesLink } from '../home/site-texts.tsx';
import { PostForm } from '../layout/form.tsx';
import { FormPage } from '../layout/layout.tsx';
import { type PageContext, page, seeOther } from '../page.ts';

async function showReportNamePage(context: PageContext) {
  const contributor = await findReportable(context);
  const { formErrors, url, t, rich } = context;
  const path = contributorPath(contributor.id, contributor.username);
  const isSent = url.query.has('sent');
  const name = displayName(contributor);
  return context.render(
    <FormPage
      title={t('reportName.title', { name })}
      heading={rich('reportName.title', { name: <bdi>{name}</bdi> })}
    >
      {isSent ? (
        <p>
          {t('reportName.thanks')} <a href={path}>{t('reportName.back')}</a>
        </p>
      ) : (
        <PostForm
          fields={nameReportFields}
          formErrors={formErrors}
          action={`${path}report/`}
          isOnce
          button={t('reportName.send')}
        >
          <p>{rich('reportName.help', { username: <bdi>{contributor.username}</bdi> })}</p>
          <RulesLink />
        </PostForm>
      )}
    </FormPage>,
  );
}

async function findReportable({ database, viewer, params }: PageContext): Promise<Contributor> {
  const contributor = await findContributorAt(database, viewer, parseContributorPath(params.name));
  authorize(viewer, 'report', contributor.id);
  return contributor;
}

export const nameReportRoutes = [
  page('/contributors/:name/report/', 'report', showReportNamePage, async (context) => {
    const { id, username } = await findReportable(context);
    const { words } = await context.readForm(nameReportFields);
    await context.transact((write) => reportName(write, id, words));
    return seeOther(`${contributorPath(id, username)}report/?sent=1`);
  }),
];
