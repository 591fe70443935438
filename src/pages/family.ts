// A family of copies as a tree that fits a page: where there are too many copies of one, or too many generations,
// the rest is folded. The line down to the project that the page is about is always there.

import type { Kin } from '../gallery/lineage/lineage.ts';

export interface Member {
  readonly kin: Kin;
  readonly copies: readonly Member[];
  /** How many copies, as far as is known, are not told of here. */
  readonly folded: number;
}

const mostCopies = 8;
const mostMembers = 80;
const mostGenerations = 12;

/**
 * `line` is from the first ancestor down to the project, `copies` what follows from any of them; who stands in both
 * counts once. A long line loses its beginning.
 */
export function planted(
  line: readonly Kin[],
  copies: readonly Kin[],
  own: number,
): { root: Member; size: number } {
  const kept = line.slice(-mostGenerations);
  const onLine = new Set(kept.map(({ id }) => id));
  const members = new Map([...copies, ...line].map((kin) => [kin.id, kin]));
  const below = Map.groupBy(members.values(), ({ copied_from }) => copied_from ?? 0);
  let room = mostMembers - kept.length;
  const grow = (kin: Kin, generation: number): Member => {
    const all = below.get(kin.id) ?? [];
    const given = all.filter(({ id }) => onLine.has(id));
    for (const one of all) {
      const fits = given.length < mostCopies && room > 0 && generation < 2 * mostGenerations;
      if (fits && !onLine.has(one.id)) {
        given.push(one);
        room--;
      }
    }
    given.sort((one, other) => one.id - other.id);
    return {
      kin,
      copies: given.map((one) => grow(one, generation + 1)),
      folded: all.length - given.length,
    };
  };
  const first = kept[0] ?? members.get(own);
  if (!first) throw new Error('a family has at least one member');
  return { root: grow(first, 1), size: members.size };
}
