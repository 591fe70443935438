// /content/<uuid>/<slug>/report/: the form to report a project, and …/report/sent/: the page after it.

import { readFields } from '#rest/fields.ts';
import { DateText } from '../../core/pages/layout/components.tsx';
import {
  ErrorSummary,
  Form,
  FormFields,
  getFieldValue,
  OnceField,
  RadioGroup,
} from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { RulesLink } from '../../core/pages/site-texts.tsx';
import { reportPath } from '../../core/paths.ts';
import { removed } from '../../core/project-status.ts';
import { authorize, can } from '../../core/viewer/permissions.ts';
import { findProject } from '../../projects/pages/project/find-project.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { RemovalForm } from './moderator-links.tsx';
import { findOwnOpenReport, reportFields, reportProject, reportReasons, validateReport } from './report.ts';

const { reason, words } = reportFields;

async function showReportPage(context: PageContext) {
  const project = await findReportableProject(context);
  const { viewer, formErrors, t, rich } = context;
  const previousReport = await findOwnOpenReport(context.database, viewer, project.id);
  return context.render(
    <FormPage
      title={t('report.title', { project: project.title })}
      heading={rich('report.title', { project: <ProjectLink project={project} /> })}
    >
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
    </FormPage>,
  );
}

async function showReportSentPage(context: PageContext) {
  const project = await findReportableProject(context);
  const { t, rich } = context;
  return context.render(
    <FormPage title={t('report.thanks')}>
      <p>{rich('report.next', { project: <ProjectLink project={project} /> })}</p>
      <p>
        {rich('report.links', {
          change: (text) => <a href={reportPath(project)}>{text}</a>,
          home: (text) => <a href="/">{text}</a>,
        })}
      </p>
    </FormPage>,
  );
}

/** Finds the project that the URL names, and checks that the viewer may report it. */
async function findReportableProject(context: PageContext): Promise<Project> {
  const project = await findProject(context);
  authorize(context.viewer, 'report', project.contributor);
  return project;
}

export const reportRoutes = [
  page('/content/:uuid/:slug/report/', 'report', showReportPage, async (context) => {
    const project = await findReportableProject(context);
    const { data } = await context.request.readBody();
    await context.transact((write) =>
      reportProject(write, project, () => validateReport(readFields(reportFields, data))),
    );
    return seeOther(`${reportPath(project)}sent/`);
  }),
  page('/content/:uuid/:slug/report/sent/', 'report', showReportSentPage),
];
