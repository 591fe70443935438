// The ZIP of a person's own data, with its page in their language.

import type { Viewer } from '../../gallery/viewer.ts';
import { generateArchive } from '../../import-export/own-data/export.ts';
import { anonymousLayout } from '../layout/layout-data.ts';
import { chooseLanguage } from '../messages/languages.ts';
import { getTranslator } from '../messages/translator.ts';
import type { PageDependencies } from '../page.ts';
import { generateIndexPage } from './index-page.tsx';

type OwnArchiveDependencies = Pick<PageDependencies, 'database' | 'files' | 'projects' | 'timeZone'>;

export function generateOwnArchive(
  deps: OwnArchiveDependencies,
  viewer: Viewer,
  headers: Headers,
  origin: string,
): AsyncGenerator<Uint8Array> {
  const language = getTranslator(chooseLanguage(headers));
  const layout = { ...anonymousLayout, viewer, language, timeZone: deps.timeZone };
  return generateArchive(deps, { viewer, origin, index: generateIndexPage(deps, layout, origin) });
}
