// /content/<uuid>/<slug>/lineage/: the ancestors and copies of a project as a tree.

import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { aboutLicense } from '../../core/licenses.ts';
import { addStylesheet } from '../../core/pages/assets.ts';
import { jsonAlternate } from '../../core/pages/layout/alternates.ts';
import { firstLetter } from '../../core/pages/layout/avatar.tsx';
import { colourOf } from '../../core/pages/layout/colours.ts';
import { NameLink } from '../../core/pages/layout/components.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { anyone, type PageContext, type PageDependencies, page } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { Media } from '../../projects/media/media.ts';
import { Poster } from '../../projects/pages/list/posters.tsx';
import { createProjectPage } from '../../projects/pages/project/find-project.ts';
import { Cover } from '../../projects/pages/project/shown-files.tsx';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { isPublic } from '../../projects/visibility/visible-to.ts';
import lineageCss from './lineage.css' with { type: 'text' };
import { type LineageEntry, loadLineage } from './lineage.ts';
import { lineagePath } from './paths.ts';

const stylesheet = addStylesheet(lineageCss);

/** Only this many copies are loaded; the tree shows as many of them as fit. */
const maxCopies = 200;

async function renderLineagePage(context: PageContext, project: Project) {
  const { origin, viewer, t, rich } = context;
  const { root, size, truncated } = await loadTree(context, viewer, project);
  const [covers, isOwnerLookedAfter] = await Promise.all([
    context.projects.loadCovers(idsIn(root)),
    isLookedAfter(context.database, project.contributor),
  ]);
  const isAlone = size === 1;
  return context.render(
    <Page
      title={t('lineage.title', { project: project.title })}
      description={t('lineage.description', { project: project.title })}
      canonical={`${origin}${lineagePath(project)}`}
      alternates={
        project.visibility === 'unlisted'
          ? []
          : [jsonAlternate(`/api/v1/projects/${project.id}/lineage/?format=json`)]
      }
      isPublic
      isIndexed={isPublic(project) && !isOwnerLookedAfter}
      stylesheets={[stylesheet]}
    >
      <h1>{rich('lineage.title', { project: <ProjectLink project={project} /> })}</h1>
      {isAlone ? (
        <p class="empty">{t('lineage.empty')}</p>
      ) : (
        <>
          <p class="byline">
            {t('lineage.help')} {truncated && t('lineage.truncated')}
          </p>
          <section class="lineage" aria-label={t('lineage.tree')} tabindex={0}>
            <ul class="tree">
              <TreeItem node={root} currentId={project.id} covers={covers} />
            </ul>
          </section>
        </>
      )}
    </Page>,
  );
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

interface TreeItemProps {
  readonly node: TreeNode;
  readonly currentId: number;
  readonly covers: ReadonlyMap<number, Media>;
}

function TreeItem({ node, currentId, covers }: TreeItemProps) {
  const { t } = useLanguage();
  const { entry, copies, hiddenCopyCount } = node;
  const { id, project } = entry;
  const more = t('lineage.more', { count: hiddenCopyCount });
  return (
    <li>
      {project ? (
        <div class="node" aria-current={id === currentId ? 'true' : undefined}>
          <Thumbnail project={project} media={covers.get(id)} />
          <p>
            <NameLink href={projectPath(project)} name={project.title} />
            <bdi class="faint">{displayName(project)}</bdi>
            {project.license && <span class="faint">{aboutLicense(project.license).name}</span>}
          </p>
        </div>
      ) : (
        <p class="node hidden">{t('project.unavailable')}</p>
      )}
      {(copies.length > 0 || hiddenCopyCount > 0) && (
        <ul>
          {copies.map((copy) => (
            <TreeItem node={copy} currentId={currentId} covers={covers} />
          ))}
          {hiddenCopyCount > 0 && (
            <li>
              <p class="node hidden">{project ? <a href={`/?copied_from=${id}`}>{more}</a> : more}</p>
            </li>
          )}
        </ul>
      )}
    </li>
  );
}

type ShownProject = NonNullable<LineageEntry['project']>;

/** The title is beside it: a poster has only its first letter. */
function Thumbnail({ project, media }: { project: ShownProject; media: Media | undefined }) {
  if (media) return <Cover media={{ ...media, alt: '' }} />;
  return (
    <Poster type={project.content_type} colour={colourOf(project.id)} isHidden>
      {firstLetter(project.title)}
    </Poster>
  );
}

const idsIn = ({ entry, copies }: TreeNode): number[] => [
  ...(entry.project ? [entry.id] : []),
  ...copies.flatMap(idsIn),
];

// The lineage of a project as a tree that fits a page: with too many copies or generations the rest is only counted.
// The path from the root to the project of the page is always included.

interface TreeNode {
  readonly entry: LineageEntry;
  readonly copies: readonly TreeNode[];
  /** How many further copies are known. */
  readonly hiddenCopyCount: number;
}

const maxShownCopies = 8;
const maxNodes = 80;
const maxGenerations = 12;

/**
 * `line` leads from the first ancestor to the project, `copies` are the copies of any of them; entries in both count
 * once. If `line` has too many generations, the oldest are left out.
 */
function buildTree(
  line: readonly LineageEntry[],
  copies: readonly LineageEntry[],
  currentId: number,
): { root: TreeNode; size: number } {
  const visibleLine = line.slice(-maxGenerations);
  const idsOnLine = new Set(visibleLine.map(({ id }) => id));
  const entries = new Map([...copies, ...line].map((entry) => [entry.id, entry]));
  const copiesById = Map.groupBy(entries.values(), ({ copied_from }) => copied_from ?? 0);
  let remaining = maxNodes - visibleLine.length;
  const buildNode = (entry: LineageEntry, generation: number): TreeNode => {
    const allCopies = copiesById.get(entry.id) ?? [];
    const visibleCopies = allCopies.filter(({ id }) => idsOnLine.has(id));
    for (const copy of allCopies) {
      const hasRoom =
        visibleCopies.length < maxShownCopies && remaining > 0 && generation < 2 * maxGenerations;
      if (hasRoom && !idsOnLine.has(copy.id)) {
        visibleCopies.push(copy);
        remaining--;
      }
    }
    visibleCopies.sort((a, b) => a.id - b.id);
    return {
      entry,
      copies: visibleCopies.map((copy) => buildNode(copy, generation + 1)),
      hiddenCopyCount: allCopies.length - visibleCopies.length,
    };
  };
  const rootEntry = visibleLine[0] ?? entries.get(currentId);
  if (!rootEntry) throw new Error('a lineage has at least one entry');
  return { root: buildNode(rootEntry, 1), size: entries.size };
}

export const treeRoutes = [
  page('/content/:uuid/:slug/lineage/', anyone, createProjectPage(lineagePath, renderLineagePage)),
];
