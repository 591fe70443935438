// /moderation/: the queue of reported projects and comments, each once, with a form to decide.

import { type AccountDetails, loadAccounts } from '../../gallery/accounts/account.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { canDisable } from '../../gallery/moderation/accounts.ts';
import { requiredReasonFields } from '../../gallery/moderation/decision.ts';
import { countDecisionsAgainst } from '../../gallery/moderation/log.ts';
import { reportReasonLabels } from '../../gallery/moderation/report.ts';
import { type ReportDetails, type ReportedProject, ReportQueue } from '../../gallery/moderation/reports.ts';
import { projectPath } from '../../gallery/paths.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import type { ProjectWithTrash } from '../../gallery/projects/find.ts';
import { published, removed, statusNames } from '../../gallery/projects/status.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { Pager } from '../../rest/renderers/pager.tsx';
import { moderationScript } from '../assets.ts';
import { DateText } from '../dates.tsx';
import { CsrfField, ErrorSummary, FormFields } from '../form.tsx';
import { ContributorLink } from '../links.tsx';
import { loadListPage } from '../listing.ts';
import { excerpt } from '../markdown.ts';
import type { FormErrors, PageContext, PageDependencies } from '../page-context.ts';
import { renderLatestDecision } from './decision.tsx';
import { renderModerationPage } from './moderation-page.tsx';

const pageSize = 10;

export async function showQueuePage(deps: PageDependencies, context: PageContext) {
  const { database, projects } = deps;
  const { url, formErrors } = context;
  authorizeAny(context.viewer, 'seeReports');
  const queuePage = await loadListPage(new ReportQueue(database, context.viewer), url.query, pageSize);
  const projectsById = await projects.loadWithTrash(queuePage.items.map(({ project }) => project));
  const authors = [...projectsById.values()].map(({ contributor }) => contributor);
  const [accounts, decisionCounts] = await Promise.all([
    loadAccounts(database, authors),
    countDecisionsAgainst(database, authors),
  ]);
  const ids = queuePage.items.map(({ project }) => project);
  const pageUrl = createPageUrl('/moderation/');
  return renderModerationPage(context, {
    path: '/moderation/',
    scripts: [moderationScript],
    children: (
      <>
        {await renderLatestDecision(deps, context)}
        {formErrors && !ids.includes(Number(formErrors.values.project)) && (
          <ErrorSummary formErrors={formErrors} />
        )}
        {queuePage.count === 0 ? (
          <div class="empty">
            <p>Nothing is reported that nobody has decided on.</p>
            <p>
              <a href="/moderation/log/">What was decided</a>
            </p>
          </div>
        ) : (
          <ol class="queue" aria-label="What was reported">
            {queuePage.items.map((reportedProject, index) => {
              const project = projectsById.get(reportedProject.project);
              return (
                project && (
                  <ReportedProjectCard
                    reportedProject={reportedProject}
                    project={project}
                    author={accounts.get(project.contributor)}
                    decisionCount={decisionCounts.get(project.contributor) ?? 0}
                    nextProject={ids[index + 1]}
                    isFirst={index === 0}
                    context={context}
                    action={pageUrl(queuePage.number)}
                    timeZone={deps.timeZone}
                  />
                )
              );
            })}
          </ol>
        )}
        <Pager {...queuePage} urlOf={pageUrl} />
      </>
    ),
  });
}

interface ReportedProjectCardProps {
  readonly reportedProject: ReportedProject;
  readonly project: ProjectWithTrash;
  readonly author: AccountDetails | undefined;
  readonly decisionCount: number;
  /** The id of the next project in the queue. */
  readonly nextProject: number | undefined;
  readonly isFirst: boolean;
  readonly context: PageContext;
  /** The URL of this page of the queue. */
  readonly action: string;
  readonly timeZone: string;
}

function ReportedProjectCard({
  reportedProject,
  project,
  author,
  decisionCount,
  nextProject,
  isFirst,
  context,
  action,
  timeZone,
}: ReportedProjectCardProps) {
  const { layout, viewer, formErrors } = context;
  const words = excerpt(project.text, project.title, 400);
  const times = reportedProject.count === 1 ? 'once' : `${reportedProject.count} times`;
  const ownErrors = formErrors && Number(formErrors.values.project) === project.id ? formErrors : undefined;
  return (
    <li>
      <article
        class="card reported"
        id={`thing-${project.id}`}
        tabindex={-1}
        aria-labelledby={`title-${project.id}`}
        autofocus={isFirst && !formErrors ? true : undefined}
      >
        <p class="eyebrow">
          {project.content_type} · reported {times}
          {project.status !== published && <> · {statusNames[project.status]}</>}
        </p>
        <h2 id={`title-${project.id}`} dir="auto">
          {project.trashed === null ? <a href={projectPath(project)}>{project.title}</a> : project.title}
        </h2>
        <p class="byline">
          by <ContributorLink project={project} />
          {' · '}
          <DateText instant={project.created} timeZone={timeZone} />
          {' · '}
          {decisionCount === 0 ? 'never decided against' : `decided against ${decisionCount} before`}
          {author?.disabled && ' · the account is disabled'}
        </p>
        {words && (
          <p class="excerpt" dir="auto">
            {words}
          </p>
        )}
        <ul class="reasons">
          {reportedProject.reports.map((report) => (
            <ReportRow report={report} timeZone={timeZone} />
          ))}
        </ul>
        {reportedProject.count > reportedProject.reports.length && (
          <p class="faint">And {reportedProject.count - reportedProject.reports.length} more.</p>
        )}
        <DecisionForm
          reportedProject={reportedProject}
          project={project}
          nextProject={nextProject}
          action={action}
          csrfToken={layout.csrfToken}
          formErrors={ownErrors}
        />
        {author && author.disabled === null && canDisable(viewer, author) && (
          <p class="links">
            <a href={`/moderation/people/?${new URLSearchParams({ username: author.username })}`}>
              Look at the account of <bdi>{author.username}</bdi>, to disable it
            </a>
          </p>
        )}
      </article>
    </li>
  );
}

function ReportRow({ report, timeZone }: { report: ReportDetails; timeZone: string }) {
  return (
    <li>
      <b>{reportReasonLabels[report.reason]}</b>
      {report.words && (
        <>
          : <span class="report-text">{report.words}</span>
        </>
      )}{' '}
      <span class="byline">
        – <bdi>{displayName(report)}</bdi>, <DateText instant={report.modified} timeZone={timeZone} />
      </span>
    </li>
  );
}

interface DecisionFormProps {
  readonly reportedProject: ReportedProject;
  readonly project: ProjectWithTrash;
  readonly nextProject: number | undefined;
  readonly action: string;
  readonly csrfToken: string | undefined;
  readonly formErrors: FormErrors | undefined;
}

/** Browsers press the first button when Enter is pressed in a field: it is the harmless one. */
function DecisionForm({
  reportedProject,
  project,
  nextProject,
  action,
  csrfToken,
  formErrors,
}: DecisionFormProps) {
  const prefix = `d${project.id}`;
  return (
    <form class="decision-form" method="post" action={action}>
      <ErrorSummary formErrors={formErrors} fields={requiredReasonFields} prefix={prefix} />
      <CsrfField csrfToken={csrfToken} />
      <input type="hidden" name="project" value={String(project.id)} />
      <input type="hidden" name="seen" value={String(reportedProject.last)} />
      {nextProject !== undefined && <input type="hidden" name="next" value={String(nextProject)} />}
      <button class="quiet" type="submit" name="decision" value="leave">
        Leave it<span class="visually-hidden"> {project.title}</span>
      </button>
      {project.trashed === null && project.status !== removed && (
        <>
          <FormFields
            fields={{ reason: { ...requiredReasonFields.reason, required: false } }}
            formErrors={formErrors}
            prefix={prefix}
          />
          <button class="danger" type="submit" name="decision" value="remove">
            Remove it<span class="visually-hidden"> {project.title}</span>
          </button>
        </>
      )}
      {project.trashed !== null && (
        <p class="faint">Whoever made it has taken it away: it lies in the trash.</p>
      )}
    </form>
  );
}
