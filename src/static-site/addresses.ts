// Where the folder has what visitors find at an address of the gallery: the same address, or for a query a path of its own.
// Addresses are pure ASCII, and files have the decoded names.

import { join } from 'node:path';

/** A project that visitors find in lists. */
export interface KnownProject {
  readonly id: number;
  readonly slug: string;
  /** The uuid in its address: another one, if two uuids differ by case only. */
  readonly place: string;
}

export interface AddressRules {
  /** The project with this uuid; undefined if it is not in the folder. */
  findProject(uuid: string): KnownProject | undefined;
  /** Too many projects for one folder of a file system: two levels of folders are between. */
  readonly isDeep: boolean;
}

/** Something that the folder has. */
export interface Found {
  /** Where it is in the folder. */
  readonly address: string;
  /** What the gallery is asked for: a path with a query. */
  readonly url: string;
}

/** What the folder has of a path with a query; undefined if it has nothing. */
export function findStatic(url: string, rules: AddressRules): Found | undefined {
  const parsed = URL.parse(`http://gallery${url}`);
  if (!parsed) return undefined;
  const { pathname: path, searchParams: query } = parsed;
  const wantsJson = ['json', 'api'].includes(query.get('format') ?? '');
  query.delete('format');
  if (query.get('page') === '1') query.delete('page');
  if (wantsJson || path.startsWith('/api/')) return findJson(path, query, rules);
  const address = findProjectPage(path, query, rules) ?? findOther(path, query, rules);
  return address === undefined ? undefined : { address, url: query.size ? `${path}?${query}` : path };
}

/** The file of an address, relative to the folder. */
export const toFile = (address: string): string =>
  join('.', decodeURIComponent(address), address.endsWith('/') ? 'index.html' : '');

const lists = /^\/(?:contributors\/(\d+)-[^/]+\/)?$/;
const feeds = /^\/(?:contributors\/(\d+)-[^/]+\/)?feed\.(?:atom|json)$/;
const plainFiles =
  /^\/(?:assets|accents|sitemaps)\/[\w.-]+$|^\/(?:sitemap\.xml|manifest\.webmanifest|favicon\.ico|apple-touch-icon\.png)$/;
const plainPages = /^\/(?:about|rules)\/$/;

function findOther(path: string, query: URLSearchParams, rules: AddressRules): string | undefined {
  const [, media, rest] = /^\/media\/([0-9a-f]{64})(\.[a-z0-9]+)$/.exec(path) ?? [];
  if (media !== undefined) return `/media/${rules.isDeep ? firstLetters(media) : ''}${media}${rest}`;
  if (plainFiles.test(path) || plainPages.test(path)) return query.size ? undefined : path;
  const [, contributor] = lists.exec(path) ?? feeds.exec(path) ?? [];
  const place = contributor ? placePerson(path, contributor, rules) : path;
  if (feeds.test(path)) {
    const [folder, file] = [
      place.slice(0, place.lastIndexOf('/') + 1),
      path.slice(path.lastIndexOf('/') + 1),
    ];
    const list = withQuery(folder, query, filters);
    return list && !query.has('page') ? list + file : undefined;
  }
  if (path === '/tags/') return withQuery(place, query, [], rules);
  return lists.test(path) ? withQuery(place, query, filters, rules) : undefined;
}

/** File systems take names of 255 bytes. */
function placePerson(path: string, id: string, { isDeep }: AddressRules): string {
  const [, , person = '', rest = ''] = /^\/(contributors)\/([^/]+)(.*)$/.exec(path) ?? [];
  const hasRoom = Buffer.byteLength(decodeURIComponent(person)) <= maxSegment;
  return `/contributors/${isDeep ? thousand(id) : ''}${hasRoom ? person : `${id}-${hashOf(person)}`}${rest}`;
}

const hashOf = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex').slice(0, 16);

const filters = ['content_type', 'tags'];

/** A list with one filter or none, and its further pages. */
function withQuery(
  path: string,
  query: URLSearchParams,
  names: readonly string[],
  rules?: Pick<AddressRules, 'isDeep'>,
): string | undefined {
  const given = [...query].filter(([name]) => name !== 'page');
  if (given.length > 1 || given.some(([name]) => !names.includes(name))) return undefined;
  const [filter] = given;
  return path + (filter ? `${filter[0]}/${toSegment(filter[1])}/` : '') + pagePath(query, rules?.isDeep);
}

function pagePath(query: URLSearchParams, isDeep = false): string {
  const page = query.get('page');
  return page === null ? '' : `page/${isDeep && page.length > 3 ? thousand(page) : ''}${page}/`;
}

const maxSegment = 200;

/** In one case, so that no two names differ by that only. The script of the pages does the same: assets/static-site.js. */
export function toSegment(text: string): string {
  const segment = Array.from(Buffer.from(text), (byte) => {
    const sign = String.fromCharCode(byte);
    return /[a-z0-9-]/.test(sign) ? sign : sign === ' ' ? '_' : `~${byte.toString(16).padStart(2, '0')}`;
  }).join('');
  if (segment.length <= maxSegment) return segment;
  return `${segment.slice(0, maxSegment)}~${hashOf(text)}`;
}

const projectPages = ['', 'lineage/', 'comparison/', 'history/', 'files/'];

function findProjectPage(path: string, query: URLSearchParams, rules: AddressRules): string | undefined {
  const [, uuid = '', rest = ''] = /^\/content\/(\w+)\/(.*)$/.exec(path) ?? [];
  const project = uuid ? rules.findProject(uuid) : undefined;
  if (!project) return undefined;
  const folder = `/content/${rules.isDeep ? firstLetters(uuid) : ''}${project.place}/`;
  if (rest === 'qr.svg' || rest === '') return query.size ? undefined : folder + rest;
  const page = rest.slice(rest.indexOf('/') + 1);
  if (!projectPages.includes(page) || query.size > (page === '' && query.has('page') ? 1 : 0))
    return undefined;
  // Links with an earlier slug lead to the present one.
  return `${folder}${project.slug}/${page}${pagePath(query)}`;
}

const apiPaths = /^\/api\/v1\/(?:(projects|contributors)\/(?:(\d+)\/)?|tags\/)$/;

/** Lists without filters, and records. The page of a project or a person is their record as JSON. */
function findJson(asked: string, query: URLSearchParams, rules: AddressRules): Found | undefined {
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
