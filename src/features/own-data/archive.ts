// The ZIP of a person's own data, with its page in their language.

import { anonymousLayout } from '../../core/pages/layout/layout-data.ts';
import type { PageDependencies } from '../../core/pages/page.ts';
import { chooseLanguage } from '../../core/texts/languages.ts';
import { getTranslator } from '../../core/texts/translator.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { generateArchive } from './export.ts';
import type { generateIndexPage } from './index-page.tsx';

type OwnArchiveDependencies = Pick<PageDependencies, 'database' | 'files' | 'projects' | 'timeZone'>;

export function generateOwnArchive(
  deps: OwnArchiveDependencies,
  viewer: Viewer,
  headers: Headers,
  origin: string,
): AsyncGenerator<Uint8Array> {
  const language = getTranslator(chooseLanguage(headers));
  const layout = { ...anonymousLayout, viewer, language, timeZone: deps.timeZone };
  return generateArchive(deps, { viewer, origin, index: generateIndex(deps, layout, origin) });
}

/** With modules of pages, which `serve --only api` loads here first. */
async function* generateIndex(...parameters: Parameters<typeof generateIndexPage>): AsyncGenerator<string> {
  yield* (await import('./index-page.tsx')).generateIndexPage(...parameters);
}
