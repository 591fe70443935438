// /moderation/removed/: projects that moderators removed, with forms to restore them.

import { readFields } from '../../common/fields.ts';
import { optionalReasonFields } from '../../gallery/decisions/decision.ts';
import { requireId } from '../../gallery/ids.ts';
import { restoreRemovedProject } from '../../gallery/moderation/decide.ts';
import { loadReasons } from '../../gallery/moderation/log.ts';
import { can } from '../../gallery/permissions.ts';
import { removed } from '../../gallery/project-status.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { loadListPage } from '../home/listing.ts';
import { Pager, ProjectByline, ProjectLink, ReportText } from '../layout/components.tsx';
import { ErrorSummary, Form, FormFields, NamedAction } from '../layout/form.tsx';
import { useLayout } from '../layout/layout-data.ts';
import { anyone, form, type PageContext, page, seeOther } from '../page.ts';
import { ModerationPage, showConflictOnPage } from './moderation-page.tsx';

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
