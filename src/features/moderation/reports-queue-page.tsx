// /moderation/: the queue of reported projects and comments, each once, with a form to decide; by `reason` and `reporter`.

import { NotFound } from '#common/errors.ts';
import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { requireId } from '../../core/ids.ts';
import { now } from '../../core/instant.ts';
import { moderationScript } from '../../core/pages/assets.ts';
import { DateText, LinkItem, LinkTabs, Notice, Pager } from '../../core/pages/layout/components.tsx';
import { ButtonForm, ErrorSummary, Form, FormFields, NamedAction } from '../../core/pages/layout/form.tsx';
import { type FormErrors, useLanguage } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage } from '../../core/pages/moderation-page.tsx';
import { type PageContext, page } from '../../core/pages/page.ts';
import { published, removed, statusNames } from '../../core/project-status.ts';
import { type ListPage, loadListPage } from '../../projects/pages/list/list-query.ts';
import { type Card, DecisionCard, KeysSwitch, loadCards } from './card.tsx';
import {
  countReasons,
  type ReportDetails,
  type ReportedProject,
  ReportQueue,
  type ReportReason,
  reportReasons,
} from './report.ts';
import { renderLatestDecision } from './undo-page.tsx';
import { getRemovalFields } from './usual-reasons.ts';

const path = '/moderation/';
const pageSize = 10;

async function showQueuePage(context: PageContext) {
  const { database, viewer, url, formErrors, t, rich } = context;
  const filter = readFilter(url.query);
  const [queuePage, reasons] = await Promise.all([
    loadListPage(new ReportQueue(database, viewer, filter), url.query, pageSize),
    countReasons(database, viewer),
  ]);
  const entries = await loadQueueEntries(context, queuePage.items);
  const pageUrl = createPageUrl(path, filter.query);
  const hasNotice = url.query.has('left') || filter.reporter !== undefined;
  const findOwnErrors = (id: number) => (Number(formErrors?.values.project) === id ? formErrors : undefined);
  return context.render(
    <ModerationPage path={path} scripts={[moderationScript]}>
      {await renderLatestDecision(context)}
      {url.query.has('left') && <Notice>{rich('queue.left', { link: linkToLog })}</Notice>}
      <ReasonFilter reasons={reasons} reason={filter.reason} />
      {filter.reporter !== undefined && <OfReporter reporter={filter.reporter} reported={queuePage} />}
      {!queuePage.items.some(({ project }) => findOwnErrors(project)) && (
        <ErrorSummary formErrors={formErrors} />
      )}
      {queuePage.count === 0 ? (
        <div class="empty">
          <p>{t('queue.empty')}</p>
          <p>{linkToLog(t('queue.seeLog'))}</p>
        </div>
      ) : (
        <>
          <ol class="queue" aria-label={t('queue.label')}>
            {entries.map((entry, index) => (
              <QueueCard
                entry={entry}
                hasFocus={index === 0 && !formErrors && !hasNotice}
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

const linkToLog = (text: Child) => <a href="/moderation/log/">{text}</a>;

function readFilter(sent: URLSearchParams) {
  const asked = sent.get('reason') ?? undefined;
  const reason = reportReasons.find((name) => name === asked);
  if (reason !== asked) throw new NotFound();
  const reporter = sent.has('reporter') ? requireId(sent.get('reporter')) : undefined;
  const query = new URLSearchParams({
    ...(reason && { reason }),
    ...(reporter !== undefined && { reporter: String(reporter) }),
  });
  return { reason, reporter, query };
}

interface ReasonFilterProps {
  readonly reasons: Awaited<ReturnType<typeof countReasons>>;
  readonly reason: ReportReason | undefined;
}

function ReasonFilter({ reasons, reason }: ReasonFilterProps) {
  const { t, formatNumber } = useLanguage();
  if (reasons.length < 2 && !reason) return null;
  const countOf = (name: ReportReason) => reasons.find((row) => row.reason === name)?.count ?? 0;
  return (
    <LinkTabs label={t('queue.reasons')}>
      <LinkItem href={path} current={!reason && 'true'}>
        {t('home.everything')}
      </LinkItem>
      {reportReasons
        .filter((name) => countOf(name) > 0 || name === reason)
        .map((name) => (
          <LinkItem href={`${path}?reason=${name}`} current={name === reason && 'true'}>
            {t(`api.reason.${name}`)} <small>{formatNumber(countOf(name))}</small>
          </LinkItem>
        ))}
    </LinkTabs>
  );
}

interface OfReporterProps {
  readonly reporter: number;
  readonly reported: ListPage<ReportedProject>;
}

/** Somebody may report whatever they see. */
function OfReporter({ reporter, reported }: OfReporterProps) {
  const { t, rich, formatNumber } = useLanguage();
  const own = reported.items
    .flatMap(({ reports }) => reports)
    .filter(({ contributor }) => contributor === reporter);
  const [report] = own;
  return (
    <div class="notice row">
      <p>
        {report &&
          rich('queue.ofReporter', {
            name: <bdi>{displayName(report)}</bdi>,
            count: formatNumber(reported.count),
          })}{' '}
        <a href={path}>{t('queue.seeAll')}</a>
      </p>
      {report && (
        <ButtonForm action={`${path}reporters/${reporter}/leave/`} variant="quiet" values={{ seen: now() }}>
          {t('queue.leaveAll')}
        </ButtonForm>
      )}
    </div>
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
        –{' '}
        <a href={`${path}?reporter=${report.contributor}`}>
          <bdi>{displayName(report)}</bdi>
        </a>
        {useLanguage().comma}
        <DateText instant={report.modified} isAgo />
      </span>
    </li>
  );
}

/** Browsers press the first button when Enter is pressed in a field: it is the harmless one. */
function DecisionForm({ entry, action, formErrors }: Omit<QueueCardProps, 'hasFocus'>) {
  const language = useLanguage();
  const { t } = language;
  const fields = getRemovalFields(language);
  const { reportedProject, nextProject } = entry;
  const { project } = entry.card;
  const prefix = `d${project.id}`;
  return (
    <Form class="decision-form" action={action}>
      <ErrorSummary formErrors={formErrors} fields={fields} prefix={prefix} />
      <input type="hidden" name="project" value={String(project.id)} />
      <input type="hidden" name="seen" value={String(reportedProject.last)} />
      {nextProject !== undefined && <input type="hidden" name="next" value={String(nextProject)} />}
      <button class="quiet" type="submit" name="decision" value="leave">
        <NamedAction action={t('moderation.leave')} name={project.title} />
      </button>
      {project.trashed === null && project.status !== removed && (
        <>
          <FormFields fields={fields} formErrors={formErrors} prefix={prefix} />
          <button class="danger" type="submit" name="decision" value="remove">
            <NamedAction action={t('queue.remove')} name={project.title} />
          </button>
        </>
      )}
      {project.trashed !== null && <p class="faint">{t('queue.trashed')}</p>}
    </Form>
  );
}

export const queueRoutes = [page(path, 'seeReports', showQueuePage)];
