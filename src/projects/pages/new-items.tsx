// Elements for the number of new projects above a list, and of new comments below the others. Scripts fill them, and
// compare with what the page shows: a number of a change in the page would give it a new ETag after every change.

import { urlWithParameters } from '#rest/request-url.ts';
import { formatInstant } from '../../core/instant.ts';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import type { Project } from '../project.ts';
import type { ListedRow } from '../reading/listing.ts';
import type { AppliedFilters } from '../reading/tagged-projects.ts';
import type { ListPage } from './list/list-query.ts';
import { getCommentKind } from './project/comment-form.tsx';
import { type CommentThread, commentsPerPage } from './project/comments.tsx';
import { followChangesScript, newCommentsScript, newProjectsScript } from './project-assets.ts';

const toQuery = (filters: AppliedFilters) =>
  new URLSearchParams([...filters].map(([name, { text }]) => [name, text]));

/** The stream of changes of a list. Without a filter that streams lack, it has more changes than the list. */
const streamOf = (filters: AppliedFilters) =>
  urlWithParameters(
    '/api/v1/changes/stream/',
    toQuery(new Map([...filters].filter(([, { filter }]) => filter.matches))),
    {},
  );

interface NewProjectsProps {
  readonly filters: AppliedFilters;
  readonly projectPage: Pick<ListPage<ListedRow>, 'items'>;
  readonly href: string;
}

/** For the first page of a list with the newest first. */
export function NewProjects({ filters, projectPage, href }: NewProjectsProps) {
  const { t } = useLanguage();
  const [newest] = projectPage.items;
  const count = urlWithParameters('/api/v1/projects/', toQuery(filters), {
    ...(newest?.created !== undefined && { created__gt: formatInstant(newest.created, 'UTC') }),
    limit: '1',
    fields: 'id',
  });
  return (
    <p
      class="new-projects"
      role="status"
      data-changes={streamOf(filters)}
      data-scripts={`${newProjectsScript} ${followChangesScript}`}
      data-count={count}
      data-list={href}
      data-one={t('list.newOne')}
      data-many={t('list.newMany', { count: '#' })}
    />
  );
}

interface NewCommentsProps {
  readonly project: Project;
  readonly thread: CommentThread;
  pageUrl(number: number): string;
}

/** For the last page of the comments, where new ones come. */
export function NewComments({ project, thread, pageUrl }: NewCommentsProps) {
  const { t } = useLanguage();
  const kind = getCommentKind(project);
  const comments = urlWithParameters(`/api/v1/projects/${project.id}/comments/`, new URLSearchParams(), {
    offset: String((thread.number - 1) * commentsPerPage),
    limit: '100',
    fields: 'id',
  });
  return (
    <p
      class="new-comments"
      role="status"
      data-changes="/api/v1/changes/stream/?content_type=comment"
      data-scripts={`${newCommentsScript} ${followChangesScript}`}
      data-comments={comments}
      data-next={pageUrl(thread.number + 1)}
      data-one={t(`comments.newOne.${kind}`)}
      data-many={t(`comments.newMany.${kind}`, { count: '#' })}
    />
  );
}
