// /content/<uuid>/<slug>/history/: the versions of a project, each with its differences from the one before.

import { NotFound } from '#common/errors.ts';
import { choiceField } from '#rest/fields.ts';
import { describeAction } from '../../core/changes/change-kinds.ts';
import { requireId } from '../../core/ids.ts';
import { compareTexts } from '../../core/markdown/rendering.ts';
import type { ComparedTexts, DiffPart } from '../../core/markdown/text-diff.ts';
import { ContributorLink, DateText } from '../../core/pages/layout/components.tsx';
import { Form } from '../../core/pages/layout/form.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { anyone, form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { historyPath } from '../../core/paths.ts';
import { statusNames } from '../../core/project-status.ts';
import type { MessageKey } from '../../core/texts/languages.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { can } from '../../core/viewer/permissions.ts';
import { isAnonymous } from '../../core/viewer/viewer.ts';
import {
  canSeeHistory,
  comparedMembers,
  hasSameContent,
  loadVersions,
  mayRestore,
  seesWholeHistory,
  type Version,
  type VersionContent,
} from '../../projects/history/history.ts';
import { redactVersion } from '../../projects/history/redact.ts';
import { createProjectPage, findEditableProject } from '../../projects/pages/project/find-project.ts';
import { projectStylesheet } from '../../projects/pages/project-assets.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { formatTags, parseTags } from '../../projects/tags.ts';
import { changeProject } from '../../projects/writing/change-project.ts';
import { canChange } from '../../projects/writing/changeable.ts';

const pageSize = 20;

async function renderHistoryPage(context: PageContext, project: Project) {
  const { database, origin, viewer, layout, url, t, rich } = context;
  if (!canSeeHistory(viewer, project)) throw new NotFound();
  const before = url.query.get('before');
  const limit = before === null ? Number.MAX_SAFE_INTEGER : requireId(before);
  // One version more than fits on the page: the last one is compared with it.
  const versions = await loadVersions(database, viewer, project, limit, pageSize + 1);
  const changes = await loadVersionChanges(versions, pageSize, seesWholeHistory(viewer, project));
  const path = historyPath(project);
  const canEdit = canChange(viewer, project);
  const isTheirs = can(viewer, 'changeProject', project.contributor);
  const isMaker = project.contributor === viewer.contributor;
  const { language } = layout;
  return context.render(
    <Page
      title={t('history.title', { project: project.title })}
      canonical={`${origin}${path}`}
      isPublic={isAnonymous(viewer)}
      isIndexed={false}
      stylesheets={[projectStylesheet]}
    >
      <div class="history">
        <h1>{rich('history.title', { project: <ProjectLink project={project} /> })}</h1>
        {canEdit && isTheirs && (isMaker || project.history === 'public') && (
          <HistoryVisibility project={project} />
        )}
        {changes.length === 0 ? (
          <p class="empty">{t('history.empty')}</p>
        ) : (
          <ol class="versions">
            {changes.map((change, index) => (
              <li>
                <h2>
                  <DateText instant={change.version.at} />: {describeVersion(language, change)}
                </h2>
                <ChangeAuthor project={project} version={change.version} />
                {change.differences.map((difference) => (
                  <TextDifference {...difference} />
                ))}
                {canEdit && change.version.content && (index > 0 || before !== null) && (
                  <>
                    {mayRestore(viewer, project, change.version.content) && (
                      <p>
                        <a href={`${path}${change.version.sequence}/restore/`}>{t('history.restore')}</a>
                      </p>
                    )}
                    {isTheirs && <RedactForm path={path} version={change.version} />}
                  </>
                )}
              </li>
            ))}
          </ol>
        )}
        {versions.length > pageSize && (
          <p class="more">
            <a href={`${path}?before=${versions[pageSize - 1]?.sequence}`}>{t('history.older')}</a>
          </p>
        )}
      </div>
    </Page>,
  );
}

function HistoryVisibility({ project: { history, ...project } }: { project: Project }) {
  const { t } = useLanguage();
  const isPublic = history === 'public';
  return (
    <Form class="notice" action={historyPath(project)}>
      <p>{t(isPublic ? 'history.isPublic' : 'history.isPrivate')}</p>
      <button class="quiet" type="submit" name="history" value={isPublic ? 'private' : 'public'}>
        {t(isPublic ? 'history.makePrivate' : 'history.makePublic')}
      </button>
    </Form>
  );
}

function RedactForm({ path, version: { sequence } }: { path: string; version: Version }) {
  const { t } = useLanguage();
  return (
    <details class="redact">
      <summary>{t('history.redact')}</summary>
      <Form action={`${path}${sequence}/redact/`}>
        <p>{t('history.redactHelp')}</p>
        <button class="danger" type="submit">
          {t('history.redactVersion')}
        </button>
      </Form>
    </details>
  );
}

function describeVersion(
  language: Translator,
  { version: { action, content }, before }: VersionChange,
): string {
  const { t } = language;
  if (!content) return t('history.redacted');
  const { description, beginning } = describeAction('project', action);
  if (description) return language.translate(description);
  if (!before) return beginning ? language.translate(beginning) : t('history.oldest');
  if (!before.content) return t('history.changed');
  const previous = before.content;
  const changed = comparedMembers.filter(
    (name) => String(content[name] ?? '') !== String(previous[name] ?? ''),
  );
  const changes = [
    ...(changed.length > 0
      ? [
          t('history.changedMembers', {
            members: changed.map((name) => t(`history.member.${name}`)).join(language.comma),
          }),
        ]
      : []),
    ...(content.visibility === previous.visibility ? [] : [t(`history.now.${content.visibility}`)]),
    ...(content.status === previous.status ? [] : [t(`history.now.${statusNames[content.status]}`)]),
  ];
  return changes.join(language.comma);
}

function ChangeAuthor({ project, version }: { project: Project; version: Version }) {
  const { viewer, language } = useLayout();
  const { t, rich } = language;
  if (version.action === 'imported') return null;
  if (version.actor === project.contributor)
    return <p class="byline">{rich('history.by', { name: <ContributorLink project={project} /> })}</p>;
  return (
    <p class="byline">
      {t(version.actor === null ? 'history.byOperator' : 'history.byModerator')}
      {viewer.isModerator && version.actor !== null && ` (${version.actor})`}
    </p>
  );
}

const historyField = choiceField('History', { private: 'private', public: 'public' }, { required: true });

/** A difference between two texts, with insertions and deletions marked. */
export function TextDifference({ label, parts }: Difference) {
  const { t } = useLanguage();
  if (!parts) return <p class="faint">{t('history.tooDifferent')}</p>;
  const shown = parts.map(({ kind, text }) => {
    if (kind === 'added') return <ins>{text}</ins>;
    return kind === 'removed' ? <del>{text}</del> : text;
  });
  if (label === undefined)
    return (
      <pre class="diff" dir="auto">
        {shown}
      </pre>
    );
  return (
    <p class="diff" dir="auto">
      <b>{t(label)}:</b> {shown}
    </p>
  );
}

// The changes from version to version that the history page shows.

/** The difference of one member between two versions. */
interface Difference {
  /** Undefined for the text. */
  readonly label: MessageKey | undefined;
  /** Undefined if the texts have too little in common. */
  readonly parts: readonly DiffPart[] | undefined;
}

interface VersionChange {
  readonly version: Version;
  /** Undefined for the oldest version. */
  readonly before: Version | undefined;
  /** Empty if one of the versions was redacted. */
  readonly differences: readonly Difference[];
}

const comparedFields: readonly {
  readonly label: MessageKey | undefined;
  readonly unit: ComparedTexts['unit'];
  format(version: VersionContent): string;
}[] = [
  { label: 'history.label.title', unit: 'word', format: ({ title }) => title },
  { label: 'history.label.link', unit: 'word', format: ({ link = '' }) => link },
  { label: 'history.label.tags', unit: 'word', format: ({ tags }) => formatTags(tags) },
  { label: undefined, unit: 'line', format: ({ text }) => text },
];

/** Versions are newest first, and there is one more than `count` if there are older ones. */
async function loadVersionChanges(
  versions: readonly Version[],
  count: number,
  includesStatus: boolean,
): Promise<VersionChange[]> {
  const changes = versions
    .map((version, index) => ({ version, before: versions[index + 1] }))
    .slice(0, count)
    .filter(({ version, before }) => isShown(version, before, includesStatus));
  const comparisons = changes.map(({ version, before }) => compareVersions(version, before));
  const compared = (await compareTexts(comparisons.flat())).values();
  return changes.map((change, index) => ({
    ...change,
    differences: (comparisons[index] ?? []).map(({ label }) => ({ label, parts: compared.next().value })),
  }));
}

function isShown(version: Version, before: Version | undefined, includesStatus: boolean): boolean {
  const [content, previous] = [version.content, before?.content];
  if (!content) return before === undefined || previous !== undefined;
  if (!previous || !hasSameContent(content, previous)) return true;
  return includesStatus && (content.status !== previous.status || content.visibility !== previous.visibility);
}

const compareVersions = ({ content }: Version, before: Version | undefined) =>
  content && before?.content ? compareContents(before.content, content) : [];

export function toContent(project: Project): VersionContent {
  const { link, ...members } = project;
  return { ...members, tags: parseTags(project), ...(link !== null && { link }) };
}

export const compareContents = (
  previous: VersionContent,
  content: VersionContent,
): (ComparedTexts & Pick<Difference, 'label'>)[] =>
  comparedFields
    .map(({ label, unit, format }) => ({ label, unit, before: format(previous), after: format(content) }))
    .filter(({ before, after }) => before !== after);

const showHistoryPage = createProjectPage(historyPath, renderHistoryPage);

export const historyRoutes = [
  page('/content/:uuid/:slug/history/', anyone, showHistoryPage, async (context) => {
    const project = await findEditableProject(context);
    const values = await context.readForm({ history: historyField });
    await context.transact((write) => changeProject(write, project.id, () => values));
    return seeOther(historyPath(project));
  }),
  form('/content/:uuid/:slug/history/:sequence/redact/', anyone, async (context) => {
    const project = await findEditableProject(context);
    const sequence = requireId(context.params.sequence);
    await context.transact((write) => redactVersion(context.database, write, project.id, sequence));
    return seeOther(historyPath(project));
  }),
];
