// /content/<uuid>/<slug>/history/: the versions of a project, each with its differences from the one before.

import { describeAction } from '../gallery/changes/kinds.ts';
import { historyPath } from '../gallery/paths.ts';
import { can } from '../gallery/permissions.ts';
import { loadVersions, type Version, type VersionContent } from '../gallery/projects/history.ts';
import type { Project } from '../gallery/projects/project.ts';
import { statusNames } from '../gallery/projects/status.ts';
import { formatTags } from '../gallery/projects/tags.ts';
import { DateText } from './dates.tsx';
import { createProjectPage } from './find-project.ts';
import { renderPage } from './layout.tsx';
import { ContributorLink, ProjectLink } from './links.tsx';
import type { PageContext, PageDependencies } from './page-context.ts';
import type { ComparedTexts, DiffPart } from './text-diff.ts';
import { compareTexts } from './text-rendering.ts';

/** Changes of these are shown to everybody, other changes only to viewers who may change the project. */
const publicFields = ['title', 'link', 'tags', 'text'] as const;

export const showHistoryPage = createProjectPage(historyPath, renderHistoryPage);

interface VersionChange {
  readonly version: Version;
  /** Undefined for the oldest version. */
  readonly before: Version | undefined;
}

async function renderHistoryPage(
  { database }: PageDependencies,
  { origin, viewer, layout }: PageContext,
  project: Project,
) {
  const versions = await loadVersions(database, viewer, project);
  const changes = versions
    .map((version, index) => ({ version, before: versions[index + 1] }))
    .filter(
      ({ version, before }) =>
        !before || isChanged(version, before, can(viewer, 'changeProject', project.contributor)),
    );
  const differences = await loadDifferences(changes);
  return renderPage(layout, {
    title: `The history of ${project.title}`,
    canonical: `${origin}${historyPath(project)}`,
    isIndexed: false,
    children: (
      <div class="history">
        <p class="eyebrow">history</p>
        <h1>
          The history of <ProjectLink project={project} />
        </h1>
        {changes.length === 0 ? (
          <p class="empty">It came here as it is, and has not been changed.</p>
        ) : (
          <ol class="versions">
            {changes.map(({ version, before }, index) => (
              <li>
                <h2>
                  <DateText instant={version.at} />: {describeVersion(version, before)}
                </h2>
                <ChangeAuthor project={project} version={version} showsModerator={viewer.isModerator} />
                {differences[index]?.map((difference) => (
                  <DifferenceView difference={difference} />
                ))}
              </li>
            ))}
          </ol>
        )}
      </div>
    ),
  });
}

function isChanged(version: VersionContent, before: VersionContent, includesStatus: boolean): boolean {
  return (
    publicFields.some((name) => String(version[name] ?? '') !== String(before[name] ?? '')) ||
    (includesStatus && (version.status !== before.status || version.visibility !== before.visibility))
  );
}

function describeVersion({ action, ...version }: Version, before: Version | undefined): string {
  const { description, beginning = 'as far back as is told' } = describeAction('project', action);
  if (description) return description;
  if (!before) return beginning;
  const changes = [
    ...publicFields.filter((name) => String(version[name] ?? '') !== String(before[name] ?? '')),
    ...(version.visibility === before.visibility ? [] : [`now ${version.visibility}`]),
    ...(version.status === before.status ? [] : [`now ${statusNames[version.status]}`]),
  ];
  return changes.join(', ');
}

function ChangeAuthor({
  project,
  version,
  showsModerator,
}: {
  project: Project;
  version: Version;
  showsModerator: boolean;
}) {
  if (version.actor === project.contributor)
    return (
      <p class="byline">
        by <ContributorLink project={project} />
      </p>
    );
  return (
    <p class="byline">
      {version.actor === null ? 'by the operator' : 'by a moderator'}
      {showsModerator && version.actor !== null && ` (${version.actor})`}
    </p>
  );
}

/** A member of the project that a version changed. */
interface Difference {
  readonly label: string | undefined;
  /** Undefined if the texts have too little in common. */
  readonly parts: readonly DiffPart[] | undefined;
}

const comparedFields: readonly {
  readonly label: string | undefined;
  readonly unit: ComparedTexts['unit'];
  format(version: VersionContent): string;
}[] = [
  { label: 'Title', unit: 'word', format: ({ title }) => title },
  { label: 'Link', unit: 'word', format: ({ link = '' }) => link },
  { label: 'Tags', unit: 'word', format: ({ tags }) => formatTags(tags) },
  { label: undefined, unit: 'line', format: ({ text }) => text },
];

/** The differences of each version from the one before. */
async function loadDifferences(changes: readonly VersionChange[]): Promise<Difference[][]> {
  const changed = changes.map(({ version, before }) =>
    before
      ? comparedFields.flatMap(({ label, unit, format }) => {
          const comparison = { before: format(before), after: format(version), unit };
          return comparison.before === comparison.after ? [] : { label, comparison };
        })
      : [],
  );
  const compared = (await compareTexts(changed.flat().map(({ comparison }) => comparison))).values();
  return changed.map((fields) => fields.map(({ label }) => ({ label, parts: compared.next().value })));
}

function DifferenceView({ difference: { label, parts } }: { difference: Difference }) {
  if (!parts) return <p class="faint">Too much of it is different to be shown.</p>;
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
      <b>{label}:</b> {shown}
    </p>
  );
}
