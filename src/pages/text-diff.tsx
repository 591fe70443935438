// The difference between two texts by lines, and by words within a line that was changed.

import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff';

/** The number of unchanged lines to show before and after each change. */
const contextLines = 2;
/** Texts that need more edits than this have little in common, and are not compared further. */
const maxEditLength = 4000;
const maxWordDiffLength = 6000;
const maxShownLength = 20_000;

/** The time that one page may spend on comparing texts: texts with little in common can take seconds. */
export class DiffBudget {
  #remainingMs = 500;

  compare<Changes>(
    diff: (options: { maxEditLength: number; timeout: number }) => Changes,
  ): Changes | undefined {
    if (this.#remainingMs <= 0) return undefined;
    const startedAt = performance.now();
    const changes = diff({ maxEditLength, timeout: this.#remainingMs });
    this.#remainingMs -= performance.now() - startedAt;
    return changes;
  }
}

interface DiffProps {
  readonly before: string;
  readonly after: string;
  readonly budget: DiffBudget;
}

export function LineDiff({ before, after, budget }: DiffProps) {
  const isSmall = before.length + after.length <= maxShownLength * 5;
  const changes = isSmall ? budget.compare((options) => diffLines(before, after, options)) : undefined;
  if (!changes) return <p class="faint">Too much of it is different to be shown.</p>;
  const collapsed = collapseUnchanged(changes);
  const size = collapsed.reduce((sum, { value }) => sum + value.length, 0);
  if (size > maxShownLength) return <p class="faint">Too much of it is different to be shown.</p>;
  return (
    <pre class="diff" dir="auto">
      {collapsed.map((change, index) => {
        const next = collapsed[index + 1];
        if (change.removed && next?.added && change.value.length + next.value.length < maxWordDiffLength)
          return <WordDiff before={change.value} after={next.value} budget={budget} />;
        const previous = collapsed[index - 1];
        if (
          change.added &&
          previous?.removed &&
          change.value.length + previous.value.length < maxWordDiffLength
        )
          return null;
        return <DiffPart {...change} />;
      })}
    </pre>
  );
}

export function WordDiff({ before, after, budget }: DiffProps) {
  const changes = budget.compare((options) => diffWordsWithSpace(before, after, options));
  return (
    <>
      {(
        changes ?? [
          { removed: true, added: false, value: before },
          { removed: false, added: true, value: after },
        ]
      ).map((change) => (
        <DiffPart {...change} />
      ))}
    </>
  );
}

function DiffPart({ added, removed, value }: Change) {
  if (added) return <ins>{value}</ins>;
  if (removed) return <del>{value}</del>;
  return <>{value}</>;
}

type Change = Pick<ChangeObject<string>, 'added' | 'removed' | 'value'>;

function collapseUnchanged(changes: readonly Change[]): Change[] {
  return changes.map((change, index) => {
    if (change.added || change.removed) return change;
    const lines = change.value.split(/(?<=\n)/);
    const head = index === 0 ? [] : lines.slice(0, contextLines);
    const tail = index === changes.length - 1 ? [] : lines.slice(-contextLines);
    if (head.length + tail.length >= lines.length) return change;
    return { ...change, value: `${head.join('')}…\n${tail.join('')}` };
  });
}
