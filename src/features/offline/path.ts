import type { LanguageCode } from '../../core/texts/languages.ts';

export const offlinePath = '/offline/';

/** In the language that the person chose. */
export const workerPath = (language: LanguageCode): string => `/offline-worker.js?language=${language}`;
