// /contributors/<id>-<username>/report/: the form to report a contributor's name, and the page after it.

import { type Contributor, displayName } from '../../core/contributors/contributor.ts';
import { findContributorAt } from '../../core/contributors/find-contributors.ts';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { RulesLink } from '../../core/pages/site-texts.tsx';
import { contributorPath, parseContributorPath } from '../../core/paths.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { nameReportFields, reportName } from './name-report.ts';

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
