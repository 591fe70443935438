// /content/<uuid>/<slug>/report/: the form to report a project, and …/report/sent/: the page after it.

import { readFields } from '../fields.ts';
import { transactOnce } from '../gallery/changes/write.ts';
import {
  reportFields,
  reportReasonLabels,
  reportReasons,
  validateReport,
} from '../gallery/moderation/report.ts';
import { reportProject } from '../gallery/moderation/report-project.ts';
import { findOwnOpenReport } from '../gallery/moderation/reports.ts';
import { reportPath } from '../gallery/paths.ts';
import { authorize, authorizeAny, can } from '../gallery/permissions.ts';
import type { Project } from '../gallery/projects/project.ts';
import { removed } from '../gallery/projects/status.ts';
import { DateText } from './dates.tsx';
import { findProject } from './find-project.ts';
import {
  CsrfField,
  ErrorSummary,
  FormFields,
  getFieldValue,
  getFormTitle,
  OnceField,
  RadioGroup,
} from './form.tsx';
import { renderPage } from './layout.tsx';
import { ProjectLink } from './links.tsx';
import { RemovalForm } from './moderation/removal-form.tsx';
import type { PageContext, PageDependencies } from './page-context.ts';
import { seeOther } from './redirects.ts';

const { words } = reportFields;

export async function showReportPage(deps: PageDependencies, context: PageContext) {
  const project = await findReportableProject(deps, context);
  const { layout, viewer, formErrors } = context;
  const previousReport = await findOwnOpenReport(deps.database, viewer, project.id);
  return renderPage(layout, {
    title: getFormTitle(formErrors, `Report ${project.title}`),
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>
          Report <ProjectLink project={project} />
        </h1>
        <p>A moderator will look at it. Only moderators can see that you reported it.</p>
        {previousReport && (
          <p class="notice">
            You reported this on <DateText instant={previousReport.created} />. A new report replaces it.
          </p>
        )}
        <ErrorSummary formErrors={formErrors} fields={reportFields} />
        <form class="stacked-form" method="post" action={reportPath(project)}>
          <CsrfField />
          <OnceField formErrors={formErrors} />
          <RadioGroup
            name="reason"
            legend="What’s wrong with it?"
            choices={reportReasons.map((value) => ({ value, label: reportReasonLabels[value] }))}
            selected={getFieldValue(formErrors, 'reason', previousReport?.reason)}
            errors={formErrors?.errors.reason}
            required
          />
          <FormFields fields={{ words }} values={{ words: previousReport?.words }} formErrors={formErrors} />
          <button type="submit">Send report</button>
        </form>
        {can(viewer, 'decide') && project.status !== removed && <RemovalForm project={project} />}
      </div>
    ),
  });
}

export async function submitReport(deps: PageDependencies, context: PageContext) {
  const project = await findReportableProject(deps, context);
  const { data } = await context.request.readBody();
  await transactOnce(deps.database, context, (write) =>
    reportProject(write, project, () => validateReport(readFields(reportFields, data))),
  );
  return seeOther(`${reportPath(project)}sent/`);
}

export async function showReportSentPage(deps: PageDependencies, context: PageContext) {
  const project = await findReportableProject(deps, context);
  return renderPage(context.layout, {
    title: 'Thank you',
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>Thank you</h1>
        <p>
          A moderator will read your report of <ProjectLink project={project} /> and either leave the project
          as it is, or remove it and tell the author why. Only moderators can see that you reported it.
        </p>
        <p>
          <a href={reportPath(project)}>Change your report</a> or <a href="/">go back to the gallery</a>.
        </p>
      </div>
    ),
  });
}

/** Finds the project that the URL names, and checks that the viewer may report it. */
async function findReportableProject(deps: PageDependencies, context: PageContext): Promise<Project> {
  authorizeAny(context.viewer, 'report');
  const project = await findProject(deps, context);
  authorize(context.viewer, 'report', project.contributor);
  return project;
}
