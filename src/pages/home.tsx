// /: what people made, narrowed and sorted by addresses that can be shared.

import { contentTypes } from '../gallery/projects/project.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { feedAlternates, jsonAlternate } from './alternates.ts';
import { moreScript } from './assets.ts';
import { Cards, deal } from './cards.tsx';
import { page } from './layout.tsx';
import { type Asked, addressWith, asked, numbered, pageAddress } from './listing.ts';
import type { PageParts, Served } from './serve.ts';

const sorts = [
  ['', 'newest'],
  ['created', 'oldest'],
  ['-karma', 'most karma'],
  ['-rating_sum', 'best rated'],
  ['title', 'by title'],
] as const;

export async function home(
  { projects, timeZone: zone }: PageParts,
  { address, base, viewer, frame }: Served,
) {
  const wish = asked(projects, viewer, address.query);
  const { choices, query } = wish;
  const shown = await numbered(wish.listing, address.query);
  const dealt = await deal(projects, viewer, shown.projects);
  const search = choices.get('search')?.text;
  const { heading, title } = titled(wish);
  const at = pageAddress('/', query);
  return page(frame, {
    title: shown.number > 1 ? `${title}, page ${shown.number}` : title,
    description: 'What people made, and whose work it began as.',
    canonical: `${base}${at(shown.number)}`,
    alternates: [
      jsonAlternate(addressWith('/api/v1/projects/', sameInApi(wish), { format: 'json' })),
      ...feedAlternates('/', query.size ? `?${query}` : '', title),
    ],
    scripts: [moreScript],
    // Lists of lists have no end: robots need those of one choice only.
    listed: query.size <= 1 && search === undefined,
    search: { text: search ?? '', within: [...query].filter(([name]) => name !== 'search') },
    children: (
      <>
        <h1>{heading}</h1>
        <Narrowing wish={wish} />
        <p class="count">
          {shown.count.toLocaleString('en')} {shown.count === 1 ? 'thing' : 'things'}
        </p>
        {shown.count === 0 ? <Nothing wish={wish} /> : <Cards dealt={dealt} zone={zone} />}
        <Pager {...shown} address={at} />
      </>
    ),
  });
}

/** The API lists what people say too, unless it is asked not to. */
function sameInApi({ listed, query }: Asked): URLSearchParams {
  const types = listed.get('content_type__in')?.text;
  return types === undefined ? query : new URLSearchParams([...query, ['content_type__in', types]]);
}

export function titled({ choices }: Asked) {
  const [search, tags] = [choices.get('search')?.text, choices.get('tags')?.text];
  if (search !== undefined)
    return {
      title: `Search for ${search}`,
      heading: (
        <>
          Found for “<bdi>{search}</bdi>”
        </>
      ),
    };
  if (tags !== undefined)
    return {
      title: `Tagged ${tags}`,
      heading: (
        <>
          Tagged <bdi>{tags}</bdi>
        </>
      ),
    };
  if (choices.has('copied_from')) return { title: 'Copies', heading: 'Copies' };
  return { title: 'Gallery', heading: 'What people made' };
}

function Narrowing({ wish: { choices, query, ordering } }: { wish: Asked }) {
  const type = choices.get('content_type')?.text ?? '';
  const ranked = choices.has('search');
  return (
    <div class="narrowing">
      <nav aria-label="Types">
        <ul class="types">
          {['', ...contentTypes].map((name) => (
            <li>
              <a
                href={addressWith('/', query, { content_type: name })}
                aria-current={name === type ? 'true' : undefined}
              >
                {name || 'all'}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Order">
        <ul class="sorts">
          {sorts.map(([name, words]) => (
            <li>
              <a
                href={addressWith('/', query, { ordering: name })}
                aria-current={name === ordering ? 'true' : undefined}
              >
                {ranked && name === '' ? 'best match' : words}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function Nothing({ wish: { choices } }: { wish: Asked }) {
  return (
    <div class="empty">
      {choices.size === 0 ? (
        <p>Nobody has shown anything yet. What is made here first will stand in this place.</p>
      ) : (
        <>
          <p>Nothing here fits that.</p>
          <ul>
            {choices.has('search') && <li>Fewer words find more, and the last may be cut short.</li>}
            <li>
              <a href="/tags/">The tags</a> show what there is.
            </li>
            <li>
              <a href="/">Everything</a>, newest first.
            </li>
          </ul>
        </>
      )}
    </div>
  );
}
