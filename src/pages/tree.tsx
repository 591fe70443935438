// A family as a drawing: a column for each generation, a row for each that nobody copied. Every box is a link.

import { projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import type { Kin } from '../gallery/lineage/lineage.ts';
import type { Member } from './family.ts';

const box = { width: 208, height: 52 };
const column = 256;
const row = 68;
const edge = 3;

interface Placed {
  readonly kin: Kin | undefined;
  readonly words: string;
  readonly href: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly from: Placed | undefined;
}

export function Tree({ root, own }: { root: Member; own: number }) {
  const placed = place(root);
  const width = Math.max(...placed.map(({ x }) => x)) + box.width + edge;
  const height = Math.max(...placed.map(({ y }) => y)) + box.height + edge;
  return (
    <svg class="tree" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
      <title>The family of copies</title>
      {placed.map(({ x, y, from }) => from && <path class="branch" d={curve(from, { x, y })} />)}
      {placed.map((one) => (
        <Box placed={one} own={own} />
      ))}
    </svg>
  );
}

function Box({ placed: { kin, words, href, x, y }, own }: { placed: Placed; own: number }) {
  const project = kin?.project;
  const drawn = (
    <>
      <rect class="box" x="2" y="2" width={box.width - 4} height={box.height - 4} rx="7" />
      <text x={box.width / 2} y={project ? 23 : 31}>
        {shortened(words, 23)}
      </text>
      {project && (
        <text class="who" x={box.width / 2} y="41">
          {shortened(displayName(project), 30)}
        </text>
      )}
    </>
  );
  return (
    <g
      class={kin?.id === own ? 'this' : href && project ? 'member' : 'hidden'}
      transform={`translate(${x} ${y})`}
    >
      {href ? (
        <a href={href}>
          {project && (
            <title>
              {words} – {displayName(project)}
            </title>
          )}
          {drawn}
        </a>
      ) : (
        drawn
      )}
    </g>
  );
}

/** Those with copies stand in the middle of them. */
function place(root: Member): Placed[] {
  const placed: Placed[] = [];
  let leaves = 0;
  const context = (member: Member, generation: number, from: Placed | undefined): Placed => {
    const { kin, copies, folded } = member;
    const at = placed.length;
    const x = edge + generation * column;
    const own: { -readonly [Key in keyof Placed]: Placed[Key] } = {
      ...{ kin, x, y: 0, from, words: kin.project?.title ?? 'Not for everyone' },
      href: kin.project && projectPath(kin.project),
    };
    placed[at] = own;
    const rows = copies.map((copy) => context(copy, generation + 1, own).y);
    if (folded > 0) {
      const y = edge + leaves++ * row;
      const href = kin.project && `/?copied_from=${kin.id}`;
      placed.push({ kin: undefined, words: `${folded} more`, href, x: x + column, y, from: own });
      rows.push(y);
    }
    const [first, last] = [rows[0], rows.at(-1)];
    own.y = first === undefined || last === undefined ? edge + leaves++ * row : (first + last) / 2;
    return own;
  };
  context(root, 0, undefined);
  return placed;
}

function curve(from: Placed, to: Pick<Placed, 'x' | 'y'>): string {
  const [x1, y1, x2, y2] = [from.x + box.width, from.y + box.height / 2, to.x, to.y + box.height / 2];
  const middle = (x1 + x2) / 2;
  return `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`;
}

const characters = new Intl.Segmenter();
const wide = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{Emoji_Presentation}]/u;

/** By the room that the characters take. */
function shortened(text: string, room: number): string {
  let left = room;
  let kept = '';
  for (const { segment } of characters.segment(text.slice(0, 8 * room))) {
    left -= wide.test(segment) ? 2 : 1;
    if (left < 0) return `${kept.trimEnd()}…`;
    kept += segment;
  }
  return kept;
}
