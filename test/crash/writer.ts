// A writer sends one request after another, and adds acknowledged writes to the ledger. A write without a response is
// looked up afterwards: it was stored as a whole, or not at all.

import { type Item, isSame, type Ledger, type State, stateOf } from './ledger.ts';

export interface Person {
  readonly username: string;
  /** The header with their key. */
  readonly headers: Record<string, string>;
}

type ItemResponse = State & { readonly id: number; readonly copied_from: number | null };

interface Write {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The Idempotency-Key, if it has one. */
  readonly key?: string;
  /** Adds it to the ledger: it was acknowledged, or found to be done. */
  record(response: ItemResponse): void;
  /** Its result, if it was done. */
  find(): Promise<ItemResponse | undefined>;
}

/** It is unknown whether the write was done: the connection ended, or the server was not available. */
export class Unanswered extends Error {}

/** The gallery differs from the ledger. */
export class Loss extends Error {}

const words = 'lamp kite drum oven boat moss gear wool clay vase loom bell'.split(' ');
const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(Math.random() * from.length)] as Value;
const chance = (part: number) => Math.random() < part;

let tokens = 0;
/** A word that is in no other text. */
const token = () => `zq${String(++tokens).padStart(7, '0')}`;

const randomTags = () =>
  [...new Set(Array.from({ length: Math.floor(Math.random() * 4) }, () => pick(words)))].join(', ');
const randomText = () => `${pick(words)} `.repeat(1 + Math.floor(Math.random() ** 3 * 600)).trim();

export class Writer {
  /** Projects that others rate, copy and comment on: their owners never hide them. */
  readonly stage: number[] = [];
  readonly #own: number[] = [];
  readonly #keyed: { write: Write; id: number }[] = [];
  #pending: Write | undefined;

  constructor(
    readonly person: Person,
    private readonly ledger: Ledger,
    /** The current address of the server. */
    private readonly address: () => string,
    private readonly others: () => Writer[],
  ) {}

  async get<Body = ItemResponse>(path: string): Promise<{ status: number; body: Body }> {
    const { status, text } = await this.#request('GET', path);
    return { status, body: JSON.parse(text) as Body };
  }

  async createShared(): Promise<void> {
    for (let count = 0; count < 2; count++) {
      this.stage.push((await this.#perform(this.#create())).id);
    }
    for (const id of this.stage) this.#own.splice(this.#own.indexOf(id), 1);
  }

  async step(): Promise<void> {
    await this.#perform(this.#randomWrite());
  }

  /** Finds out whether the write without a response was done. With a key it is sent again, and must be done once. */
  async settle(): Promise<void> {
    const write = this.#pending;
    if (!write) return;
    const result = await write.find();
    if (write.key === undefined) {
      if (result) write.record(result);
      this.#pending = undefined;
    } else {
      const response = await this.#perform(write);
      if (result && result.id !== response.id)
        throw new Loss(`${write.name}: created ${result.id}, and then ${response.id}`);
    }
  }

  /** Sends the last acknowledged writes again with their keys: the response is the same, and nothing is created. */
  async repeat(count: number): Promise<void> {
    for (const { write, id } of this.#keyed.splice(0).slice(-count)) {
      const { status, text } = await this.#send(write);
      const repeated = status < 300 ? (JSON.parse(text) as ItemResponse).id : undefined;
      if (repeated !== id)
        throw new Loss(`${write.name} with its key again: ${status}, ${repeated} and not ${id}`);
    }
  }

  async #perform(write: Write): Promise<ItemResponse> {
    this.#pending = write;
    const { status, text } = await this.#send(write);
    if (status === 503) throw new Unanswered(`${write.name}: 503`);
    if (status >= 300) throw new Loss(`${write.name}: ${status} ${text}`);
    const response = (text === '' ? {} : JSON.parse(text)) as ItemResponse;
    write.record(response);
    this.#pending = undefined;
    this.ledger.acknowledged++;
    if (write.key !== undefined) this.#keyed.push({ write, id: response.id });
    return response;
  }

  #send({ method, path, body, key }: Write) {
    return this.#request(method, path, body, key);
  }

  async #request(method: string, path: string, body?: unknown, key?: string) {
    try {
      const response = await fetch(`${this.address()}/api/v1${path}`, {
        method,
        headers: {
          ...this.person.headers,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...(key === undefined ? {} : { 'Idempotency-Key': key }),
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    } catch (error) {
      throw new Unanswered(`${method} ${path}`, { cause: error });
    }
  }

  #randomWrite(): Write {
    const own = this.#own.length ? pick(this.#own) : undefined;
    const theirs = pick(pick(this.others()).stage);
    const die = Math.random();
    if (die < 0.25 || own === undefined) return this.#create();
    if (die < 0.45) return this.ledger.item(own).trashed ? this.#restore(own) : this.#patch(own, true);
    if (die < 0.53) return this.#patch(pick(this.stage), false);
    if (die < 0.72) return this.#rate(theirs);
    if (die < 0.83) return this.#comment(theirs);
    if (die < 0.9) return this.#copy(theirs);
    return this.ledger.item(own).trashed ? this.#restore(own) : this.#trash(own);
  }

  #create(): Write {
    const state = { ...this.#words(), visibility: 'public', status: 1 };
    return this.#creation('created', 'create', '/projects/', state, { parent: null, copied_from: null });
  }

  #comment(on: number): Write {
    const state = { ...this.#words(), visibility: 'public', status: 1 };
    return this.#creation('created', 'comment', `/projects/${on}/comments/`, state, {
      parent: on,
      copied_from: null,
    });
  }

  #copy(source: number): Write {
    return this.#creation('copied', 'copy', `/projects/${source}/copy/`, undefined, {
      parent: null,
      copied_from: source,
    });
  }

  #words = () => ({ title: `A ${pick(words)} ${token()}`, text: randomText(), tags: randomTags() });

  /** A copy has the texts that its source had at some time. */
  #creation(
    action: string,
    name: string,
    path: string,
    state: State | undefined,
    origin: Pick<Item, 'parent' | 'copied_from'>,
  ): Write {
    const owner = this.person.username;
    const isWhole = (response: ItemResponse) => {
      if (response.copied_from !== origin.copied_from) return false;
      if (state) return isSame(response, state);
      const source = { ...stateOf(response), visibility: 'public', status: 1 };
      const states = this.ledger.states.get(origin.copied_from as number);
      return response.visibility === 'private' && states?.has(JSON.stringify(source)) === true;
    };
    return {
      name: `${owner} ${name}`,
      method: 'POST',
      path,
      body: state ?? {},
      key: chance(0.5) ? crypto.randomUUID() : undefined,
      record: (response) => {
        if (!isWhole(response)) throw new Loss(`${owner} ${name}: ${JSON.stringify(response)}`);
        this.ledger.add({ ...origin, id: response.id, owner, state: stateOf(response), trashed: false });
        this.ledger.log(`project ${action}`, response.id);
        this.#own.push(response.id);
      },
      find: async () => {
        const query = '?contributor=me&ordering=-id&page_size=5';
        const { results } = await this.#read<{ results: ItemResponse[] }>(`/projects/${query}`);
        const [result, ...more] = results.filter(({ id }) => !this.ledger.items.has(id));
        if (more.length || (result && !isWhole(result)))
          throw new Loss(`${owner} ${name} was not acknowledged: ${JSON.stringify([result, ...more])}`);
        return result;
      },
    };
  }

  /** Projects that others copy keep their visibility. */
  #patch(id: number, mayHide: boolean): Write {
    const item = this.ledger.item(id);
    const before = item.state;
    const { title, text, tags } = this.#words();
    const body: Partial<State> = {
      title,
      ...(chance(0.5) && { text }),
      ...(chance(0.5) && { tags }),
      ...(mayHide && chance(0.3) && { visibility: pick(['public', 'unlisted', 'private']) }),
      ...(mayHide && chance(0.2) && { status: pick([0, 1, 2]) }),
    };
    const after = { ...before, ...body };
    this.ledger.addState(id, after);
    const path = `/projects/${id}/`;
    return {
      name: `${item.owner} patch ${id}`,
      method: 'PATCH',
      path,
      body,
      record: (response) => {
        if (!isSame(response, after)) throw new Loss(`patch ${id}: ${JSON.stringify(response)}`);
        item.state = after;
        this.ledger.log('project changed', id);
      },
      find: async () => {
        const stored = await this.#read(path);
        if (isSame(stored, before)) return undefined;
        if (isSame(stored, after)) return stored;
        throw new Loss(`patch ${id} was not acknowledged: ${JSON.stringify(stored)}`);
      },
    };
  }

  #trash(id: number): Write {
    const item = this.ledger.item(id);
    const path = `/projects/${id}/`;
    return {
      name: `${item.owner} trash ${id}`,
      method: 'DELETE',
      path,
      record: () => {
        item.trashed = true;
        this.ledger.log('project trashed', id);
      },
      find: async () => ((await this.#exists(id)) ? undefined : ({} as ItemResponse)),
    };
  }

  #restore(id: number): Write {
    const item = this.ledger.item(id);
    return {
      name: `${item.owner} restore ${id}`,
      method: 'POST',
      path: `/projects/${id}/restore/`,
      record: () => {
        item.trashed = false;
        this.ledger.log('project restored', id);
      },
      find: async () => ((await this.#exists(id)) ? ({} as ItemResponse) : undefined),
    };
  }

  #rate(id: number): Write {
    const { username } = this.person;
    const ratings = this.ledger.ratingsOf(id);
    const before = ratings.get(username);
    const value =
      before !== undefined && chance(0.3) ? undefined : pick([1, 2, 3, 4, 5].filter((v) => v !== before));
    const path = `/projects/${id}/rating/`;
    return {
      name: `${username} rate ${id}`,
      method: value === undefined ? 'DELETE' : 'PUT',
      path,
      body: value === undefined ? undefined : { value },
      record: () => {
        if (value === undefined) ratings.delete(username);
        else ratings.set(username, value);
        this.ledger.log(value === undefined ? 'rating withdrawn' : 'rating rated', id);
      },
      find: async () => {
        const now = await this.rating(id);
        if (now === before) return undefined;
        if (now === value) return {} as ItemResponse;
        throw new Loss(`rating of ${id} by ${username}: ${now}`);
      },
    };
  }

  async rating(id: number): Promise<number | undefined> {
    const { status, body } = await this.get<{ value: number }>(`/projects/${id}/rating/`);
    if (status === 503) throw new Unanswered('rating');
    return status === 404 ? undefined : body.value;
  }

  async #exists(id: number): Promise<boolean> {
    const { status } = await this.get(`/projects/${id}/`);
    if (status === 503) throw new Unanswered('read');
    return status === 200;
  }

  async #read<Body = ItemResponse>(path: string): Promise<Body> {
    const { status, body } = await this.get<Body>(path);
    if (status === 503) throw new Unanswered(path);
    if (status !== 200) throw new Loss(`${path}: ${status}`);
    return body;
  }
}
