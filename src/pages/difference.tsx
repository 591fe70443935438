// What became of a text: lines that went and came, with the words within them where a line was only changed.

import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff';

/** Of what stayed, so many lines are shown around what did not. */
const around = 2;
/** More steps than this from one text to the other, and they have little in common. */
const furthest = 4000;
const longestForWords = 6000;
const longestShown = 20_000;

/** Texts that have little in common take seconds to compare: a page has so many milliseconds for all of its own. */
export class Patience {
  #left = 500;

  compare<Changes>(work: (wish: { maxEditLength: number; timeout: number }) => Changes): Changes | undefined {
    if (this.#left <= 0) return undefined;
    const began = performance.now();
    const changes = work({ maxEditLength: furthest, timeout: this.#left });
    this.#left -= performance.now() - began;
    return changes;
  }
}

interface Compared {
  readonly before: string;
  readonly after: string;
  readonly patience: Patience;
}

export function Difference({ before, after, patience }: Compared) {
  const small = before.length + after.length <= longestShown * 5;
  const changes = small ? patience.compare((wish) => diffLines(before, after, wish)) : undefined;
  if (!changes) return <p class="faint">Too much of it is different to be shown.</p>;
  const shown = shortened(changes);
  const size = shown.reduce((sum, { value }) => sum + value.length, 0);
  if (size > longestShown) return <p class="faint">Too much of it is different to be shown.</p>;
  return (
    <pre class="difference" dir="auto">
      {shown.map((part, index) => {
        const next = shown[index + 1];
        if (part.removed && next?.added && part.value.length + next.value.length < longestForWords)
          return <Words before={part.value} after={next.value} patience={patience} />;
        const previous = shown[index - 1];
        if (part.added && previous?.removed && part.value.length + previous.value.length < longestForWords)
          return null;
        return <Part {...part} />;
      })}
    </pre>
  );
}

export function Words({ before, after, patience }: Compared) {
  const changes = patience.compare((wish) => diffWordsWithSpace(before, after, wish));
  return (
    <>
      {(
        changes ?? [
          { removed: true, added: false, value: before },
          { removed: false, added: true, value: after },
        ]
      ).map((part) => (
        <Part {...part} />
      ))}
    </>
  );
}

function Part({ added, removed, value }: Pick<ChangeObject<string>, 'added' | 'removed' | 'value'>) {
  if (added) return <ins>{value}</ins>;
  if (removed) return <del>{value}</del>;
  return <>{value}</>;
}

type Piece = Pick<ChangeObject<string>, 'added' | 'removed' | 'value'>;

function shortened(changes: readonly Piece[]): Piece[] {
  return changes.map((part, index) => {
    if (part.added || part.removed) return part;
    const lines = part.value.split(/(?<=\n)/);
    const [first, last] = [index === 0, index === changes.length - 1];
    const head = first ? [] : lines.slice(0, around);
    const tail = last ? [] : lines.slice(-around);
    if (head.length + tail.length >= lines.length) return part;
    return { ...part, value: `${head.join('')}…\n${tail.join('')}` };
  });
}
