// /: the newest projects, of all types or of one.

import { contentTypes } from '../gallery/projects/project.ts';
import { visitor } from '../gallery/readers.ts';
import { Cards, Pager } from './cards.tsx';
import type { PageParts, Served } from './index.ts';
import { page } from './layout.tsx';
import { numbered } from './listing.ts';

export async function home({ projects }: PageParts, { address }: Served) {
  const type = address.query.get('content_type') ?? '';
  const choices = type ? projects.choose('content_type', type) : undefined;
  const shown = await numbered(projects.listing(visitor, choices), address.query);
  const at = (number: number) =>
    `/?${new URLSearchParams({ ...(type && { content_type: type }), page: String(number) })}`;
  return page({
    title: 'Gallery',
    data: `/api/v1/projects/?format=json${type && `&content_type=${type}`}`,
    children: (
      <>
        <h1>What people made</h1>
        <p class="meta">
          {shown.count.toLocaleString('en')} {shown.count === 1 ? 'project' : 'projects'}, newest first
        </p>
        <nav aria-label="Types">
          <ul class="types">
            {['', ...contentTypes].map((name) => (
              <li>
                <a
                  href={name ? `/?content_type=${name}` : '/'}
                  aria-current={name === type ? 'page' : undefined}
                >
                  {name || 'all'}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <Cards projects={shown.projects} />
        <Pager {...shown} address={at} />
      </>
    ),
  });
}
