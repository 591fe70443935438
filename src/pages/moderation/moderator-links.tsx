// The links of a moderator on every project and profile: the history, the person's account, and the form that removes.

import { isWork } from '../../gallery/content-types.ts';
import { historyPath, projectPath } from '../../gallery/paths.ts';
import { can } from '../../gallery/permissions.ts';
import { published, removed, waiting } from '../../gallery/project-status.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { Form } from '../layout/form.tsx';
import { useLayout } from '../layout/layout-data.ts';
import { RemovalForm } from './decision.tsx';

interface ModeratorLinksProps {
  readonly contributor: { readonly id: number; readonly username: string };
  /** Missing on a profile. */
  readonly project?: Project;
}

export function ModeratorLinks({ contributor, project }: ModeratorLinksProps) {
  const { viewer, language } = useLayout();
  const { t } = language;
  if (!viewer.isModerator) return null;
  const isPublic = project?.visibility === 'public' && project.status === published;
  const person = new URLSearchParams({ username: contributor.username });
  return (
    <aside class="moderator-links" aria-label={t('moderatorLinks.title')}>
      <nav aria-label={t('moderatorLinks.title')}>
        <b>{t('moderatorLinks.title')}</b>
        <a href={`/moderation/people/?${person}`}>{t('moderatorLinks.person')}</a>
        {project && (
          <>
            {project.status === waiting && (
              <a href={`/moderation/waiting/#project-${project.id}`}>{t('moderatorLinks.review')}</a>
            )}
            <a href={historyPath(project)}>{t('actions.history')}</a>
            <a href={`/moderation/log/?project=${project.id}`}>{t('moderatorLinks.decisions')}</a>
          </>
        )}
      </nav>
      {project && isWork(project.content_type) && (isPublic || project.featured !== null) && (
        <Form action={`${projectPath(project)}feature/`}>
          <button
            class="plain"
            type="submit"
            name="featured"
            value={project.featured === null ? 'yes' : 'no'}
          >
            {t(project.featured === null ? 'moderatorLinks.feature' : 'moderatorLinks.unfeature')}
          </button>
        </Form>
      )}
      {project && project.status !== removed && can(viewer, 'decide', contributor.id) && (
        <details>
          <summary>{t('moderatorLinks.remove')}</summary>
          <RemovalForm project={project} />
        </details>
      )}
    </aside>
  );
}
