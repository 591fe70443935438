// The lineage tree as an SVG: a column for each generation, a row for each leaf. Every box is a link.

import { displayName } from '../gallery/contributors/contributor.ts';
import type { LineageEntry } from '../gallery/lineage/lineage.ts';
import { projectPath } from '../gallery/paths.ts';
import type { TreeNode } from './lineage-tree.ts';

const box = { width: 208, height: 52 };
const columnWidth = 256;
const rowHeight = 68;
const margin = 3;

interface PlacedNode {
  readonly entry: LineageEntry | undefined;
  readonly label: string;
  readonly href: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly parent: PlacedNode | undefined;
}

export function LineageDrawing({ root, currentId }: { root: TreeNode; currentId: number }) {
  const nodes = placeNodes(root);
  const width = Math.max(...nodes.map(({ x }) => x)) + box.width + margin;
  const height = Math.max(...nodes.map(({ y }) => y)) + box.height + margin;
  return (
    <svg class="tree" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>Remix tree</title>
      {nodes.map(({ x, y, parent }) => parent && <path class="branch" d={drawCurve(parent, { x, y })} />)}
      {nodes.map((node) => (
        <Box node={node} currentId={currentId} />
      ))}
    </svg>
  );
}

function Box({ node: { entry, label, href, x, y }, currentId }: { node: PlacedNode; currentId: number }) {
  const project = entry?.project;
  const content = (
    <>
      <rect class="box" x="2" y="2" width={box.width - 4} height={box.height - 4} rx="7" />
      <text x={box.width / 2} y={project ? 23 : 31}>
        {shortenToWidth(label, 23)}
      </text>
      {project && (
        <text class="who" x={box.width / 2} y="41">
          {shortenToWidth(displayName(project), 30)}
        </text>
      )}
    </>
  );
  return (
    <g
      class={entry?.id === currentId ? 'current' : href && project ? 'visible' : 'hidden'}
      transform={`translate(${x} ${y})`}
    >
      {href ? (
        <a href={href}>
          {project && (
            <title>
              {label} – {displayName(project)}
            </title>
          )}
          {content}
        </a>
      ) : (
        content
      )}
    </g>
  );
}

/** Places each node at half the height of its copies. */
function placeNodes(root: TreeNode): PlacedNode[] {
  const nodes: PlacedNode[] = [];
  let leafCount = 0;
  const placeNode = (node: TreeNode, generation: number, parent: PlacedNode | undefined): PlacedNode => {
    const { entry, copies, hiddenCopyCount } = node;
    const index = nodes.length;
    const x = margin + generation * columnWidth;
    const placed: { -readonly [Key in keyof PlacedNode]: PlacedNode[Key] } = {
      entry,
      x,
      y: 0,
      parent,
      label: entry.project?.title ?? 'Not available',
      href: entry.project && projectPath(entry.project),
    };
    nodes[index] = placed;
    const rows = copies.map((copy) => placeNode(copy, generation + 1, placed).y);
    if (hiddenCopyCount > 0) {
      const y = margin + leafCount++ * rowHeight;
      const href = entry.project && `/?copied_from=${entry.id}`;
      nodes.push({
        entry: undefined,
        label: `${hiddenCopyCount} more`,
        href,
        x: x + columnWidth,
        y,
        parent: placed,
      });
      rows.push(y);
    }
    const [first, last] = [rows[0], rows.at(-1)];
    placed.y =
      first === undefined || last === undefined ? margin + leafCount++ * rowHeight : (first + last) / 2;
    return placed;
  };
  placeNode(root, 0, undefined);
  return nodes;
}

function drawCurve(from: PlacedNode, to: Pick<PlacedNode, 'x' | 'y'>): string {
  const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

const graphemes = new Intl.Segmenter();
const wideCharacter = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{Emoji_Presentation}]/u;

/** Shortens a text to a width in characters; wide characters count twice. */
function shortenToWidth(text: string, maxWidth: number): string {
  let remaining = maxWidth;
  let shortened = '';
  for (const { segment } of graphemes.segment(text.slice(0, 8 * maxWidth))) {
    remaining -= wideCharacter.test(segment) ? 2 : 1;
    if (remaining < 0) return `${shortened.trimEnd()}…`;
    shortened += segment;
  }
  return shortened;
}
