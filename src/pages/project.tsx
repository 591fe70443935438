// /content/<uuid>/<slug>/: the page that a record's html_url leads to. Any other slug leads to today's.

import { raw } from 'hono/html';
import { NotFound } from '../errors.ts';
import { contributorPath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { formatInstant } from '../gallery/instant.ts';
import type { Project } from '../gallery/projects/project.ts';
import { visitor } from '../gallery/readers.ts';
import type { PageParts, Served } from './index.ts';
import { page } from './layout.tsx';
import { toHtml } from './markdown.ts';
import { movedTo } from './moved.ts';

export async function project({ projects, timeZone }: PageParts, { params, address, base }: Served) {
  const found = await projects.byUuid(visitor, params.uuid ?? '');
  if (address.path !== projectPath(found)) return movedTo(`${base}${projectPath(found)}`, address);
  const source = await sourceOf(projects, found);
  const created = formatInstant(found.created, timeZone);
  return page({
    title: found.title,
    data: `/api/v1/projects/${found.id}/?format=json`,
    listed: found.visibility === 'public',
    children: (
      <article>
        <span class="kind">{found.content_type}</span>
        <h1 dir="auto">{found.title}</h1>
        <p class="meta">
          by{' '}
          <a href={contributorPath(found.contributor, found.username)}>
            <bdi>{displayName(found)}</bdi>
          </a>
          , <time datetime={created}>{created.slice(0, 10)}</time>
        </p>
        {found.status === 2 && <p class="notice">This project is archived.</p>}
        {source && (
          <p class="notice">
            A copy of{' '}
            <a href={projectPath(source)}>
              <bdi>{source.title}</bdi>
            </a>{' '}
            by <bdi>{displayName(source)}</bdi>
          </p>
        )}
        {found.link && (
          <p>
            <a href={found.link} rel="nofollow noopener ugc">
              {found.link}
            </a>
          </p>
        )}
        <div class="text" dir="auto">
          {raw(toHtml(found.text, found.title))}
        </div>
        <dl class="facts">
          <Fact name="Karma" value={found.karma} />
          <Fact name="Ratings" value={found.rating_count} />
          {found.rating_count > 0 && (
            <Fact name="Average" value={(found.rating_sum / found.rating_count).toFixed(1)} />
          )}
        </dl>
        {found.tags && (
          <ul class="tags" aria-label="Tags">
            {found.tags.split(', ').map((tag) => (
              <li dir="auto">{tag}</li>
            ))}
          </ul>
        )}
      </article>
    ),
  });
}

function Fact({ name, value }: { name: string; value: string | number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The source, if the reader may see it. */
async function sourceOf(
  projects: PageParts['projects'],
  { copied_from }: Project,
): Promise<Project | undefined> {
  if (copied_from === null) return undefined;
  try {
    return await projects.one(visitor, copied_from);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
