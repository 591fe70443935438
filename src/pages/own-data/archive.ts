// The ZIP of a person's own data, with its page in their language.

import type { Database } from '../../database/open.ts';
import type { FileStore } from '../../files/open.ts';
import { generateArchive } from '../../gallery/own-data/archive.ts';
import type { ProjectFinder } from '../../gallery/projects/find.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import { chooseLanguage } from '../languages.ts';
import { anonymousLayout } from '../layout-data.ts';
import { getTranslator } from '../translator.ts';
import { generateIndexPage } from './index-page.tsx';

interface OwnArchiveDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly projects: ProjectFinder;
  readonly timeZone: string;
}

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
