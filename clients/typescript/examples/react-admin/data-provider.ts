// A data provider for React-admin, built on vitrine-client. The README beside it says how to use it.

import {
  type DataProvider,
  type GetListParams,
  type GetListResult,
  type GetOneResult,
  HttpError,
  type Identifier,
} from 'ra-core';
import { type Gallery, GalleryError, type KnownProject, type Page } from 'vitrine-client';

/** Any: React-admin lets the component say which members a record has. */
type AnyRecord = GetOneResult['data'];

/** A file as `FileInput` and `ImageInput` have it in the form. Others, which the gallery has already, have no `rawFile`. */
interface PickedFile {
  readonly rawFile?: File;
}

/** One, several or none, as the input has `multiple` or not. */
type PickedFiles = PickedFile | readonly PickedFile[] | null;

const maxPageSize = 100;
const include = ['content_type', 'contributor', 'media', 'link'] as const;

export function createDataProvider(gallery: Gallery): DataProvider {
  return {
    supportAbortSignal: true,

    getList: (resource, params) => withHttpError(readList(gallery, `${resource}/`, params)),

    async getOne(resource, { id, signal }) {
      return { data: await withHttpError(readOne(gallery, resource, id, signal)) };
    },

    async getMany(resource, { ids, signal }) {
      return { data: await withHttpError(readMany(gallery, resource, ids, signal)) };
    },

    /** The target is a filter of the list, such as `contributor` or `copied_from`; for comments, it is `parent`. */
    getManyReference(resource, { target, id, filter, ...params }) {
      const isThread = target === 'parent';
      const path = isThread ? `projects/${id}/comments/` : `${resource}/`;
      const filters = isThread ? filter : { ...filter, [target]: id };
      return withHttpError(readList(gallery, path, { ...params, filter: filters }));
    },

    async create(resource, { data: { title, files, ...values } }) {
      requireProjects(resource);
      const project = gallery.projects.create(
        { title, ...toChanges(values) },
        { files: toFiles(files), include },
      );
      return { data: await withHttpError<AnyRecord>(project) };
    },

    /** If anybody has changed the project since it was read, the error is 412 and nothing is written. */
    async update(resource, { id, data: { files, ...values }, previousData }) {
      requireProjects(resource);
      const changes = toChanges(values, previousData);
      const change = gallery.projects.update(toKnown(id, previousData), changes, { include });
      const project = await withHttpError<AnyRecord>(change);
      const added = toFiles(files);
      if (!added) return { data: project };
      await withHttpError(gallery.projects.media(project).upload(added));
      return { data: await withHttpError<AnyRecord>(gallery.projects.get(project.id, { include })) };
    },

    async updateMany(resource, { ids, data }) {
      requireProjects(resource);
      for (const id of ids) await withHttpError(gallery.projects.update(Number(id), data));
      return { data: ids };
    },

    async delete(resource, { id, previousData }) {
      requireProjects(resource);
      await withHttpError(gallery.projects.delete(toKnown(id, previousData)));
      const data: AnyRecord = previousData ?? { id };
      return { data };
    },

    async deleteMany(resource, { ids }) {
      requireProjects(resource);
      for (const id of ids) await withHttpError(gallery.projects.delete(Number(id)));
      return { data: ids };
    },
  };
}

/** `limit` and `offset` instead of pages: a page that does not exist any more is empty, not an error. */
async function readList(gallery: Gallery, path: string, params: GetListParams): Promise<GetListResult> {
  const { pagination: { page, perPage } = { page: 1, perPage: maxPageSize }, sort, filter, signal } = params;
  const { q: search, ...filters } = filter ?? {};
  const ordering = sort && `${sort.order === 'DESC' ? '-' : ''}${sort.field}`;
  const data: AnyRecord[] = [];
  // An export asks for 1,000 records at once.
  for (let offset = (page - 1) * perPage; ; offset += maxPageSize) {
    const limit = Math.min(perPage - data.length, maxPageSize);
    const query = { ...filters, search, ordering, include, limit, offset };
    const { count, next, results } = await gallery.request<Page<AnyRecord>>({ path, query, signal });
    data.push(...results);
    if (!next || data.length >= perPage) return { data, total: count };
  }
}

const readOne = (gallery: Gallery, resource: string, id: Identifier, signal?: AbortSignal) =>
  gallery.request<AnyRecord>({ path: `${resource}/${id}/`, query: { include }, signal });

async function readMany(gallery: Gallery, resource: string, ids: Identifier[], signal?: AbortSignal) {
  const records: AnyRecord[] = [];
  if (resource === 'projects')
    for (let start = 0; start < ids.length; start += maxPageSize) {
      const filter = { id__in: ids.slice(start, start + maxPageSize) };
      records.push(...(await readList(gallery, 'projects/', { filter, signal })).data);
    }
  // The list leaves out archived projects. Lists of other records have no filter for ids.
  const listed = new Set(records.map(({ id }) => String(id)));
  for (const id of ids.filter((id) => !listed.has(String(id)))) {
    const record = await readOne(gallery, resource, id, signal).catch(ignoreMissing);
    if (record) records.push(record);
  }
  return records;
}

function ignoreMissing(error: unknown): undefined {
  if (!(error instanceof GalleryError) || error.status !== 404) throw error;
}

function requireProjects(resource: string): void {
  if (resource !== 'projects') throw new HttpError(`${resource} can only be read.`, 405);
}

/** With the record that was read, a change by somebody else is noticed. */
const toKnown = (id: Identifier, previousData: AnyRecord): number | KnownProject =>
  previousData ?? Number(id);

function toFiles(picked: PickedFiles | undefined): File[] | undefined {
  const files = [picked ?? []].flat().flatMap(({ rawFile }) => rawFile ?? []);
  return files.length > 0 ? files : undefined;
}

/** The members that differ from the record. An input that was emptied has `null`, and the API wants an empty text. */
function toChanges(values: object, previous: Readonly<Record<string, unknown>> = {}) {
  const changes = Object.entries(values).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(previous[name]),
  );
  return Object.fromEntries(changes.map(([name, value]) => [name, value ?? '']));
}

/** React-admin shows `message`, or `body.errors` beside the inputs. */
async function withHttpError<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise;
  } catch (error) {
    if (!(error instanceof GalleryError)) throw error;
    const fields = Object.entries(error.fields).filter(([name]) => name !== 'non_field_errors');
    const errors = Object.fromEntries(fields.map(([name, texts]) => [name, texts.join(' ')]));
    throw new HttpError(error.detail, error.status, fields.length > 0 ? { errors } : undefined);
  }
}
