// The links of a moderator on every project and profile: the history, the person's account, and the form that removes.

import { historyPath } from '../../gallery/paths.ts';
import { can } from '../../gallery/permissions.ts';
import { removed } from '../../gallery/project-status.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { useLayout } from '../layout/layout-data.ts';
import { RemovalForm } from './decision.tsx';

interface ModeratorStripProps {
  readonly contributor: { readonly id: number; readonly username: string };
  /** Missing on a profile. */
  readonly project?: Project;
}

export function ModeratorStrip({ contributor, project }: ModeratorStripProps) {
  const { viewer, language } = useLayout();
  const { t } = language;
  if (!viewer.isModerator) return null;
  const person = new URLSearchParams({ username: contributor.username });
  return (
    <aside class="moderator-strip" aria-label={t('strip.title')}>
      <nav aria-label={t('strip.title')}>
        <b>{t('strip.title')}</b>
        <a href={`/moderation/people/?${person}`}>{t('strip.person')}</a>
        {project && (
          <>
            <a href={historyPath(project)}>{t('actions.history')}</a>
            <a href={`/moderation/log/?project=${project.id}`}>{t('strip.decisions')}</a>
          </>
        )}
      </nav>
      {project && project.status !== removed && can(viewer, 'decide', contributor.id) && (
        <details>
          <summary>{t('strip.remove')}</summary>
          <RemovalForm project={project} />
        </details>
      )}
    </aside>
  );
}
