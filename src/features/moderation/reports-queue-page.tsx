// /moderation/: the queue of reported projects and comments, each once, with a form to decide.

import { createPageUrl } from '#rest/pagination.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { requiredReasonFields } from '../../core/decisions/decision.ts';
import { moderationScript } from '../../core/pages/assets.ts';
import { DateText, Pager } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, Form, FormFields, NamedAction } from '../../core/pages/layout/form.tsx';
import { type FormErrors, useLanguage } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage } from '../../core/pages/moderation-page.tsx';
import { type PageContext, page } from '../../core/pages/page.ts';
import { published, removed, statusNames } from '../../core/project-status.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { type Card, DecisionCard, KeysSwitch, loadCards } from './card.tsx';
import { type ReportDetails, type ReportedProject, ReportQueue } from './report.ts';
import { renderLatestDecision } from './undo-page.tsx';

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
                formErrors={findOwnErrors(entry.card.project.id)}
              />
            ))}
          </ol>
          <KeysSwitch message="queue.keys" />
        </>
      )}
      <Pager {...queuePage} urlOf={pageUrl} />
    </ModerationPage>,
  );
}

/** A reported project in the queue, with what its card shows. */
interface QueueEntry {
  readonly reportedProject: ReportedProject;
  readonly card: Card;
  /** The id of the next project in the queue. */
  readonly nextProject: number | undefined;
}

async function loadQueueEntries(
  context: PageContext,
  reportedProjects: readonly ReportedProject[],
): Promise<QueueEntry[]> {
  const ids = reportedProjects.map(({ project }) => project);
  const cards = await loadCards(context, ids);
  return reportedProjects.flatMap((reportedProject, index) => {
    const card = cards.get(reportedProject.project);
    return card ? { reportedProject, card, nextProject: ids[index + 1] } : [];
  });
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
  const { t, formatNumber } = useLanguage();
  const { reportedProject, card } = entry;
  const { status } = card.project;
  const eyebrow = (
    <>
      {' · '}
      {t('queue.reported', { count: reportedProject.count })}
      {status !== published && <> · {t(`status.${statusNames[status]}`)}</>}
    </>
  );
  return (
    <DecisionCard card={card} hasFocus={hasFocus} eyebrow={eyebrow}>
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
    </DecisionCard>
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
        – <bdi>{displayName(report)}</bdi>
        {useLanguage().comma}
        <DateText instant={report.modified} />
      </span>
    </li>
  );
}

/** Browsers press the first button when Enter is pressed in a field: it is the harmless one. */
function DecisionForm({ entry, action, formErrors }: Omit<QueueCardProps, 'hasFocus'>) {
  const { t } = useLanguage();
  const { reportedProject, nextProject } = entry;
  const { project } = entry.card;
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
