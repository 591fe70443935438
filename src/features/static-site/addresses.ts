// The addresses of the folder: those of the gallery, and for a query a path of its own. Addresses are pure ASCII, and files
// have the decoded names.

import { normalize } from 'node:path';
import { listStaticProjectPages } from '../../core/pages/static-copy.ts';

/** A project that visitors find in lists. */
export interface KnownProject {
  readonly id: number;
  readonly slug: string;
  /** The uuid, or another name if two uuids differ by case only. */
  readonly folder: string;
}

export interface AddressRules {
  /** The project with this uuid; undefined if it is not in the folder. */
  findProject(uuid: string): KnownProject | undefined;
  /** Two levels of folders are between, as one folder would have too many projects. */
  readonly isDeep: boolean;
}

export interface StaticAddress {
  /** In the folder. */
  readonly address: string;
  /** The path with the query at which the gallery's server has the same. */
  readonly url: string;
}

/** Undefined for a path with a query that the folder has no place for. There may be nothing at the address. */
export function findStaticAddress(url: string, rules: AddressRules): StaticAddress | undefined {
  const parsed = URL.parse(`http://gallery${url}`);
  if (!parsed) return undefined;
  const { pathname: path, searchParams: query } = parsed;
  if (!/^\d{1,9}$/.test(query.get('page') ?? '1')) return undefined;
  const wantsJson = ['json', 'api'].includes(query.get('format') ?? '');
  query.delete('format');
  if (query.get('page') === '1') query.delete('page');
  if (wantsJson || path.startsWith('/api/')) return findJson(path, query, rules);
  const address = findProjectPage(path, query, rules) ?? findOther(path, query, rules);
  return address === undefined ? undefined : { address, url: query.size ? `${path}?${query}` : path };
}

/** The file of an address, relative to the folder. */
export function toFile(address: string): string {
  const file = normalize(decodeURIComponent(address).slice(1) + (address.endsWith('/') ? 'index.html' : ''));
  if (file.startsWith('..')) throw new Error(`${address} leads out of the folder`);
  return file;
}

const plainPaths =
  /^\/(?:(?:assets|accents|sitemaps)\/[\w.-]+|sitemap\.xml|manifest\.webmanifest|favicon\.ico|apple-touch-icon\.png|about\/|rules\/)$/;

function findOther(path: string, query: URLSearchParams, rules: AddressRules): string | undefined {
  const [, media, ending] = /^\/media\/([0-9a-f]{64})(\.[a-z0-9]+)$/.exec(path) ?? [];
  if (media !== undefined) return `/media/${rules.isDeep ? firstLetters(media) : ''}${media}${ending}`;
  if (plainPaths.test(path)) return query.size ? undefined : path;
  const [isList, person, file = ''] =
    /^\/(?:(contributors\/[^/]+|tags)\/)?(feed\.(?:atom|json))?$/.exec(path) ?? [];
  if (isList === undefined || (file && (person === 'tags' || query.has('page')))) return undefined;
  if (person === undefined || person === 'tags')
    return addFilter(person ? '/tags/' : '/', query, person ? [] : filters, rules, file);
  const folder = findPersonFolder(person.slice('contributors/'.length), rules);
  return folder && addFilter(folder, query, filters, rules, file);
}

/** File systems take names of 255 bytes. */
function findPersonFolder(name: string, { isDeep }: AddressRules): string | undefined {
  const [id] = /^\d+(?=-)/.exec(name) ?? [];
  const bytes = byteLength(name);
  if (id === undefined || bytes === undefined) return undefined;
  const folder = bytes <= maxSegment ? name : `${id}-${hashOf(name)}`;
  return `/contributors/${isDeep ? thousand(id) : ''}${folder}/`;
}

/** Undefined for a part of a path that is no UTF-8. */
function byteLength(encoded: string): number | undefined {
  try {
    return Buffer.byteLength(decodeURIComponent(encoded));
  } catch {
    return undefined;
  }
}

const hashOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16);

const filters = ['content_type', 'tags'];

/** A list with one of the filters or none, and its further pages; or the feed of such a list. */
function addFilter(
  path: string,
  query: URLSearchParams,
  names: readonly string[],
  { isDeep }: AddressRules,
  file: string,
): string | undefined {
  const [filter, another] = [...query].filter(([name]) => name !== 'page');
  if (another || (filter && !names.includes(filter[0]))) return undefined;
  const list = filter ? `${filter[0]}/${toSegment(filter[1])}/` : '';
  return path + list + pagePath(query, isDeep) + file;
}

function pagePath(query: URLSearchParams, isDeep = false): string {
  const page = query.get('page');
  return page === null ? '' : `page/${isDeep && page.length > 3 ? thousand(page) : ''}${page}/`;
}

const maxSegment = 200;

/** In one case, so that no two names differ by that only. page-script.js does the same. */
export function toSegment(text: string): string {
  const segment = Array.from(Buffer.from(text), (byte) => {
    const sign = String.fromCharCode(byte);
    return /[a-z0-9-]/.test(sign) ? sign : sign === ' ' ? '_' : `~${byte.toString(16).padStart(2, '0')}`;
  }).join('');
  if (segment.length <= maxSegment) return segment;
  return `${segment.slice(0, maxSegment)}~${hashOf(text)}`;
}

const listProjectPages = () => ['', 'files/', ...listStaticProjectPages()];

function findProjectPage(path: string, query: URLSearchParams, rules: AddressRules): string | undefined {
  const [, uuid = '', rest = ''] = /^\/content\/(\w+)\/(.*)$/.exec(path) ?? [];
  const project = uuid ? rules.findProject(uuid) : undefined;
  if (!project) return undefined;
  const folder = `/content/${rules.isDeep ? firstLetters(uuid) : ''}${project.folder}/`;
  if (rest === 'qr.svg' || rest === '') return query.size ? undefined : folder + rest;
  const page = rest.slice(rest.indexOf('/') + 1);
  if (!listProjectPages().includes(page) || query.size > (page === '' && query.has('page') ? 1 : 0))
    return undefined;
  // Links with an earlier slug lead to the present one.
  return `${folder}${project.slug}/${page}${pagePath(query)}`;
}

const apiPaths = /^\/api\/v1\/(?:(projects|contributors)\/(?:(\d+)\/)?|tags\/)$/;

/** Lists without filters, and records. The page of a project or a person is their record as JSON. */
function findJson(asked: string, query: URLSearchParams, rules: AddressRules): StaticAddress | undefined {
  const path = toApiPath(asked, rules);
  const [isKnown, kind, id] = apiPaths.exec(path) ?? [];
  if (isKnown === undefined || [...query.keys()].some((name) => name !== 'page' || id !== undefined))
    return undefined;
  const url = query.size ? `${path}?${query}` : path;
  const folder =
    id === undefined
      ? path + pagePath(query, rules.isDeep)
      : `/api/v1/${kind}/${rules.isDeep ? thousand(id) : ''}${id}/`;
  return { address: `${folder}index.json`, url };
}

function toApiPath(path: string, { findProject }: AddressRules): string {
  const [, uuid] = /^\/content\/(\w+)\/[^/]+\/$/.exec(path) ?? [];
  const project = uuid === undefined ? undefined : findProject(uuid);
  if (project) return `/api/v1/projects/${project.id}/`;
  const [, contributor] = /^\/contributors\/(\d+)-[^/]+\/$/.exec(path) ?? [];
  return contributor === undefined ? path : `/api/v1/contributors/${contributor}/`;
}

const firstLetters = (name: string) => `${name.slice(0, 2)}/${name.slice(2, 4)}/`;
const thousand = (number: string) => `${number.slice(0, -3) || '0'}/`;
