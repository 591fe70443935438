// Links to other representations of a page: JSON and feeds.

import { publicDumpPath, publicDumpType } from '../../../features/public-dump/public-dump.ts';
import type { PageDependencies } from '../page.ts';
import type { Alternate, LayoutData } from './layout-data.ts';

export const jsonAlternate = (href: string): Alternate => ({ type: 'application/json', href, title: 'JSON' });

/** The feeds of a list. `path` ends with a slash; `search` is empty or begins with a question mark. */
export function feedAlternates(path: string, search: string, title: string): Alternate[] {
  return [
    { type: 'application/atom+xml', href: `${path}feed.atom${search}`, title: `${title} (Atom)` },
    { type: 'application/feed+json', href: `${path}feed.json${search}`, title: `${title} (JSON Feed)` },
  ];
}

export const publicDumpAlternates = (
  { offersPublicDump }: PageDependencies,
  { language }: LayoutData,
): Alternate[] =>
  offersPublicDump
    ? [{ type: publicDumpType, href: publicDumpPath, title: language.t('footer.publicDump') }]
    : [];
