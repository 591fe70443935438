// The changes from version to version that the history page shows.

import { hasSameContent, type Version, type VersionContent } from '../../gallery/projects/reading/history.ts';
import { formatTags } from '../../gallery/projects/tags.ts';
import type { MessageKey } from '../messages/languages.ts';
import { compareTexts } from '../text/rendering.ts';
import type { ComparedTexts, DiffPart } from './text-diff.ts';

/** The difference of one member between two versions. */
export interface Difference {
  /** Undefined for the text. */
  readonly label: MessageKey | undefined;
  /** Undefined if the texts have too little in common. */
  readonly parts: readonly DiffPart[] | undefined;
}

export interface VersionChange {
  readonly version: Version;
  /** Undefined for the oldest version. */
  readonly before: Version | undefined;
  /** Empty if one of the versions was redacted. */
  readonly differences: readonly Difference[];
}

const comparedFields: readonly {
  readonly label: MessageKey | undefined;
  readonly unit: ComparedTexts['unit'];
  format(version: VersionContent): string;
}[] = [
  { label: 'history.label.title', unit: 'word', format: ({ title }) => title },
  { label: 'history.label.link', unit: 'word', format: ({ link = '' }) => link },
  { label: 'history.label.tags', unit: 'word', format: ({ tags }) => formatTags(tags) },
  { label: undefined, unit: 'line', format: ({ text }) => text },
];

/** Versions are newest first, and there is one more than `count` if there are older ones. */
export async function loadVersionChanges(
  versions: readonly Version[],
  count: number,
  includesStatus: boolean,
): Promise<VersionChange[]> {
  const changes = versions
    .map((version, index) => ({ version, before: versions[index + 1] }))
    .slice(0, count)
    .filter(({ version, before }) => isShown(version, before, includesStatus));
  const comparisons = changes.map(({ version, before }) => compareVersions(version, before));
  const compared = (await compareTexts(comparisons.flat())).values();
  return changes.map((change, index) => ({
    ...change,
    differences: (comparisons[index] ?? []).map(({ label }) => ({ label, parts: compared.next().value })),
  }));
}

function isShown(version: Version, before: Version | undefined, includesStatus: boolean): boolean {
  const [content, previous] = [version.content, before?.content];
  if (!content) return before === undefined || previous !== undefined;
  if (!previous || !hasSameContent(content, previous)) return true;
  return includesStatus && (content.status !== previous.status || content.visibility !== previous.visibility);
}

function compareVersions(
  { content }: Version,
  before: Version | undefined,
): (ComparedTexts & Pick<Difference, 'label'>)[] {
  const previous = before?.content;
  if (!content || !previous) return [];
  return comparedFields
    .map(({ label, unit, format }) => ({ label, unit, before: format(previous), after: format(content) }))
    .filter(({ before, after }) => before !== after);
}
