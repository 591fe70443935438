// Finds the unusual parts of an imported project: it is taken as it was, but nobody could write it here.

import { InvalidValue } from '../../common/inputs.ts';
import { projectFields } from './fields.ts';
import type { ProjectLine } from './project-line.ts';

export function findOddities(project: ProjectLine): string[] {
  const { title, text, tags, content_type, parent, trashed, trashed_by } = project;
  const { rating_count, rating_sum, created, modified } = project;
  const oddities = [
    ruleAgainst('title', title),
    ruleAgainst('text', text),
    ruleAgainst('tags', tags) ?? (countTags(tags) < tags.length ? 'tags: Some are the same tag.' : undefined),
    title.trim() !== title && title.trim() !== '' && 'title: It has spaces around it.',
    content_type === 'comment' && parent === null && 'parent: A comment without one is about nothing.',
    content_type !== 'comment' && parent !== null && 'parent: Only a comment has one.',
    trashed !== null && trashed_by === null && 'trashed_by: Only moderators will be able to restore it.',
    (rating_sum < rating_count || rating_sum > 5 * rating_count) && 'rating_sum: Ratings are from 1 to 5.',
    modified < created && 'modified: It is before created.',
  ];
  return oddities.filter((oddity) => typeof oddity === 'string');
}

function ruleAgainst(name: 'title' | 'text' | 'tags', value: unknown): string | undefined {
  try {
    projectFields[name].read(value);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidValue) return `${name}: ${error.message}`;
    throw error;
  }
}

const countTags = (tags: readonly string[]): number => projectFields.tags.read(tags).length;
