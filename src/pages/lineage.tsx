// /content/<uuid>/<slug>/lineage/: the ancestors and copies of a project as a drawing and as a list.

import { displayName } from '../gallery/contributors/contributor.ts';
import { type LineageEntry, loadLineage } from '../gallery/lineage/lineage.ts';
import { lineagePath, projectPath } from '../gallery/paths.ts';
import type { Project } from '../gallery/projects/project.ts';
import { isPublic } from '../gallery/projects/visibility.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { jsonAlternate } from './alternates.ts';
import { createProjectPage } from './find-project.ts';
import { renderPage } from './layout.tsx';
import { LineageDrawing } from './lineage-drawing.tsx';
import { buildTree, type TreeNode } from './lineage-tree.ts';
import { ProjectLink } from './links.tsx';
import type { PageContext, PageDependencies } from './page-context.ts';

/** Only so many copies are loaded; the tree shows as many of them as fit. */
const maxCopies = 200;

export const showLineagePage = createProjectPage(lineagePath, renderLineagePage);

async function renderLineagePage(
  deps: PageDependencies,
  { origin, viewer, layout }: PageContext,
  project: Project,
) {
  const { root, size, truncated } = await loadTree(deps, viewer, project);
  const isAlone = size === 1;
  return renderPage(layout, {
    title: `Remix tree of ${project.title}`,
    description: `Where ${project.title} came from, and its remixes.`,
    canonical: `${origin}${lineagePath(project)}`,
    alternates:
      project.visibility === 'unlisted'
        ? []
        : [jsonAlternate(`/api/v1/projects/${project.id}/lineage/?format=json`)],
    isIndexed: isPublic(project),
    children: (
      <>
        <h1>
          Remix tree of <ProjectLink project={project} />
        </h1>
        {isAlone ? (
          <p class="empty">No remixes yet. When someone remixes this project, you’ll see it here.</p>
        ) : (
          <>
            <p class="byline">
              Each project is a remix of the one before it.
              {truncated && ' There are more remixes than fit on this page.'}
            </p>
            <section class="lineage" aria-label="Remix tree" tabindex={0}>
              <LineageDrawing root={root} currentId={project.id} />
            </section>
            <details>
              <summary>Show as a list</summary>
              <ul class="lineage-list">
                <TreeItem node={root} currentId={project.id} />
              </ul>
            </details>
          </>
        )}
      </>
    ),
  });
}

/** Loads the tree below the topmost ancestor that the viewer may see, including hidden ancestors above it. */
async function loadTree({ database }: PageDependencies, viewer: Viewer, project: Project) {
  const ownLineage = await loadLineage(database, viewer, project, maxCopies);
  const current: LineageEntry = { id: project.id, copied_from: project.copied_from, project };
  const ancestors = ownLineage.ancestors.toReversed();
  const topAncestor = ancestors.find(({ project }) => project);
  // The ancestor's copies include those of this project, unless they were truncated.
  const ancestorLineage = topAncestor
    ? await loadLineage(database, viewer, topAncestor, maxCopies)
    : ownLineage;
  const line = [...ancestors, current].map((entry, index, all) => ({
    ...entry,
    copied_from: all[index - 1]?.id ?? null,
  }));
  return {
    ...buildTree(line, [...ancestorLineage.copies, ...ownLineage.copies], project.id),
    truncated: ancestorLineage.truncated || ownLineage.truncated,
  };
}

function TreeItem({ node, currentId }: { node: TreeNode; currentId: number }) {
  const { entry, copies, hiddenCopyCount } = node;
  return (
    <li>
      {entry.project ? (
        <>
          <a href={projectPath(entry.project)} aria-current={entry.id === currentId ? 'true' : undefined}>
            <bdi>{entry.project.title}</bdi>
          </a>{' '}
          by <bdi>{displayName(entry.project)}</bdi>
        </>
      ) : (
        <span class="faint">A project that isn’t available</span>
      )}
      {(copies.length > 0 || hiddenCopyCount > 0) && (
        <ul>
          {copies.map((copy) => (
            <TreeItem node={copy} currentId={currentId} />
          ))}
          {hiddenCopyCount > 0 && (
            <li>
              {entry.project ? (
                <a href={`/?copied_from=${entry.id}`}>{hiddenCopyCount} more</a>
              ) : (
                <span class="faint">{hiddenCopyCount} more</span>
              )}
            </li>
          )}
        </ul>
      )}
    </li>
  );
}
