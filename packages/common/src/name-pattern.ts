/** A name in a text, such as `@ada`. An address has a letter, a digit or a sign before its `@`. The name may end with signs that end the sentence. */
export const namePattern = /(?<![\p{L}\p{M}\p{N}@.+_\-/\\])@([\p{L}\p{M}\p{N}@.+_-]+)/gu;
