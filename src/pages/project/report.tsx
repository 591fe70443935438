// /content/<uuid>/<slug>/report/: the form to report a project, and …/report/sent/: the page after it.

import { readFields } from '../../common/fields.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import {
  findOwnOpenReport,
  reportFields,
  reportProject,
  reportReasons,
  validateReport,
} from '../../gallery/moderation/report.ts';
import { reportPath } from '../../gallery/paths.ts';
import { authorize, authorizeAny, can } from '../../gallery/permissions.ts';
import { removed } from '../../gallery/project-status.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { RulesLink } from '../home/site-texts.tsx';
import { DateText } from '../layout/dates.tsx';
import { ErrorSummary, Form, FormFields, getFieldValue, OnceField, RadioGroup } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import { ProjectLink } from '../layout/links.tsx';
import { RemovalForm } from '../moderation/decision.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { findProject } from './find-project.ts';

const { reason, words } = reportFields;

export async function showReportPage(deps: PageDependencies, context: PageContext) {
  const project = await findReportableProject(deps, context);
  const { layout, viewer, formErrors } = context;
  const { t, rich } = layout.language;
  const previousReport = await findOwnOpenReport(deps.database, viewer, project.id);
  return renderFormPage(context, {
    title: t('report.title', { project: project.title }),
    heading: rich('report.title', { project: <ProjectLink project={project} /> }),
    children: (
      <>
        <p>{t('report.help')}</p>
        <RulesLink />
        {previousReport && (
          <p class="notice">
            {rich('report.previous', { date: <DateText instant={previousReport.created} /> })}
          </p>
        )}
        <ErrorSummary
          formErrors={formErrors}
          fields={{ reason: { ...reason, label: t('report.reason') }, words }}
        />
        <Form class="stacked-form" action={reportPath(project)}>
          <OnceField formErrors={formErrors} />
          <RadioGroup
            name="reason"
            legend={t('report.reason')}
            choices={reportReasons.map((value) => ({
              value,
              label: t(`api.reason.${value}`),
            }))}
            selected={getFieldValue(formErrors, 'reason', previousReport?.reason)}
            errors={formErrors?.errors.reason}
            required
          />
          <FormFields fields={{ words }} values={{ words: previousReport?.words }} formErrors={formErrors} />
          <button type="submit">{t('report.send')}</button>
        </Form>
        {can(viewer, 'decide') && project.status !== removed && <RemovalForm project={project} />}
      </>
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
  const { t, rich } = context.layout.language;
  return renderFormPage(context, {
    title: t('report.thanks'),
    children: (
      <>
        <p>{rich('report.next', { project: <ProjectLink project={project} /> })}</p>
        <p>
          {rich('report.links', {
            change: (text) => <a href={reportPath(project)}>{text}</a>,
            home: (text) => <a href="/">{text}</a>,
          })}
        </p>
      </>
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
