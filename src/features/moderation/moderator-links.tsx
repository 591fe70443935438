// The links of a moderator on every project and profile: the history, the person's account, and the form that removes.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { requiredReasonFields } from '../../core/decisions/decision.ts';
import { Form, FormFields } from '../../core/pages/layout/form.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { loadSections, type Sections } from '../../core/pages/page.ts';
import { historyPath } from '../../core/paths.ts';
import { removed } from '../../core/project-status.ts';
import { can } from '../../core/viewer/permissions.ts';
import type { Project } from '../../projects/project.ts';

declare module '../../core/pages/page.ts' {
  interface Places {
    /** Links about a project. */
    'moderation.links': Section<Project>;
    /** Forms for a project. */
    'moderation.forms': Section<Project>;
  }
}

export const sections: Sections = {
  'project.moderation': async (context, project) => {
    const [links, forms] = await Promise.all([
      loadSections(context, 'moderation.links', project),
      loadSections(context, 'moderation.forms', project),
    ]);
    const contributor = { id: project.contributor, username: project.username };
    return <ModeratorLinks contributor={contributor} project={project} links={links} forms={forms} />;
  },
};

interface ModeratorLinksProps {
  readonly contributor: { readonly id: number; readonly username: string };
  /** Missing on a profile. */
  readonly project?: Project;
  readonly links?: readonly Child[];
  readonly forms?: readonly Child[];
}

export function ModeratorLinks({ contributor, project, links, forms }: ModeratorLinksProps) {
  const { viewer, language } = useLayout();
  const { t } = language;
  if (!viewer.isModerator) return null;
  const person = new URLSearchParams({ username: contributor.username });
  return (
    <aside class="moderator-links" aria-label={t('moderatorLinks.title')}>
      <nav aria-label={t('moderatorLinks.title')}>
        <b>{t('moderatorLinks.title')}</b>
        <a href={`/moderation/people/?${person}`}>{t('moderatorLinks.person')}</a>
        {project && (
          <>
            {links}
            <a href={historyPath(project)}>{t('actions.history')}</a>
            <a href={`/moderation/log/?project=${project.id}`}>{t('moderatorLinks.decisions')}</a>
          </>
        )}
      </nav>
      {forms}
      {project && project.status !== removed && can(viewer, 'decide', contributor.id) && (
        <details>
          <summary>{t('moderatorLinks.remove')}</summary>
          <RemovalForm project={project} />
        </details>
      )}
    </aside>
  );
}

/** The form with which a moderator removes a project that is not in the queue. */
export function RemovalForm({ project }: { project: Project }) {
  const { t } = useLanguage();
  return (
    <section aria-labelledby="removal">
      <h2 id="removal">{t('removal.title')}</h2>
      <Form class="stacked-form" action="/moderation/">
        <input type="hidden" name="project" value={String(project.id)} />
        <FormFields fields={requiredReasonFields} prefix="r" />
        <button class="danger" type="submit" name="decision" value="remove">
          {t('queue.remove')}
        </button>
      </Form>
    </section>
  );
}
