// /contributors/<id>-<username>/: who somebody is, and what they made.

import { NotFound } from '../errors.ts';
import { contributorPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { findContributor } from '../gallery/contributors/find.ts';
import { parseId } from '../gallery/ids.ts';
import { visitor } from '../gallery/readers.ts';
import { Cards, Pager } from './cards.tsx';
import type { PageParts, Served } from './index.ts';
import { page } from './layout.tsx';
import { numbered } from './listing.ts';
import { movedTo } from './moved.ts';

export async function contributor({ database, projects }: PageParts, { params, address, base }: Served) {
  const id = parseId(params.name?.split('-', 1)[0] ?? '');
  if (id === undefined) throw new NotFound();
  const person = await findContributor(database, id);
  const path = contributorPath(person.id, person.username);
  if (address.path !== path) return movedTo(`${base}${path}`, address);
  const shown = await numbered(
    projects.listing(visitor, projects.choose('contributor', String(id))),
    address.query,
  );
  return page({
    title: displayName(person),
    data: `/api/v1/projects/?contributor=${id}&format=json`,
    children: (
      <>
        <h1>
          <bdi>{displayName(person)}</bdi>
        </h1>
        <p class="meta">
          <bdi>{person.username}</bdi> · {shown.count} {shown.count === 1 ? 'project' : 'projects'}
        </p>
        <Cards projects={shown.projects} />
        <Pager {...shown} address={(number) => `${path}?page=${number}`} />
      </>
    ),
  });
}
