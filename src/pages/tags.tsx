// /tags/: which tags there are, the most frequent first.

import { NotFound } from '../errors.ts';
import { tagOrders, tagsLike } from '../gallery/tags/find.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { jsonAlternate } from './alternates.ts';
import { page } from './layout.tsx';
import { movedTo } from './moved.ts';
import type { PageParts, Served } from './serve.ts';

const size = 200;

export async function tags({ database }: PageParts, { address, base, frame }: Served) {
  if (!address.slash) return movedTo(`${base}/tags/`, address);
  const known = tagsLike(database, '', tagOrders['-count'] ?? []);
  const last = Math.max(1, Math.ceil((await known.count()) / size));
  const text = address.query.get('page') || '1';
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > last) throw new NotFound();
  const shown = await known.page((number - 1) * size, size);
  const at = (one: number) => (one === 1 ? '/tags/' : `/tags/?page=${one}`);
  return page(frame, {
    title: number > 1 ? `Tags, page ${number}` : 'Tags',
    description: 'The tags of what people made.',
    canonical: `${base}${at(number)}`,
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
        <Pager number={number} last={last} address={at} />
      </>
    ),
  });
}

export const tagAddress = (tag: string) => `/?${new URLSearchParams({ tags: tag })}`;
