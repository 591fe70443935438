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
        <p>Moderators will look at it. Nobody else is told that it was you, least of all whoever made it.</p>
        {previousReport && (
          <p class="notice">
            You reported this on <DateText instant={previousReport.created} />. What you send now takes the
            place of what you said then.
          </p>
        )}
        <ErrorSummary formErrors={formErrors} fields={reportFields} />
        <form class="stacked-form" method="post" action={reportPath(project)}>
          <CsrfField />
          <OnceField formErrors={formErrors} />
          <RadioGroup
            name="reason"
            legend="What is wrong with it?"
            choices={reportReasons.map((value) => ({ value, label: reportReasonLabels[value] }))}
            selected={getFieldValue(formErrors, 'reason', previousReport?.reason)}
            errors={formErrors?.errors.reason}
            required
          />
          <FormFields fields={{ words }} values={{ words: previousReport?.words }} formErrors={formErrors} />
          <button type="submit">Report it</button>
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
          Your report of <ProjectLink project={project} /> is with the moderators. One of them will read what
          you said and look at it: they leave it as it is, or take it off the gallery and tell whoever made it
          why. Nobody but moderators sees that it was you.
        </p>
        <p>
          Until then it stays where it is. <a href={reportPath(project)}>Change what you said</a>, or{' '}
          <a href="/">go back to the gallery</a>.
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
