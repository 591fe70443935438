// /contributors/<id>-<username>/report/: the form to report a contributor's name, and the page after it.

import { readFields } from '../fields.ts';
import { transactOnce } from '../gallery/changes/write.ts';
import { type Contributor, displayName } from '../gallery/contributors/contributor.ts';
import { findContributorAt } from '../gallery/contributors/find.ts';
import { nameReportFields, reportName } from '../gallery/moderation/name-report.ts';
import { contributorPath } from '../gallery/paths.ts';
import { authorize, authorizeAny } from '../gallery/permissions.ts';
import { parseContributorPath } from './contributor.tsx';
import { CsrfField, ErrorSummary, FormFields, getFormTitle, OnceField } from './form.tsx';
import { renderPage } from './layout.tsx';
import type { PageContext, PageDependencies } from './page-context.ts';
import { seeOther } from './redirects.ts';

export async function showReportNamePage(deps: PageDependencies, context: PageContext) {
  const contributor = await findReportable(deps, context);
  const { layout, formErrors, url } = context;
  const path = contributorPath(contributor.id, contributor.username);
  const isSent = url.query.has('sent');
  return renderPage(layout, {
    title: getFormTitle(formErrors, `Report the name ${displayName(contributor)}`),
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>
          Report the name <bdi>{displayName(contributor)}</bdi>
        </h1>
        {isSent ? (
          <p>
            Thank you. A moderator will look at the name. Only moderators can see that you reported it.{' '}
            <a href={path}>Go back</a>
          </p>
        ) : (
          <form class="stacked-form" method="post" action={`${path}report/`}>
            <ErrorSummary formErrors={formErrors} fields={nameReportFields} />
            <CsrfField />
            <OnceField formErrors={formErrors} />
            <p>
              Report a name or username (<bdi>{contributor.username}</bdi>) that is unkind, pretends to be
              someone else, or says too much about a child.
            </p>
            <FormFields fields={nameReportFields} formErrors={formErrors} />
            <button type="submit">Report the name</button>
          </form>
        )}
      </div>
    ),
  });
}

export async function submitNameReport(deps: PageDependencies, context: PageContext) {
  const { id, username } = await findReportable(deps, context);
  const { words } = readFields(nameReportFields, (await context.request.readBody()).data);
  await transactOnce(deps.database, context, (write) => reportName(write, id, words));
  return seeOther(`${contributorPath(id, username)}report/?sent=1`);
}

async function findReportable(
  { database }: PageDependencies,
  { viewer, params }: PageContext,
): Promise<Contributor> {
  authorizeAny(viewer, 'report');
  const contributor = await findContributorAt(database, viewer, parseContributorPath(params.name));
  authorize(viewer, 'report', contributor.id);
  return contributor;
}
