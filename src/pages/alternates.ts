// The other forms in which a page can be had.

import type { Alternate } from './layout.tsx';

export const jsonAlternate = (href: string): Alternate => ({ type: 'application/json', href, title: 'JSON' });

export function oembedAlternates(url: string, title: string): Alternate[] {
  const href = (format: string) => `/oembed?${new URLSearchParams({ url, format })}`;
  return [
    { type: 'application/json+oembed', href: href('json'), title },
    { type: 'text/xml+oembed', href: href('xml'), title },
  ];
}

/** The feeds of a list: `path` ends in a slash, `search` is empty or begins with a question mark. */
export function feedAlternates(path: string, search: string, title: string): Alternate[] {
  return [
    { type: 'application/atom+xml', href: `${path}feed.atom${search}`, title: `${title} (Atom)` },
    { type: 'application/feed+json', href: `${path}feed.json${search}`, title: `${title} (JSON Feed)` },
  ];
}
