import type { Migration } from '../migrate.ts';

/** The words that a search without results may be corrected to: see gallery/projects/suggestion-words.ts. */
export const suggestionWords: Migration = {
  name: 'suggestion words',
  statements: ({ text }) => [
    `create table suggestion_word (word ${text} primary key, reversed ${text} not null)`,
    'create index suggestion_word_by_end on suggestion_word (reversed)',
  ],
  rebuild: 'suggestionWords',
};
