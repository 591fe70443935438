// The links beside the heading of a list and of a collection: other ways to show it. Features declare them.

import { useLayout } from './layout/layout-data.ts';

export function ListLinks({ query }: { query: URLSearchParams }) {
  const { listLinks, language } = useLayout();
  return listLinks.map(({ href, text }) => (
    <p class="to-wall">
      <a href={href(query)} rel="nofollow">
        {language.t(text)}
      </a>
    </p>
  ));
}
