// The difference between two texts: by lines, and by words within a line that was changed. Comparing can take long: see
// rendering.ts.

import { type ChangeObject, diffLines, diffWordsWithSpace } from 'diff';

/** The number of unchanged lines to show before and after each change. */
const contextLines = 2;
/** Texts that need more edits than this have little in common, and are not compared further. */
const maxEditLength = 4000;
const maxWordDiffLength = 6000;
const maxShownLength = 20_000;
const maxComparedLength = 100_000;

export interface ComparedTexts {
  readonly before: string;
  readonly after: string;
  readonly unit: 'line' | 'word';
}

export interface DiffPart {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

type LineDiff = ReturnType<typeof diffLines>;
type Diff = (options: { maxEditLength: number; timeout: number }) => LineDiff | undefined;

/** `timeoutMs` is for all of them. */
export function compareAll(
  comparisons: readonly ComparedTexts[],
  timeoutMs: number,
): (DiffPart[] | undefined)[] {
  const deadline = performance.now() + timeoutMs;
  const compare = (diff: Diff) => {
    const timeout = deadline - performance.now();
    return timeout > 0 ? diff({ maxEditLength, timeout }) : undefined;
  };
  return comparisons.map(({ before, after, unit }) =>
    unit === 'line' ? compareLines(before, after, compare) : compareWords(before, after, compare),
  );
}

function compareWords(
  before: string,
  after: string,
  compare: (diff: Diff) => LineDiff | undefined,
): DiffPart[] {
  const changes = compare((options) => diffWordsWithSpace(before, after, options));
  if (changes && hasMuchInCommon(before, after, changes)) return changes.map(toPart);
  return [
    { kind: 'removed', text: before },
    { kind: 'added', text: after },
  ];
}

/** The shared words of texts with little else in common would only break up what was written. */
const minSharedPart = 0.3;

function hasMuchInCommon(before: string, after: string, changes: LineDiff): boolean {
  const countLetters = (text: string) => text.replace(/\s+/g, '').length;
  const kept = changes.filter(({ added, removed }) => !added && !removed).map(({ value }) => value);
  return countLetters(kept.join('')) >= minSharedPart * Math.min(countLetters(before), countLetters(after));
}

function compareLines(
  before: string,
  after: string,
  compare: (diff: Diff) => LineDiff | undefined,
): DiffPart[] | undefined {
  const isSmall = before.length + after.length <= maxComparedLength;
  const changes = isSmall ? compare((options) => diffLines(before, after, options)) : undefined;
  if (!changes) return undefined;
  const collapsed = collapseUnchanged(changes);
  const size = collapsed.reduce((sum, { value }) => sum + value.length, 0);
  if (size > maxShownLength) return undefined;
  const parts: DiffPart[] = [];
  for (let index = 0; index < collapsed.length; index++) {
    const [change, next] = collapsed.slice(index, index + 2);
    if (!change) break;
    const isReplaced = change.removed && next?.added;
    if (isReplaced && change.value.length + next.value.length < maxWordDiffLength) {
      parts.push(...compareWords(change.value, next.value, compare));
      index++;
    } else {
      parts.push(toPart(change));
    }
  }
  return parts;
}

function toPart({ added, removed, value }: Change): DiffPart {
  const kind = added ? 'added' : removed ? 'removed' : 'same';
  return { kind, text: value };
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
