// /moderation/: the queue of reported projects and comments, each once, with a form to decide.

import { type AccountDetails, loadAccounts } from '../../gallery/accounts/account.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { requiredReasonFields } from '../../gallery/decisions/decision.ts';
import type { Media } from '../../gallery/media/media.ts';
import { canDisable } from '../../gallery/moderation/accounts.ts';
import { countDecisionsAgainst } from '../../gallery/moderation/log.ts';
import { type ReportDetails, type ReportedProject, ReportQueue } from '../../gallery/moderation/report.ts';
import { projectPath } from '../../gallery/paths.ts';
import { published, removed, statusNames } from '../../gallery/project-status.ts';
import type { ProjectWithTrash } from '../../gallery/projects/reading/find.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { moderationScript } from '../assets.ts';
import { loadListPage } from '../home/listing.ts';
import { accountPath, Byline, ContributorLink, DateText, Pager } from '../layout/components.tsx';
import { ErrorSummary, Form, FormFields, NamedAction } from '../layout/form.tsx';
import { type FormErrors, useLanguage, useLayout } from '../layout/layout-data.ts';
import { type PageContext, type PageDependencies, page } from '../page.ts';
import { Cover } from '../project/files.tsx';
import { excerpt } from '../text/markdown.ts';
import { renderLatestDecision } from './decision.tsx';
import { ModerationPage } from './moderation-page.tsx';

const pageSize = 10;

async function showQueuePage(context: PageContext) {
  const { viewer, url, formErrors, t } = context;
  const queuePage = await loadListPage(new ReportQueue(context.database, viewer), url.query, pageSize);
  const entries = await loadQueueEntries(context, queuePage.items);
  const pageUrl = createPageUrl('/moderation/');
  const findOwnErrors = (id: number) => (Number(formErrors?.values.project) === id ? formErrors : undefined);
  return context.render(
    <ModerationPage path="/moderation/" scripts={[moderationScript]}>
      {await renderLatestDecision(context)}
      {!queuePage.items.some(({ project }) => findOwnErrors(project)) && (
        <ErrorSummary formErrors={formErrors} />
      )}
      {queuePage.count === 0 ? (
        <div class="empty">
          <p>{t('queue.empty')}</p>
          <p>
            <a href="/moderation/log/">{t('queue.seeLog')}</a>
          </p>
        </div>
      ) : (
        <>
          <ol class="queue" aria-label={t('queue.label')}>
            {entries.map((entry, index) => (
              <QueueCard
                entry={entry}
                hasFocus={index === 0 && !formErrors}
                action={pageUrl(queuePage.number)}
                formErrors={findOwnErrors(entry.project.id)}
              />
            ))}
          </ol>
          <KeysSwitch />
        </>
      )}
      <Pager {...queuePage} urlOf={pageUrl} />
    </ModerationPage>,
  );
}

/** A reported project in the queue, with what its card shows. */
interface QueueEntry {
  readonly reportedProject: ReportedProject;
  readonly project: ProjectWithTrash;
  readonly author: AccountDetails | undefined;
  readonly decisionCount: number;
  readonly cover: Media | undefined;
  /** The id of the next project in the queue. */
  readonly nextProject: number | undefined;
}

async function loadQueueEntries(
  { database, projects }: PageDependencies,
  reportedProjects: readonly ReportedProject[],
): Promise<QueueEntry[]> {
  const ids = reportedProjects.map(({ project }) => project);
  const projectsById = await projects.loadWithTrash(ids);
  const authors = [...projectsById.values()].map(({ contributor }) => contributor);
  const [accounts, decisionCounts, covers] = await Promise.all([
    loadAccounts(database, authors),
    countDecisionsAgainst(database, authors),
    projects.loadCovers(ids),
  ]);
  return reportedProjects.flatMap((reportedProject, index) => {
    const project = projectsById.get(reportedProject.project);
    if (!project) return [];
    const author = accounts.get(project.contributor);
    const decisionCount = decisionCounts.get(project.contributor) ?? 0;
    const cover = covers.get(project.id);
    return { reportedProject, project, author, decisionCount, cover, nextProject: ids[index + 1] };
  });
}

/** The script of the queue shows it. */
function KeysSwitch() {
  const { rich } = useLanguage();
  return (
    <p class="keys faint" hidden>
      <label>
        <input type="checkbox" /> {rich('queue.keys', { key: (name) => <kbd>{name}</kbd> })}
      </label>
    </p>
  );
}

interface QueueCardProps {
  readonly entry: QueueEntry;
  readonly hasFocus: boolean;
  /** The URL of this page of the queue. */
  readonly action: string;
  /** The errors of this card's own form. */
  readonly formErrors: FormErrors | undefined;
}

function QueueCard({ entry, hasFocus, action, formErrors }: QueueCardProps) {
  const { viewer, language } = useLayout();
  const { t, rich, formatNumber } = language;
  const { reportedProject, project, author, decisionCount, cover } = entry;
  const words = excerpt(project.text, project.title, 400);
  return (
    <li>
      <article
        class="reported"
        id={`project-${project.id}`}
        tabindex={-1}
        aria-labelledby={`title-${project.id}`}
        autofocus={hasFocus || undefined}
      >
        <p class="eyebrow">
          {t(`type.${project.content_type}`)} · {t('queue.reported', { count: reportedProject.count })}
          {project.status !== published && <> · {t(`status.${statusNames[project.status]}`)}</>}
        </p>
        <h2 id={`title-${project.id}`} dir="auto">
          {project.trashed === null ? <a href={projectPath(project)}>{project.title}</a> : project.title}
        </h2>
        <Byline
          parts={[
            rich('list.by', { name: <ContributorLink project={project} /> }),
            <DateText instant={project.created} />,
            t('queue.pastDecisions', { count: decisionCount }),
            author?.disabled && t('queue.disabled'),
          ]}
        />
        <Cover media={cover} />
        {words && (
          <p class="excerpt" dir="auto">
            {words}
          </p>
        )}
        <ul class="reasons">
          {reportedProject.reports.map((report) => (
            <ReportRow report={report} />
          ))}
        </ul>
        {reportedProject.count > reportedProject.reports.length && (
          <p class="faint">
            {t('list.more', { count: formatNumber(reportedProject.count - reportedProject.reports.length) })}
          </p>
        )}
        <DecisionForm entry={entry} action={action} formErrors={formErrors} />
        {author && author.disabled === null && canDisable(viewer, author) && (
          <p class="links">
            <a href={accountPath(author.username)}>
              {rich('queue.account', { username: <bdi>{author.username}</bdi> })}
            </a>
          </p>
        )}
      </article>
    </li>
  );
}

function ReportRow({ report }: { report: ReportDetails }) {
  return (
    <li>
      <b>{useLanguage().t(`api.reason.${report.reason}`)}</b>
      {report.words && (
        <>
          : <span class="report-text">{report.words}</span>
        </>
      )}{' '}
      <span class="byline">
        – <bdi>{displayName(report)}</bdi>, <DateText instant={report.modified} />
      </span>
    </li>
  );
}

/** Browsers press the first button when Enter is pressed in a field: it is the harmless one. */
function DecisionForm({ entry, action, formErrors }: Omit<QueueCardProps, 'hasFocus'>) {
  const { t } = useLanguage();
  const { reportedProject, project, nextProject } = entry;
  const prefix = `d${project.id}`;
  return (
    <Form class="decision-form" action={action}>
      <ErrorSummary formErrors={formErrors} fields={requiredReasonFields} prefix={prefix} />
      <input type="hidden" name="project" value={String(project.id)} />
      <input type="hidden" name="seen" value={String(reportedProject.last)} />
      {nextProject !== undefined && <input type="hidden" name="next" value={String(nextProject)} />}
      <button class="quiet" type="submit" name="decision" value="leave">
        <NamedAction action={t('moderation.leave')} name={project.title} />
      </button>
      {project.trashed === null && project.status !== removed && (
        <>
          <FormFields
            fields={{ reason: { ...requiredReasonFields.reason, required: false } }}
            formErrors={formErrors}
            prefix={prefix}
          />
          <button class="danger" type="submit" name="decision" value="remove">
            <NamedAction action={t('queue.remove')} name={project.title} />
          </button>
        </>
      )}
      {project.trashed !== null && <p class="faint">{t('queue.trashed')}</p>}
    </Form>
  );
}

export const queueRoutes = [page('/moderation/', 'seeReports', showQueuePage)];
