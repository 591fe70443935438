// /moderation/removed/: projects that moderators removed, with forms to restore them.

import { readFields } from '#rest/fields.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { optionalReasonFields } from '../../core/decisions/decision.ts';
import { requireId } from '../../core/ids.ts';
import { Pager, ReportText } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, Form, FormFields, NamedAction } from '../../core/pages/layout/form.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage, showConflictOnPage } from '../../core/pages/moderation-page.tsx';
import { anyone, form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { removed } from '../../core/project-status.ts';
import { can } from '../../core/viewer/permissions.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { ProjectByline, ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { loadReasons } from '../../projects/reading/reasons.ts';
import { restoreRemovedProject } from './decide.ts';

const path = '/moderation/removed/';

async function showRemovedPage(context: PageContext) {
  const { database, projects, viewer, url, formErrors } = context;
  const projectPage = await loadListPage(
    projects.list(viewer, projects.parseFilter('status', String(removed))),
    url.query,
  );
  const reasons = await loadReasons(database, projectPage.items);
  return context.render(
    <ModerationPage path={path}>
      <ErrorSummary formErrors={formErrors} />
      {projectPage.count === 0 && <p class="empty">{context.t('removed.empty')}</p>}
      <ul class="rows">
        {projectPage.items.map((project) => (
          <Row project={project} removalReason={reasons.get(project.id)} />
        ))}
      </ul>
      <Pager {...projectPage} urlOf={createPageUrl(path)} />
    </ModerationPage>,
  );
}

function Row({ project, removalReason }: { project: Project; removalReason: string | undefined }) {
  const { viewer, language } = useLayout();
  const { t } = language;
  const fields = { reason: { ...optionalReasonFields.reason, label: t('removed.reason') } };
  return (
    <li>
      <div>
        <ProjectLink project={project} />
        <ProjectByline project={project} />
        {removalReason && <ReportText text={removalReason} />}
      </div>
      {can(viewer, 'decide', project.contributor) && (
        <details>
          <summary>
            <NamedAction action={t('removed.restore')} name={project.title} />
          </summary>
          <Form class="decision-form" action={path}>
            <input type="hidden" name="project" value={String(project.id)} />
            <FormFields fields={fields} prefix={`r${project.id}`} />
            <button class="quiet" type="submit">
              <NamedAction action={t('form.restore')} name={project.title} />
            </button>
          </Form>
        </details>
      )}
    </li>
  );
}

export const removedRoutes = [
  page(path, 'seeReports', showRemovedPage),
  form(path, anyone, async (context) => {
    const { data } = await context.request.readBody();
    const id = requireId(data.project);
    const { reason } = readFields(optionalReasonFields, data);
    await showConflictOnPage(() =>
      context.transact((write) => restoreRemovedProject({ ...write, reason }, id)),
    );
    return seeOther(path);
  }),
];
