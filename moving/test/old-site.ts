// A small site with the interface that `vitrine adopt` reads. It pages and refuses as Django REST framework does.

import { closeLater } from '../../test/support/closing.ts';

export interface OldItem {
  readonly id: number;
  content_type: string;
  /** Without `lastName`, it is the last word. */
  contributor: { readonly id: number; readonly username: string; name: string; lastName?: string };
  /** The other members of the record. */
  members: Record<string, unknown>;
}

export interface OldSite {
  readonly address: string;
  readonly origin: string;
  readonly items: Map<number, OldItem>;
  /** The requests so far. */
  readonly requests: { readonly url: URL; readonly headers: Headers; readonly at: number }[];
  /** Runs before each response, and can send another one. */
  intercept: (url: URL, count: number) => Response | undefined | Promise<Response | undefined>;
  paging: 'page' | 'offset';
  pageSize: number;
  hasModifiedFilter: boolean;
  /** How its database sorts last names. */
  compareLastNames: (one: string, other: string) => number;
  record(item: OldItem): Record<string, unknown>;
}

export function item(id: number, members: Record<string, unknown> = {}, contentType = 'text'): OldItem {
  const time = `2014-05-${String(1 + (id % 28)).padStart(2, '0')}T14:24:25.${String(id % 1_000_000).padStart(6, '0')}+00:00`;
  return {
    id,
    content_type: contentType,
    contributor: { id: 7, username: 'ada', name: 'Ada Lovelace' },
    members: {
      created: time,
      modified: time,
      title: `Item ${id}`,
      uuid: `uuid${String(id).padStart(18, '0')}`,
      slug: `item-${id}`,
      copied_from: null,
      visibility: 'public',
      tags: '',
      text: '',
      status: 1,
      rating_count: 0,
      rating_sum: 0,
      karma: 0,
      ...members,
    },
  };
}

export function startOldSite(items: readonly OldItem[]): OldSite {
  const server = Bun.serve({
    port: 0,
    hostname: 'localhost',
    development: false,
    async fetch(request) {
      const url = new URL(request.url);
      site.requests.push({ url, headers: request.headers, at: performance.now() });
      const response = await site.intercept(url, site.requests.length);
      return response ?? respond(site, url);
    },
  });
  const { origin } = server.url;
  const site: OldSite = {
    address: `${origin}/api/v1/`,
    origin,
    items: new Map(items.map((item) => [item.id, item])),
    requests: [],
    intercept: () => undefined,
    paging: 'page',
    pageSize: 5,
    hasModifiedFilter: true,
    compareLastNames: compareLowerCase,
    record({ id, contributor, members }) {
      const { created, modified, title, uuid, slug, copied_from, ...others } = members;
      return {
        id,
        url: `${origin}/api/v1/projects/${id}/?format=api`,
        html_url: `${origin}/content/${uuid}/${slug}/`,
        ...{ created, modified, title, uuid, slug, copied_from },
        contributor_name: contributor.name,
        contributor_html_url: `${origin}/contributors/${contributor.id}-${contributor.username}/?format=api`,
        ...others,
      };
    },
  };
  closeLater(() => server.stop(true));
  return site;
}

type Order = (one: OldItem, other: OldItem) => number;

function orderOf({ compareLastNames }: OldSite, ordering: string | null): Order {
  if (ordering === 'id') return (one, other) => one.id - other.id;
  if (!ordering?.endsWith('contributor__last_name')) return (one, other) => other.id - one.id;
  const sign = ordering.startsWith('-') ? -1 : 1;
  return (one, other) => sign * (compareLastNames(lastNameOf(one), lastNameOf(other)) || one.id - other.id);
}

const lastNameOf = ({ contributor: { name, lastName } }: OldItem) =>
  lastName ?? (name.includes(' ') ? name.slice(name.lastIndexOf(' ') + 1) : '');
const compareLowerCase = (one: string, other: string) =>
  compareCodePoints(one.toLowerCase(), other.toLowerCase());

/** As SQLite does, and PostgreSQL in the C locale. */
export const compareCodePoints = (one: string, other: string) =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

function respond(site: OldSite, url: URL): Response {
  const [, id] = /^\/api\/v1\/projects\/(?:(\d+)\/)?$/.exec(url.pathname) ?? [];
  if (id === undefined) return list(site, url);
  const found = site.items.get(Number(id));
  return found ? Response.json(site.record(found)) : notFound('Not found.');
}

const notFound = (detail: string) => Response.json({ detail }, { status: 404 });

function list(site: OldSite, url: URL): Response {
  const query = url.searchParams;
  const since = site.hasModifiedFilter ? query.get('modified__gte') : null;
  const found = [...site.items.values()]
    .filter(({ content_type }) => [null, content_type].includes(query.get('content_type')))
    .filter(({ members }) => since === null || Date.parse(String(members.modified)) >= Date.parse(since))
    .sort(orderOf(site, query.get('ordering')));
  const page = Number(query.get('page') ?? 1);
  const start = site.paging === 'page' ? (page - 1) * site.pageSize : Number(query.get('offset') ?? 0);
  if (site.paging === 'page' && page > 1 && start >= found.length) return notFound('Invalid page.');
  const next = new URL(url);
  if (site.paging === 'page') next.searchParams.set('page', String(page + 1));
  else {
    next.searchParams.set('limit', String(site.pageSize));
    next.searchParams.set('offset', String(start + site.pageSize));
  }
  return Response.json({
    count: found.length,
    next: start + site.pageSize < found.length ? next.href : null,
    previous: null,
    results: found.slice(start, start + site.pageSize).map((item) => site.record(item)),
  });
}
