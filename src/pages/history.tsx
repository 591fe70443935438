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
import { DiffBudget, LineDiff, WordDiff } from './text-diff.tsx';

/** Changes of these are shown to everybody, other changes only to viewers who may change the project. */
const publicFields = ['title', 'link', 'tags', 'text'] as const;

export const showHistoryPage = createProjectPage(historyPath, renderHistoryPage);

async function renderHistoryPage(
  { database }: PageDependencies,
  { origin, viewer, layout }: PageContext,
  project: Project,
) {
  const versions = await loadVersions(database, viewer, project);
  const budget = new DiffBudget();
  const changes = versions
    .map((version, index) => ({ version, before: versions[index + 1] }))
    .filter(
      ({ version, before }) =>
        !before || isChanged(version, before, can(viewer, 'changeProject', project.contributor)),
    );
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
            {changes.map(({ version, before }) => (
              <li>
                <h2>
                  <DateText instant={version.at} />: {describeVersion(version, before)}
                </h2>
                <ChangeAuthor project={project} version={version} showsModerator={viewer.isModerator} />
                {before && <Changes version={version} before={before} budget={budget} />}
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

interface ChangesProps {
  readonly version: Version;
  readonly before: Version;
  readonly budget: DiffBudget;
}

const shortFields = [
  { label: 'Title', format: ({ title }: VersionContent) => title },
  { label: 'Link', format: ({ link = '' }: VersionContent) => link },
  { label: 'Tags', format: ({ tags }: VersionContent) => formatTags(tags) },
];

function Changes({ version, before, budget }: ChangesProps) {
  return (
    <>
      {shortFields
        .filter(({ format }) => format(version) !== format(before))
        .map(({ label, format }) => (
          <p class="diff" dir="auto">
            <b>{label}:</b> <WordDiff before={format(before)} after={format(version)} budget={budget} />
          </p>
        ))}
      {version.text !== before.text && <LineDiff before={before.text} after={version.text} budget={budget} />}
    </>
  );
}
