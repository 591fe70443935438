// Corrects a search without results: words that no project has become near words. The corrected search is run first, as
// this viewer, so that it has results and reveals nothing that is hidden from them.

import type { Database } from '../../../database/database.ts';
import type { Phrase } from '../../../database/search.ts';
import type { Viewer } from '../../viewer.ts';
import { findSpelling, parsePhrases, replaceWords } from '../../words.ts';
import type { Project } from '../project.ts';
import type { AppliedFilters } from '../reading/applied-filters.ts';
import type { ProjectFinder } from '../reading/find.ts';
import { findNearWords } from './near-words.ts';
import { isSuggestible } from './suggestion-words.ts';

/** Longer searches are not corrected. */
const maxPhrases = 6;
const maxUnmatched = 2;
/** How many corrected searches are tried. */
const maxTries = 2;

interface SuggestionDependencies {
  readonly database: Database;
  readonly projects: ProjectFinder;
}

/** The text of a search that has results with the same filters. */
export async function suggestSearch(
  { database, projects }: SuggestionDependencies,
  viewer: Viewer,
  filters: AppliedFilters,
): Promise<string | undefined> {
  const search = filters.get('search');
  if (!search) return undefined;
  const otherFilters = new Map([...filters].filter(([name]) => name !== 'search'));
  const haveResults = (phrases: readonly Phrase[]) => projects.haveMatches(viewer, otherFilters, phrases);

  const phrases = parsePhrases(search.text);
  if (phrases.length === 0 || phrases.length > maxPhrases) return undefined;
  const areFound = phrases.length === 1 ? [false] : await haveResults(phrases);
  const unmatched = phrases.filter((_, index) => !areFound[index]);
  if (unmatched.length === 0 || unmatched.length > maxUnmatched) return undefined;

  const corrections: Correction[] = [];
  for (const { words } of unmatched) {
    const [word = ''] = words;
    if (words.length > 1 || !isSuggestible(word)) return undefined;
    const candidates = await findNearWords(database, word);
    const areUsable = await haveResults(candidates.map((near) => ({ words: [near], isPrefix: false })));
    const nearWords = candidates.filter((_, index) => areUsable[index]);
    if (nearWords.length === 0) return undefined;
    corrections.push({ word, nearWords });
  }

  for (const replacements of combine(corrections)) {
    const text = replaceWords(search.text, replacements);
    const corrected = new Map([...filters, ...projects.parseFilter('search', text)]);
    const [best] = await projects.list(viewer, corrected).page(0, 1);
    if (best) return replaceWords(search.text, spellLike(replacements, best));
  }
  return undefined;
}

interface Correction {
  readonly word: string;
  /** At least one, the nearest first. */
  readonly nearWords: readonly string[];
}

/** The nearest words first, then those after them. */
function combine(corrections: readonly Correction[]): Map<string, string>[] {
  const tries = Math.min(maxTries, Math.max(...corrections.map(({ nearWords }) => nearWords.length)));
  return Array.from(
    { length: tries },
    (_, index) =>
      new Map(corrections.map(({ word, nearWords }) => [word, nearWords[index] ?? nearWords[0] ?? word])),
  );
}

/** With the accents that the words have in the project. */
function spellLike(replacements: ReadonlyMap<string, string>, { title, tags }: Project): Map<string, string> {
  return new Map([...replacements].map(([word, near]) => [word, findSpelling(`${title} ${tags}`, near)]));
}
