// The other forms in which a page can be had.

import type { Form } from './layout.tsx';

export const jsonForm = (href: string): Form => ({ type: 'application/json', href, title: 'JSON' });

export function oembedForms(url: string, title: string): Form[] {
  const href = (format: string) => `/oembed?${new URLSearchParams({ url, format })}`;
  return [
    { type: 'application/json+oembed', href: href('json'), title },
    { type: 'text/xml+oembed', href: href('xml'), title },
  ];
}

/** The feeds of a list: `path` ends in a slash, `search` is empty or begins with a question mark. */
export function feedForms(path: string, search: string, title: string): Form[] {
  return [
    { type: 'application/atom+xml', href: `${path}feed.atom${search}`, title: `${title} (Atom)` },
    { type: 'application/feed+json', href: `${path}feed.json${search}`, title: `${title} (JSON Feed)` },
  ];
}
