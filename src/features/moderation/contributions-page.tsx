// The list of what a person has made, on /moderation/people/, with `username` and `show`: private and removed work too.

import { createPageUrl } from '#rest/pagination.ts';
import type { AccountDetails } from '../../core/accounts/account.ts';
import { fullName } from '../../core/contributors/contributor.ts';
import {
  accountPath,
  Byline,
  DateText,
  NameLink,
  Pager,
  ReportText,
} from '../../core/pages/layout/components.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../core/pages/page.ts';
import { published, statusNames } from '../../core/project-status.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { loadReasons } from '../../projects/reading/reasons.ts';
import { type ContributionKind, listContributions } from './contributions.ts';

export async function renderContributions(
  { database, viewer, url, t, layout }: PageContext,
  account: AccountDetails,
  kind: ContributionKind,
) {
  const projectPage = await loadListPage(listContributions(database, viewer, account.id, kind), url.query);
  const reasons = await loadReasons(database, projectPage.items);
  const query = new URLSearchParams({ username: account.username, show: kind });
  return (
    <section aria-labelledby="contributions">
      <h2 id="contributions">
        <NameLink href={accountPath(account.username)} name={fullName(account)} />
        {`: ${t(`people.${kind}`)} (${layout.language.formatNumber(projectPage.count)})`}
      </h2>
      {projectPage.count === 0 ? (
        <p class="empty">{t('home.nothingFound')}</p>
      ) : (
        <ul class="rows">
          {projectPage.items.map((project) => (
            <Row project={project} reason={reasons.get(project.id)} />
          ))}
        </ul>
      )}
      <Pager {...projectPage} urlOf={createPageUrl('/moderation/people/', query)} />
    </section>
  );
}

function Row({ project, reason }: { project: Project; reason: string | undefined }) {
  const { t } = useLanguage();
  const { content_type, status, visibility, created } = project;
  return (
    <li>
      <div>
        <ProjectLink project={project} />
        <Byline
          parts={[
            t(`type.${content_type}`),
            status !== published && t(`status.${statusNames[status]}`),
            visibility !== 'public' && t(`visibility.${visibility}`),
            <DateText instant={created} isAgo />,
          ]}
        />
        {reason && <ReportText text={reason} />}
      </div>
    </li>
  );
}
