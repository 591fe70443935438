// /moderation/waiting/: what waits until a moderator has looked at it, with a form to approve it or to return it.

import { readFields, toText } from '#rest/fields.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { parseId, requireId } from '../../core/ids.ts';
import { moderationScript } from '../../core/pages/assets.ts';
import { Byline, DateTimeText, Pager } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, Form, FormFields, NamedAction } from '../../core/pages/layout/form.tsx';
import { type FormErrors, type LinkCounts, useLanguage } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage, showConflictOnPage } from '../../core/pages/moderation-page.tsx';
import { form, type PageContext, page, type Sections, seeOther } from '../../core/pages/page.ts';
import { waiting } from '../../core/project-status.ts';
import type { Translator } from '../../core/texts/translator.ts';
import type { Media } from '../../projects/media/media.ts';
import { type ListPage, loadListPage } from '../../projects/pages/list/list-query.ts';
import { Cover } from '../../projects/pages/project/shown-files.tsx';
import { parseTags } from '../../projects/tags.ts';
import { findWaitingNotes, type WaitingNote } from '../../projects/writing/waiting-notes.ts';
import { type Card, DecisionCard, KeysSwitch, loadCards } from '../moderation/card.tsx';
import { renderLatestDecision } from '../moderation/undo-page.tsx';
import { getReasonFields, readReason } from '../moderation/usual-reasons.ts';
import { countWaiting, listWaiting, reviewFields, reviewProject } from './review.ts';

const path = '/moderation/waiting/';
const pageSize = 10;

const getReasons = ({ t }: Translator) => ({
  names: t('waiting.because.names'),
  unkind: t('waiting.because.unkind'),
  source: t('waiting.because.source'),
  unfinished: t('waiting.because.unfinished'),
});

const getReturnFields = (language: Translator) =>
  getReasonFields(
    language,
    language.t('waiting.because'),
    language.t('api.returnReason'),
    getReasons(language),
  );

async function showWaitingPage(context: PageContext) {
  const { database, viewer, url } = context;
  const list = await loadListPage(listWaiting(database, viewer), url.query, pageSize);
  return context.render(
    <ModerationPage path={path} scripts={[moderationScript]}>
      {await renderLatestDecision(context)}
      {await renderWaiting(context, list, createPageUrl(path))}
    </ModerationPage>,
  );
}

type WaitingPage = ListPage<Awaited<ReturnType<ReturnType<typeof listWaiting>['page']>>[number]>;

/** The works, each with a form. */
export async function renderWaiting(
  context: PageContext,
  list: WaitingPage,
  pageUrl: (number: number) => string,
) {
  const { formErrors, t } = context;
  const ids = list.items.map(({ id }) => id);
  const [cards, files] = await Promise.all([loadCards(context, ids), context.projects.loadMedia(ids)]);
  const notes = new Map<number, readonly WaitingNote[]>();
  for (const { project } of cards.values()) {
    const found = await findWaitingNotes(project)?.list(context.database, context.viewer, project);
    if (found) notes.set(project.id, found);
  }
  const wrong = Number(formErrors?.values.project);
  return (
    <>
      {!ids.includes(wrong) && <ErrorSummary formErrors={formErrors} />}
      {list.count === 0 ? (
        <p class="empty">{t('waiting.empty')}</p>
      ) : (
        <>
          <ol class="queue" aria-label={t('waiting.label')}>
            {list.items.map(({ id, record_modified }, index) => (
              <WaitingCard
                card={cards.get(id)}
                files={files.get(id) ?? []}
                notes={notes.get(id) ?? []}
                seen={record_modified}
                next={ids[index + 1]}
                hasFocus={index === 0 && !formErrors}
                action={pageUrl(list.number)}
                formErrors={id === wrong ? formErrors : undefined}
              />
            ))}
          </ol>
          <KeysSwitch message="waiting.keys" />
        </>
      )}
      <Pager {...list} urlOf={pageUrl} />
    </>
  );
}

interface WaitingCardProps {
  /** Undefined if it was deleted for good meanwhile. */
  readonly card: Card | undefined;
  readonly files: readonly Media[];
  /** Of others. */
  readonly notes: readonly WaitingNote[];
  readonly seen: number;
  readonly next: number | undefined;
  readonly hasFocus: boolean;
  readonly action: string;
  readonly formErrors: FormErrors | undefined;
}

/** All that will be public: nobody approves what they have not seen. */
function WaitingCard({ card, files, notes, seen, next, hasFocus, action, formErrors }: WaitingCardProps) {
  const language = useLanguage();
  const { t, rich } = language;
  if (!card) return null;
  const { id, title, link, publish_at } = card.project;
  const tags = parseTags(card.project);
  const prefix = `w${id}`;
  const fields = getReturnFields(language);
  return (
    <DecisionCard card={card} hasFocus={hasFocus} isWhole>
      {files.length > 0 && (
        <ul class="waiting-parts" aria-label={t('files.file')}>
          {files.map((file) => (
            <li>
              {file.type.startsWith('image/') && <Cover media={file} />}
              <bdi>{file.name}</bdi>
              {file.alt && <p dir="auto">{file.alt}</p>}
            </li>
          ))}
        </ul>
      )}
      {notes.length > 0 && (
        <ul class="waiting-parts" aria-label={t('waiting.notes')}>
          {notes.map(({ note, username }) => (
            <li>
              <p dir="auto">{note}</p>
              <Byline parts={[rich('list.by', { name: <bdi>{username}</bdi> })]} />
            </li>
          ))}
        </ul>
      )}
      {link !== null && (
        <p class="faint">
          {t('waiting.link')}: <bdi>{link}</bdi>
        </p>
      )}
      {tags.length > 0 && (
        <p class="faint">
          {t('layout.tags')}: <bdi>{tags.join(', ')}</bdi>
        </p>
      )}
      {publish_at !== null && (
        <p class="faint">{rich('project.publishesAt', { date: <DateTimeText instant={publish_at} /> })}</p>
      )}
      <Form class="decision-form" action={action}>
        <ErrorSummary formErrors={formErrors} fields={fields} prefix={prefix} />
        <input type="hidden" name="project" value={String(id)} />
        <input type="hidden" name="seen" value={String(seen)} />
        {next !== undefined && <input type="hidden" name="next" value={String(next)} />}
        <button type="submit" name="decision" value="approve">
          <NamedAction action={t('waiting.approve')} name={title} />
        </button>
        <FormFields fields={fields} formErrors={formErrors} prefix={prefix} />
        <button class="quiet" type="submit" name="decision" value="return">
          <NamedAction action={t('waiting.return')} name={title} />
        </button>
      </Form>
    </DecisionCard>
  );
}

// Leads to the next one that waits.
export async function submitReview(context: PageContext, from: string = path) {
  const { data } = await context.request.readBody();
  const [project, next] = [requireId(data.project), parseId(toText(data.next))];
  const { decision } = readFields({ decision: reviewFields.decision }, data);
  const { language } = context.layout;
  const reason =
    decision === 'return' ? readReason(getReturnFields(language), getReasons(language), data) : undefined;
  const review = { decision, reason, seen: requireId(data.seen) };
  const { id } = await showConflictOnPage(async () => {
    return (await context.transact((write) => reviewProject(write, project, review))).decision;
  });
  const href = urlWithParameters(from, context.url.query, { done: String(id) });
  return seeOther(next === undefined ? href : `${href}#project-${next}`);
}

export const sections: Sections = {
  'moderation.links': async ({ t }, { id, status }) =>
    status === waiting ? <a href={`${path}#project-${id}`}>{t('moderatorLinks.review')}</a> : undefined,
};

export const counts: LinkCounts = { [path]: { permission: 'seeReports', count: countWaiting } };

export const routes = [
  page(path, 'seeReports', showWaitingPage),
  form(path, 'review', (context) => submitReview(context)),
];
