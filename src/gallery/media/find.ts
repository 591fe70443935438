// Reads of files. A file is as visible as its project: what is asked for by its bytes is found through the projects
// that this reader may see, or not at all.

import sql, { join, type Sql } from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';
import { NotFound } from '../../errors.ts';
import { chunks } from '../chunks.ts';
import { readableBy } from '../projects/visible.ts';
import { anonymous, type Viewer } from '../viewer.ts';
import type { Media, MediaType, Size } from './media.ts';

const atOnce = 500;

type Row = Omit<Media, 'sizes'> & Size;

/** The files of some projects, each project's in their order. */
export async function mediaOf(reads: Reads, projects: readonly number[]): Promise<Map<number, Media[]>> {
  return projects.length ? found(reads, sql`media.project in (${join([...projects])})`) : new Map();
}

/** The first picture of each of some projects. */
export async function coversOf(reads: Reads, projects: readonly number[]): Promise<Map<number, Media>> {
  if (projects.length === 0) return new Map();
  const first = sql`(select first.number from media as first
    where first.project = media.project and first.type = 'image/webp' order by first.position limit 1)`;
  const covers = await found(
    reads,
    sql`media.project in (${join([...projects])}) and media.number = ${first}`,
  );
  return new Map([...covers].flatMap(([project, [cover]]) => (cover ? [[project, cover]] : [])));
}

export async function oneOf(reads: Reads, project: number, number: number): Promise<Media> {
  const media = (await mediaOf(reads, [project])).get(project) ?? [];
  const one = media.find((each) => each.number === number);
  if (!one) throw new NotFound();
  return one;
}

/** In the order of the projects, and of the files of each. */
export async function found(reads: Reads, which: Sql): Promise<Map<number, Media[]>> {
  const rows = await reads.all<Row>(
    sql`select media.project, media.number, position, type, name, alt, hash, bytes, width, height
        from media join media_size on media_size.project = media.project and media_size.number = media.number
        where ${which} order by media.project, position, media.number, width, hash`,
  );
  const media = new Map<number, (Media & { sizes: Size[] })[]>();
  for (const { hash, bytes, width, height, ...one } of rows) {
    const own = media.get(one.project) ?? [];
    const last = own.at(-1);
    const size = { hash, bytes, width, height };
    if (last?.number === one.number) last.sizes.push(size);
    else own.push({ ...one, sizes: [size] });
    media.set(one.project, own);
  }
  return media;
}

/** All files, by the ids of their projects and by their numbers. */
export async function* eachFile(reads: Reads): AsyncGenerator<Media> {
  for (let after = 0; ; ) {
    const projects = await reads.all<{ project: number }>(
      sql`select distinct project from media where project > ${after} order by project limit ${atOnce}`,
    );
    const last = projects.at(-1);
    if (!last) return;
    const some = await found(reads, sql`media.project > ${after} and media.project <= ${last.project}`);
    for (const media of some.values()) yield* media.toSorted((one, other) => one.number - other.number);
    after = last.project;
  }
}

export interface Kept extends Pick<Media, 'type' | 'name'> {
  readonly bytes: number;
  /** Visitors may read it. */
  readonly open: boolean;
}

/** What is kept under a hash, if this reader may see a project that has it. */
export async function keptAs(reads: Reads, viewer: Viewer, hash: string): Promise<Kept> {
  const row = await reads.first<{ type: MediaType; name: string; bytes: number; visitors: number }>(
    sql`select type, name, bytes, case when ${readableBy(anonymous)} then 1 else 0 end as visitors
        from media_size
        join media on media.project = media_size.project and media.number = media_size.number
        join project on project.id = media_size.project
        where hash = ${hash} and ${readableBy(viewer)} order by visitors desc, project.id limit 1`,
  );
  if (!row) throw new NotFound();
  return { type: row.type, name: row.name, bytes: row.bytes, open: row.visitors === 1 };
}

/** Those of some hashes that any file has. */
export async function usedOf(reads: Reads, hashes: readonly string[]): Promise<Set<string>> {
  const used = new Set<string>();
  for (const some of chunks(hashes)) {
    const rows = await reads.all<{ hash: string }>(
      sql`select distinct hash from media_size where hash in (${join(some)})`,
    );
    for (const { hash } of rows) used.add(hash);
  }
  return used;
}
