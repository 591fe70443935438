// npm run test:clients: the data provider for React-admin in clients/typescript/examples, compiled, and run against a server.

import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import type { Gallery } from '../../clients/typescript/src/index.ts';
import { compile, createProjectWithClient } from '../support/client-package.ts';
import { person } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada, contributor, dump, project, siteOn } from '../support/site.ts';

interface Row {
  readonly id: number;
  readonly [member: string]: unknown;
}

type Method<Data> = (resource: string, params: object) => Promise<{ data: Data; total?: number }>;

interface Provider {
  readonly getList: Method<Row[]>;
  readonly getOne: Method<Row>;
  readonly getMany: Method<Row[]>;
  readonly getManyReference: Method<Row[]>;
  readonly create: Method<Row>;
  readonly update: Method<Row>;
  readonly updateMany: Method<number[]>;
  readonly delete: Method<Row>;
  readonly deleteMany: Method<number[]>;
}

const source = await Bun.file(
  join(import.meta.dir, '../../clients/typescript/examples/react-admin/data-provider.ts'),
).text();
let folder: string;
let createProvider: (address: string, key: string) => Provider;

beforeAll(async () => {
  folder = await createProjectWithClient('ra-core');
  await Bun.write(join(folder, 'data-provider.ts'), source);
  const client = await import(join(folder, 'node_modules/vitrine-client/dist/index.js'));
  const { createDataProvider } = await import(join(folder, 'data-provider.ts'));
  createProvider = (address, key) => {
    const gallery: Gallery = new client.Gallery(address, { key });
    return createDataProvider(gallery);
  };
});

const titles = ['Kite', 'Kite with two lines', 'Boat', 'Glider'];
const projects = titles.map((title, index) =>
  project(index + 1, { title, karma: index, content_type: index < 2 ? 'photo' : 'text' }),
);

/** The provider of ada, in a gallery with these projects of hers. */
async function start(...lines: string[]) {
  const site = await siteOn('SQLite', { dump: dump(ada, contributor(2, 'grace'), ...lines) });
  const adas = await person(site, 'ada');
  const { Authorization = '' } = await adas.key();
  return { adas, provider: createProvider(site.serve(), Authorization.replace('Token ', '')) };
}

const idsOf = ({ data }: { data: Row[] }) => data.map(({ id }) => id);
const pagination = { page: 1, perPage: 25 };
const byId = { field: 'id', order: 'ASC' };
const pick = (content: Uint8Array<ArrayBuffer>, name: string) => ({
  rawFile: new File([content], name),
  src: 'blob:null/1',
  title: name,
});

test('it is a DataProvider of React-admin', async () => {
  await Bun.write(
    join(folder, 'wrong.ts'),
    source.replace('return { data, total: count }', 'return { total: count }'),
  );
  // The types of ra-core are not made for more.
  const options = { skipLibCheck: true, exactOptionalPropertyTypes: false };
  const errors = await compile(folder, ['data-provider.ts', 'wrong.ts'], options);
  expect(errors).toEqual(['wrong.ts error TS2741']);
});

test('getList sorts, filters, searches and goes through the pages', async () => {
  const { provider } = await start(...projects);
  const sort = { field: 'karma', order: 'DESC' };
  const first = await provider.getList('projects', { pagination: { page: 1, perPage: 3 }, sort, filter: {} });
  expect([idsOf(first), first.total]).toEqual([[4, 3, 2], 4]);
  const second = await provider.getList('projects', { pagination: { page: 2, perPage: 3 }, sort });
  expect([idsOf(second), second.total]).toEqual([[1], 4]);
  const late = await provider.getList('projects', { pagination: { page: 9, perPage: 3 }, sort });
  expect(late).toEqual({ data: [], total: 4 });

  const photos = { pagination, sort: byId, filter: { content_type: 'photo', q: 'kite' } };
  const found = await provider.getList('projects', photos);
  expect([idsOf(found), found.total]).toEqual([[1, 2], 2]);
  expect(found.data[0]).toMatchObject({ title: 'Kite', content_type: 'photo', media: [], link: null });
  const types = { pagination, sort: byId, filter: { content_type__in: ['text', 'photo'] } };
  expect(idsOf(await provider.getList('projects', types))).toEqual([1, 2, 3, 4]);

  const people = await provider.getList('contributors', { pagination, sort: byId, filter: {} });
  expect(people.data).toMatchObject([{ id: 1, username: 'ada' }]);
});

test('an export of more records than a page of the API has gets all', async () => {
  const { provider } = await start(...Array.from({ length: 230 }, (_, index) => project(index + 1)));
  const all = Array.from({ length: 230 }, (_, index) => index + 1);
  const exported = await provider.getList('projects', { pagination: { page: 1, perPage: 1000 }, sort: byId });
  expect([idsOf(exported), exported.total]).toEqual([all, 230]);
  const part = await provider.getList('projects', { pagination: { page: 2, perPage: 110 }, sort: byId });
  expect(idsOf(part)).toEqual(all.slice(110, 220));
  expect(idsOf(await provider.getMany('projects', { ids: all })).sort((a, b) => a - b)).toEqual(all);
});

test('getOne and getMany read records, also archived ones, and getMany leaves out what does not exist', async () => {
  const { provider } = await start(...projects, project(5, { status: 2 }));
  expect((await provider.getOne('projects', { id: '3' })).data).toMatchObject({ id: 3, title: 'Boat' });
  expect(idsOf(await provider.getMany('projects', { ids: [5, 3, '1', 99] }))).toEqual([3, 1, 5]);
  expect(idsOf(await provider.getMany('contributors', { ids: [1, 99] }))).toEqual([1]);
  await expect(provider.getOne('projects', { id: 99 })).rejects.toMatchObject({
    name: 'HttpError',
    status: 404,
  });
});

test('getManyReference reads the projects of a contributor, the copies and the comments', async () => {
  const { adas, provider } = await start(...projects, project(5, { contributor: 2, copied_from: 1 }));
  const read = async (target: string, id: number) =>
    idsOf(await provider.getManyReference('projects', { target, id, pagination, sort: byId, filter: {} }));
  await adas.post('/api/v1/projects/1/comments/', { text: 'How?' });
  expect(await read('contributor', 2)).toEqual([5]);
  expect(await read('copied_from', 1)).toEqual([5]);
  expect(await read('parent', 1)).toEqual([6]);
});

test('create sends a project with its files, and update adds files', async () => {
  const { provider } = await start();
  const values = { title: 'Kite', tags: ['red', 'wind'], content_type: 'photo' };
  const files = [pick(new Uint8Array(png(40, 30)), 'kite.png')];
  const { data: created } = await provider.create('projects', { data: { ...values, files } });
  expect(created).toMatchObject({ title: 'Kite', tags: 'red, wind', media: [{ type: 'image/webp' }] });

  const plan = pick(new TextEncoder().encode('How to build it.'), 'plan.txt');
  const data = { ...created, text: 'It flies.', files: plan };
  const { data: updated } = await provider.update('projects', {
    id: created.id,
    data,
    previousData: created,
  });
  expect(updated).toMatchObject({ text: 'It flies.', media: [{ type: 'image/webp' }, { name: 'plan.txt' }] });
  expect((await provider.getOne('projects', { id: created.id })).data).toEqual(updated);

  const { data: plain } = await provider.create('projects', {
    data: { title: 'Boat', text: null, files: null, link: null },
  });
  expect(plain).toMatchObject({ title: 'Boat', media: [], link: null });
});

test('errors of fields are shown beside their inputs', async () => {
  const { provider } = await start();
  await expect(provider.create('projects', { data: { title: '' } })).rejects.toMatchObject({
    name: 'HttpError',
    status: 400,
    body: { errors: { title: 'This field may not be blank.' } },
  });
  await expect(provider.create('tags', { data: { name: 'red' } })).rejects.toMatchObject({ status: 405 });
});

test('update and delete of a project that somebody else has changed are refused', async () => {
  const { adas, provider } = await start(...projects);
  const { data: one } = await provider.getOne('projects', { id: 1 });
  const [listed] = (await provider.getList('projects', { pagination, sort: byId })).data;
  await adas.patch('/api/v1/projects/1/', { text: 'Changed meanwhile.' });
  for (const previousData of [one, listed, { ...one }]) {
    const data = { ...previousData, title: 'Red kite' };
    const conflict = { name: 'HttpError', status: 412 };
    await expect(provider.update('projects', { id: 1, data, previousData })).rejects.toMatchObject(conflict);
    await expect(provider.delete('projects', { id: 1, previousData })).rejects.toMatchObject(conflict);
  }
  const { data: current } = await provider.getOne('projects', { id: 1 });
  expect(current).toMatchObject({ title: 'Kite', text: 'Changed meanwhile.' });

  // React-admin makes null of an input that was emptied.
  const data = { ...current, title: 'Red kite', text: null };
  const { data: updated } = await provider.update('projects', { id: 1, data, previousData: current });
  expect(updated).toMatchObject({ title: 'Red kite', text: '' });
  expect((await provider.delete('projects', { id: 1, previousData: updated })).data).toEqual(updated);
  await expect(provider.getOne('projects', { id: 1 })).rejects.toMatchObject({ status: 404 });
});

test('updateMany and deleteMany', async () => {
  const { provider } = await start(...projects);
  const changed = await provider.updateMany('projects', { ids: [1, 2], data: { tags: 'kite' } });
  expect(changed.data).toEqual([1, 2]);
  const kites = { pagination, sort: byId, filter: { tags: 'kite' } };
  expect(idsOf(await provider.getList('projects', kites))).toEqual([1, 2]);
  expect((await provider.deleteMany('projects', { ids: [2, 3] })).data).toEqual([2, 3]);
  expect(idsOf(await provider.getList('projects', { pagination, sort: byId }))).toEqual([1, 4]);
});
