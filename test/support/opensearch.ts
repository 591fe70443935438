// A small server that speaks what Vitrine says to OpenSearch, as its documentation has it: documents are found after a refresh,
// an older version is refused, and arrays of texts have gaps.

import { closeLater } from './closing.ts';

interface Document {
  readonly version: number;
  /** Undefined when it was deleted. */
  readonly source: Record<string, unknown> | undefined;
}

interface Clause {
  readonly bool?: { readonly filter?: readonly Clause[]; readonly should?: readonly Clause[] };
  readonly match_phrase?: Record<string, string>;
  readonly match_phrase_prefix?: Record<string, { readonly query: string }>;
  readonly prefix?: Record<string, string>;
  readonly term?: Record<string, unknown>;
  readonly terms?: Record<string, readonly unknown[]>;
}

const textFields = new Set(['title', 'tags', 'name', 'text', 'more']);
const split = (text: string) => text.split(/\s+/).filter(Boolean);

/** Texts are split when they are written. */
function analyze(source: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(source).map(([field, value]) => [
    field,
    textFields.has(field) ? [value].flat().map((text) => split(String(text))) : value,
  ]);
  return Object.fromEntries(entries);
}

function hasPhrase(texts: unknown, phrase: string, isPrefix: boolean): boolean {
  const words = split(phrase);
  const isWord = (word: string | undefined, index: number) =>
    isPrefix && index === words.length - 1 ? word?.startsWith(words[index] ?? '') : word === words[index];
  return (texts as string[][]).some((found) =>
    found.some((_, start) => words.every((_, index) => isWord(found[start + index], index))),
  );
}

function isMatch(source: Record<string, unknown>, clause: Clause): boolean {
  const [[kind, content] = []] = Object.entries(clause);
  const [[field = '', value] = []] = Object.entries(content as object);
  switch (kind) {
    case 'bool': {
      const { filter = [], should } = clause.bool ?? {};
      const isWanted = (one: Clause) => isMatch(source, one);
      return filter.every(isWanted) && (should === undefined || should.some(isWanted));
    }
    case 'match_phrase':
      return hasPhrase(source[field], value, false);
    case 'match_phrase_prefix':
      return hasPhrase(source[field], value.query, true);
    case 'prefix':
      return hasPhrase(source[field], value, true);
    case 'term':
      return textFields.has(field) ? hasPhrase(source[field], value, false) : source[field] === value;
    case 'terms':
      return value.includes(source[field]);
    default:
      throw new Error(`unknown clause ${kind}`);
  }
}

export class OpenSearchServer {
  /** How many searches it has answered. */
  searches = 0;
  /** The response to everything, or to searches, if it is broken. */
  failure: { readonly status: number; readonly body: string; readonly isForSearches?: boolean } | undefined;
  /** Resolved when it responds again. */
  #frozen: PromiseWithResolvers<void> | undefined;
  /** Whether it has the index. */
  exists = false;
  #written = new Map<string, Document>();
  #searchable = new Map<string, Document>();
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: (request) => this.#respond(request),
  });

  constructor() {
    closeLater(() => this.#server.stop(true));
  }

  get url(): string {
    return `http://reader:secret@127.0.0.1:${this.#server.port}/projects`;
  }

  get urlWithoutPassword(): string {
    return this.url.replace('reader:secret@', '');
  }

  /** All that can be found, by id. */
  get documents(): Map<string, unknown> {
    const present = [...this.#searchable].filter(([, { source }]) => source?.id !== undefined);
    return new Map(present.map(([id, { source }]) => [id, source]));
  }

  freeze(isFrozen: boolean): void {
    this.#frozen?.resolve();
    this.#frozen = isFrozen ? Promise.withResolvers() : undefined;
  }

  async #respond(request: Request): Promise<Response> {
    await this.#frozen?.promise;
    if (request.headers.get('Authorization') !== `Basic ${btoa('reader:secret')}`)
      return new Response('Unauthorized', { status: 401 });
    const { pathname, searchParams } = new URL(request.url);
    const path = pathname.replace(/^\/projects\/?/, '');
    const { failure } = this;
    if (failure && (!failure.isForSearches || path === '_search'))
      return new Response(failure.body, { status: failure.status });
    const isMissing = !this.exists && path !== '';
    if (isMissing) return Response.json({ error: { reason: 'no such index [projects]' } }, { status: 404 });
    switch (`${request.method} ${path}`) {
      case 'DELETE ':
      case 'PUT ': {
        if (request.method === 'PUT' && this.exists)
          return Response.json({ error: { reason: 'index [projects/x] already exists' } }, { status: 400 });
        this.exists = request.method === 'PUT';
        this.#written = new Map();
        this.#searchable = new Map();
        return Response.json({ acknowledged: true });
      }
      case 'POST _refresh':
        this.#searchable = new Map(this.#written);
        return Response.json({});
      case 'POST _bulk':
        return Response.json({ items: this.#writeAll(await request.text()) });
      case 'POST _search':
        this.searches++;
        return Response.json(this.#search((await request.json()) as never));
      case 'GET _doc/progress': {
        const found = this.#written.get('progress')?.source;
        return Response.json({ found: found !== undefined, _source: found }, { status: found ? 200 : 404 });
      }
      case 'PUT _doc/progress': {
        const version = Number(searchParams.get('version'));
        const status = this.#write('progress', version, (await request.json()) as Record<string, unknown>);
        return Response.json({}, { status });
      }
      default:
        return Response.json({ error: { reason: 'no handler found' } }, { status: 400 });
    }
  }

  #write(id: string, version: number, source: Document['source']): number {
    if ((this.#written.get(id)?.version ?? 0) > version) return 409;
    this.#written.set(id, { version, source });
    return 200;
  }

  #writeAll(body: string): object[] {
    const lines = body.trimEnd().split('\n');
    const items: object[] = [];
    while (lines.length > 0) {
      const [[action = '', { _id = '', version = 0 } = {}] = []] = Object.entries(
        JSON.parse(lines.shift() ?? '') as Record<string, { _id?: string; version?: number }>,
      );
      const source = action === 'index' ? analyze(JSON.parse(lines.shift() ?? '')) : undefined;
      items.push({ [action]: { status: this.#write(_id, version, source) } });
    }
    return items;
  }

  #search({ query, size }: { readonly query: Clause; readonly size: number }): object {
    const found = [...this.#searchable.values()].flatMap(({ source }) =>
      source?.id !== undefined && isMatch(source, query) ? [source.id as number] : [],
    );
    const ids = found.sort((one, other) => other - one).slice(0, size);
    return ids.length === 0 ? {} : { hits: { hits: ids.map((id) => ({ sort: [id] })) } };
  }
}
