// /content/<uuid>/<slug>/history/: what a project was before, with what each change changed.

import { historyPath } from '../gallery/addresses.ts';
import { type Version, versionsOf, type Written } from '../gallery/changes/versions.ts';
import { can } from '../gallery/permissions.ts';
import { type Project, statusNames } from '../gallery/projects/project.ts';
import { Difference, Patience, Words } from './difference.tsx';
import { page } from './layout.tsx';
import { movedTo } from './moved.ts';
import { Maker, Title } from './named.tsx';
import type { PageParts, Served } from './serve.ts';
import { Day } from './times.tsx';

/** What is told to everybody; of the rest only whoever may change the project hears. */
const said = ['title', 'link', 'tags', 'text'] as const;

export async function history({ database, projects, timeZone: zone }: PageParts, served: Served) {
  const { params, address, base, viewer, frame } = served;
  const found = await projects.byUuid(viewer, params.uuid ?? '');
  const path = historyPath(found);
  if (address.path !== path) return movedTo(`${base}${path}`, address);
  const versions = await versionsOf(database, viewer, found);
  const patience = new Patience();
  const steps = versions
    .map((version, index) => ({ version, before: versions[index + 1] }))
    .filter(
      ({ version, before }) =>
        !before || isChanged(version, before, can(viewer, 'changeProject', found.contributor)),
    );
  return page(frame, {
    title: `The history of ${found.title}`,
    canonical: `${base}${path}`,
    listed: false,
    children: (
      <div class="history">
        <p class="kind">history</p>
        <h1>
          The history of <Title of={found} />
        </h1>
        {steps.length === 0 ? (
          <p class="empty">It came here as it is, and has not been changed.</p>
        ) : (
          <ol class="steps">
            {steps.map(({ version, before }) => (
              <li>
                <h2>
                  <Day at={version.at} zone={zone} />: {words(version, before)}
                </h2>
                <Actor project={found} version={version} moderates={viewer.moderates} />
                {before && <Changes version={version} before={before} patience={patience} />}
              </li>
            ))}
          </ol>
        )}
      </div>
    ),
  });
}

function isChanged(version: Written, before: Written, states: boolean): boolean {
  return (
    said.some((name) => String(version[name] ?? '') !== String(before[name] ?? '')) ||
    (states && (version.status !== before.status || version.visibility !== before.visibility))
  );
}

function words({ action, ...version }: Version, before: Version | undefined): string {
  if (action === 'trashed') return 'taken away';
  if (action === 'restored') return 'brought back';
  if (action === 'removed') return 'removed';
  if (!before)
    return (
      { created: 'begun', copied: 'begun as a copy', imported: 'brought here' }[action] ??
      'as far back as is told'
    );
  const parts = [
    ...said.filter((name) => String(version[name] ?? '') !== String(before[name] ?? '')),
    ...(version.visibility === before.visibility ? [] : [`now ${version.visibility}`]),
    ...(version.status === before.status
      ? []
      : [`now ${statusNames[version.status as keyof typeof statusNames]}`]),
  ];
  return parts.join(', ');
}

function Actor({ project, version, moderates }: { project: Project; version: Version; moderates: boolean }) {
  if (version.actor === project.contributor)
    return (
      <p class="by">
        by <Maker of={project} />
      </p>
    );
  return (
    <p class="by">
      {version.actor === null ? 'by the operator' : 'by a moderator'}
      {moderates && version.actor !== null && ` (${version.actor})`}
    </p>
  );
}

interface ChangesProps {
  readonly version: Version;
  readonly before: Version;
  readonly patience: Patience;
}

function Changes({ version, before, patience }: ChangesProps) {
  const lines = { title: 'Title', link: 'Link', tags: 'Tags' } as const;
  const text = (written: Written, name: keyof typeof lines) =>
    name === 'tags' ? written.tags.join(', ') : (written[name] ?? '');
  return (
    <>
      {(Object.keys(lines) as (keyof typeof lines)[])
        .filter((name) => text(version, name) !== text(before, name))
        .map((name) => (
          <p class="difference" dir="auto">
            <b>{lines[name]}:</b>{' '}
            <Words before={text(before, name)} after={text(version, name)} patience={patience} />
          </p>
        ))}
      {version.text !== before.text && (
        <Difference before={before.text} after={version.text} patience={patience} />
      )}
    </>
  );
}
