// A page's worth of projects, as the pages' addresses ask for it: `?page=`, and here and there a filter.

import { NotFound } from '../errors.ts';
import type { ProjectListing } from '../gallery/projects/find.ts';
import type { Project } from '../gallery/projects/project.ts';

const size = 24;

export interface Numbered {
  readonly projects: Project[];
  readonly count: number;
  readonly number: number;
  readonly last: number;
}

export async function numbered(listing: ProjectListing, query: URLSearchParams): Promise<Numbered> {
  const count = await listing.count();
  const last = Math.max(1, Math.ceil(count / size));
  const text = query.get('page') ?? '1';
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > last) throw new NotFound();
  return { projects: await listing.page((number - 1) * size, size), count, number, last };
}
