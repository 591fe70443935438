// /tags/: which tags there are, the most frequent first.

import { tagOrders, tagsLike } from '../gallery/tags/find.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { jsonAlternate } from './alternates.ts';
import { page } from './layout.tsx';
import { numberedOf, pageAddress } from './listing.ts';
import { movedTo } from './moved.ts';
import type { PageParts, Served } from './serve.ts';

const size = 200;

export async function tags({ database }: PageParts, { address, base, frame }: Served) {
  if (!address.slash) return movedTo(`${base}/tags/`, address);
  const known = tagsLike(database, '', tagOrders['-count'] ?? []);
  const { items: shown, ...at } = await numberedOf(known, address.query, size);
  const to = pageAddress('/tags/', new URLSearchParams());
  return page(frame, {
    title: at.number > 1 ? `Tags, page ${at.number}` : 'Tags',
    description: 'The tags of what people made.',
    canonical: `${base}${to(at.number)}`,
    alternates: [jsonAlternate('/api/v1/tags/?format=json')],
    children: (
      <>
        <h1>Tags</h1>
        {shown.length === 0 && <p class="empty">Nothing has a tag yet.</p>}
        <ul class="tags all">
          {shown.map(({ name, count }) => (
            <li>
              <a href={tagAddress(name)}>
                <bdi>{name}</bdi>
              </a>{' '}
              <span class="faint">{count.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
        <Pager {...at} address={to} />
      </>
    ),
  });
}

export const tagAddress = (tag: string) => `/?${new URLSearchParams({ tags: tag })}`;
