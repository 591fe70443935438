// The lineage of a project as a tree that fits a page: with too many copies or generations the rest is only counted.
// The path from the root to the project of the page is always included.

import type { LineageEntry } from '../../gallery/lineage/lineage.ts';

export interface TreeNode {
  readonly entry: LineageEntry;
  readonly copies: readonly TreeNode[];
  /** How many further copies are known. */
  readonly hiddenCopyCount: number;
}

const maxCopies = 8;
const maxNodes = 80;
const maxGenerations = 12;

/**
 * `line` leads from the first ancestor to the project, `copies` are the copies of any of them; entries in both count
 * once. If `line` has too many generations, the oldest are left out.
 */
export function buildTree(
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
      const hasRoom = visibleCopies.length < maxCopies && remaining > 0 && generation < 2 * maxGenerations;
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
