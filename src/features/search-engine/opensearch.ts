// An index of OpenSearch, by its documented HTTP API. Words come split and folded as in our own search, so that both find the
// same. See docs/decisions/0107-search-engine.md.

import { OperatorError } from '#common/errors.ts';
import { timeLimits } from '#common/time-limits.ts';
import type { Phrase, SearchedMembers, SearchWords } from '#sql';
import { maxEngineMatches } from '../../projects/searching/matches.ts';
import type { EnginePosition, EngineQuery } from '../../projects/searching/search-engine.ts';

export interface SearchDocument {
  readonly id: number;
  readonly type: string;
  readonly isListed: boolean;
  readonly words: SearchWords;
}

/** How far the index is filled. */
export interface IndexProgress extends EnginePosition {
  /** The gallery that it is filled from. */
  readonly gallery: string;
  /** While it is filled with all projects, the id of the last one; null after that. */
  readonly project: number | null;
}

/** The engine does not do what it is asked for. */
export class RefusedRequest extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

const fillMs = 60_000;
const maxBulkLength = 5_000_000;
/** For words that begin with the last one of a phrase. */
const maxExpansions = 1000;

const searchedFields: Readonly<Record<SearchedMembers, readonly string[]>> = {
  title: ['title'],
  'title, tags and name': ['title', 'tags', 'name'],
  all: ['title', 'tags', 'name', 'text'],
};

const words = { type: 'text', analyzer: 'whitespace', norms: false };
const index = {
  // `saveProgress` makes documents searchable.
  settings: { index: { refresh_interval: '-1', max_result_window: maxEngineMatches } },
  mappings: {
    dynamic: false,
    _source: { includes: ['progress'] },
    properties: {
      title: words,
      tags: words,
      name: words,
      text: words,
      more: words,
      id: { type: 'long' },
      type: { type: 'keyword' },
      listed: { type: 'boolean' },
    },
  },
};

/** The document that says how far the index is filled. */
const progressDocument = '_doc/progress';

export class OpenSearchIndex {
  readonly #url: string;
  readonly #headers: Record<string, string>;

  constructor(address: string) {
    const { origin, pathname, username, password } = new URL(address);
    this.#url = origin + pathname;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    this.#headers = username ? { Authorization: `Basic ${Buffer.from(credentials).toBase64()}` } : {};
  }

  /** Without what is secret. */
  get url(): string {
    return this.#url;
  }

  /** Undefined if the index is empty or missing. */
  async readProgress(): Promise<IndexProgress | undefined> {
    try {
      const { _source } = await this.#send('GET', progressDocument, undefined, timeLimits.searchEngine);
      return _source.progress;
    } catch (error) {
      if (error instanceof RefusedRequest && error.status === 404) return undefined;
      throw error;
    }
  }

  /** From now on, what was written is found. An older position, which another process saves later, is refused. */
  async saveProgress(progress: IndexProgress): Promise<void> {
    if (progress.project === null) await this.#send('POST', '_refresh');
    const version = `version=${progress.number}&version_type=external_gte`;
    await this.#send('PUT', `${progressDocument}?${version}`, JSON.stringify({ progress }));
  }

  async delete(): Promise<void> {
    await this.#send('DELETE', '?ignore_unavailable=true');
  }

  /** An index with this name may belong to another program. */
  async create(): Promise<void> {
    try {
      await this.#send('PUT', '', JSON.stringify(index));
    } catch (error) {
      if (!(error instanceof RefusedRequest && error.message.includes('already exists'))) throw error;
      throw new OperatorError(
        `The index ${this.#url} is there already, and Vitrine has not filled it: choose another name, or delete it.`,
      );
    }
  }

  /**
   * Replaces these documents and deletes others. The version is a number of the log that they were read after: what another
   * process has read later stays.
   */
  async write(
    documents: readonly SearchDocument[],
    deleted: readonly number[],
    version: number,
  ): Promise<void> {
    const versioned = (id: number) => ({ _id: String(id), version, version_type: 'external_gte' });
    const actions = [
      ...documents.map(
        (document) =>
          `${JSON.stringify({ index: versioned(document.id) })}\n${JSON.stringify(toBody(document))}\n`,
      ),
      ...deleted.map((id) => `${JSON.stringify({ delete: versioned(id) })}\n`),
    ];
    for (let first = 0, end = 0; first < actions.length; first = end) {
      let length = 0;
      while (end < actions.length && (end === first || length + (actions[end] ?? '').length < maxBulkLength))
        length += (actions[end++] ?? '').length;
      await this.#sendBulk(actions.slice(first, end).join(''));
    }
  }

  async find({ phrases, members, types, onlyListed, limit }: EngineQuery): Promise<number[]> {
    const filter: object[] = phrases.map((phrase) => matchesAny(phrase, searchedFields[members]));
    if (types.length > 0) filter.push({ terms: { type: types } });
    if (onlyListed) filter.push({ term: { listed: true } });
    const query = { bool: { filter } };
    const body = { query, size: limit, sort: [{ id: 'desc' }], _source: false, track_total_hits: false };
    const path = '_search?filter_path=hits.hits.sort';
    const { hits } = await this.#send('POST', path, JSON.stringify(body), timeLimits.searchEngine);
    const found: { readonly sort: readonly [number] }[] = hits?.hits ?? [];
    return found.map(({ sort: [id] }) => id);
  }

  async #sendBulk(body: string): Promise<void> {
    const { items } = await this.#send('POST', '_bulk?filter_path=items.*.status,items.*.error', body);
    // 404: there was nothing to delete. 409: another process knew more.
    for (const item of items as Record<string, { status: number; error?: { reason: string } }>[])
      for (const { status, error } of Object.values(item))
        if (status >= 300 && status !== 404 && status !== 409)
          throw new RefusedRequest(status, `it does not take a project: ${error?.reason ?? status}`);
  }

  async #send(method: string, path: string, body?: string, timeoutMs = fillMs) {
    const type = path.startsWith('_bulk') ? 'application/x-ndjson' : 'application/json';
    const response = await fetch(`${this.#url}${/^\w/.test(path) ? '/' : ''}${path}`, {
      method,
      headers: { ...this.#headers, 'Content-Type': type },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isConflict = response.status === 409;
    if (!response.ok && !isConflict)
      throw new RefusedRequest(response.status, describe(response.status, text));
    return JSON.parse(text);
  }
}

function describe(status: number, text: string): string {
  const [, reason = 'without a reason'] = /"reason":"((?:[^"\\]|\\.)*)"/.exec(text) ?? [];
  return `it responds with ${status}: ${reason.slice(0, 200)}`;
}

const toBody = ({
  id,
  type,
  isListed,
  words: { title, tags, name, text, unpositioned },
}: SearchDocument) => ({
  id,
  type,
  listed: isListed,
  title: title.join(' '),
  tags: tags.map((tag) => tag.join(' ')),
  name: name.join(' '),
  text,
  more: unpositioned.join(' '),
});

function matchesAny(phrase: Phrase, fields: readonly string[]): object {
  const should = fields.map((field) => matches(phrase, field));
  // In any order.
  const inMore = ({ words, isPrefix }: Phrase) =>
    words.map((word, place) =>
      matches({ words: [word], isPrefix: isPrefix && place === words.length - 1 }, 'more'),
    );
  if (fields.includes('text')) should.push({ bool: { filter: inMore(phrase) } });
  return { bool: { should } };
}

function matches({ words, isPrefix }: Phrase, field: string): object {
  const query = words.join(' ');
  if (!isPrefix) return { match_phrase: { [field]: query } };
  return words.length === 1
    ? { prefix: { [field]: query } }
    : { match_phrase_prefix: { [field]: { query, max_expansions: maxExpansions } } };
}
