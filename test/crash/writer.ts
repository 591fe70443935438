// Somebody who writes over HTTP, one act after another, and enters into the ledger what was acknowledged. An act
// that was not answered is settled afterwards: it has happened as a whole, or not at all.

import { type Item, type Ledger, type State, same, stateOf } from './ledger.ts';

export interface Person {
  readonly username: string;
  /** By which the server knows them. */
  readonly headers: Record<string, string>;
}

type Answer = State & { readonly id: number; readonly copied_from: number | null };

interface Act {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The Idempotency-Key, for some. */
  readonly key?: string;
  /** It was acknowledged, or found to have happened. */
  enter(answer: Answer): void;
  /** What would have been answered, if it has happened. */
  find(): Promise<Answer | undefined>;
}

/** Nobody knows whether it was done: the connection ended, or the server said that it could not just now. */
export class Unanswered extends Error {}

/** Something is not as it must be. */
export class Loss extends Error {}

const words = 'lamp kite drum oven boat moss gear wool clay vase loom bell'.split(' ');
const pick = <Value>(from: readonly Value[]): Value => from[Math.floor(Math.random() * from.length)] as Value;
const chance = (part: number) => Math.random() < part;

let tokens = 0;
/** A word that nothing else has. */
const token = () => `zq${String(++tokens).padStart(7, '0')}`;

const tagsOfChance = () =>
  [...new Set(Array.from({ length: Math.floor(Math.random() * 4) }, () => pick(words)))].join(', ');
const textOfChance = () => `${pick(words)} `.repeat(1 + Math.floor(Math.random() ** 3 * 600)).trim();

export class Writer {
  /** Projects that others rate, copy and comment on: their owners never hide them. */
  readonly stage: number[] = [];
  readonly #own: number[] = [];
  readonly #keyed: { act: Act; id: number }[] = [];
  #pending: Act | undefined;

  constructor(
    readonly person: Person,
    private readonly ledger: Ledger,
    /** Where the server is just now. */
    private readonly address: () => string,
    private readonly others: () => Writer[],
  ) {}

  async get<Body = Answer>(path: string): Promise<{ status: number; body: Body }> {
    const { status, text } = await this.#ask('GET', path);
    return { status, body: JSON.parse(text) as Body };
  }

  async setTheStage(): Promise<void> {
    for (let made = 0; made < 2; made++) {
      this.stage.push((await this.#perform(this.#make())).id);
    }
    for (const id of this.stage) this.#own.splice(this.#own.indexOf(id), 1);
  }

  async step(): Promise<void> {
    await this.#perform(this.#actOfChance());
  }

  /** Finds out what became of the act that was not answered. With a key it is sent again: it must count once. */
  async settle(): Promise<void> {
    const act = this.#pending;
    if (!act) return;
    const found = await act.find();
    if (act.key === undefined) {
      if (found) act.enter(found);
      this.#pending = undefined;
    } else {
      const answer = await this.#perform(act);
      if (found && found.id !== answer.id)
        throw new Loss(`${act.what}: made ${found.id}, and ${answer.id} again`);
    }
  }

  /** What was acknowledged is asked for again under its key: the answer is the same, and nothing new is made. */
  async repeat(most: number): Promise<void> {
    for (const { act, id } of this.#keyed.splice(0).slice(-most)) {
      const { status, text } = await this.#send(act);
      const again = status < 300 ? (JSON.parse(text) as Answer).id : undefined;
      if (again !== id) throw new Loss(`${act.what} with its key again: ${status}, ${again} and not ${id}`);
    }
  }

  async #perform(act: Act): Promise<Answer> {
    this.#pending = act;
    const { status, text } = await this.#send(act);
    if (status === 503) throw new Unanswered(`${act.what}: 503`);
    if (status >= 300) throw new Loss(`${act.what}: ${status} ${text}`);
    const answer = (text === '' ? {} : JSON.parse(text)) as Answer;
    act.enter(answer);
    this.#pending = undefined;
    this.ledger.acknowledged++;
    if (act.key !== undefined) this.#keyed.push({ act, id: answer.id });
    return answer;
  }

  #send({ method, path, body, key }: Act) {
    return this.#ask(method, path, body, key);
  }

  async #ask(method: string, path: string, body?: unknown, key?: string) {
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

  #actOfChance(): Act {
    const own = this.#own.length ? pick(this.#own) : undefined;
    const theirs = pick(pick(this.others()).stage);
    const die = Math.random();
    if (die < 0.25 || own === undefined) return this.#make();
    if (die < 0.45) return this.ledger.item(own).trashed ? this.#restore(own) : this.#patch(own, true);
    if (die < 0.53) return this.#patch(pick(this.stage), false);
    if (die < 0.72) return this.#rate(theirs);
    if (die < 0.83) return this.#comment(theirs);
    if (die < 0.9) return this.#copy(theirs);
    return this.ledger.item(own).trashed ? this.#restore(own) : this.#trash(own);
  }

  #make(): Act {
    const state = { ...this.#words(), visibility: 'public', status: 1 };
    return this.#creation('created', 'make', '/projects/', state, { parent: null, copied_from: null });
  }

  #comment(on: number): Act {
    const state = { ...this.#words(), visibility: 'public', status: 1 };
    return this.#creation('created', 'comment', `/projects/${on}/comments/`, state, {
      parent: on,
      copied_from: null,
    });
  }

  #copy(source: number): Act {
    return this.#creation('copied', 'copy', `/projects/${source}/copy/`, undefined, {
      parent: null,
      copied_from: source,
    });
  }

  #words = () => ({ title: `A ${pick(words)} ${token()}`, text: textOfChance(), tags: tagsOfChance() });

  /** A copy has the words of its source, whichever it had at that moment. */
  #creation(
    action: string,
    what: string,
    path: string,
    state: State | undefined,
    origin: Pick<Item, 'parent' | 'copied_from'>,
  ): Act {
    const owner = this.person.username;
    const whole = (answer: Answer) => {
      if (answer.copied_from !== origin.copied_from) return false;
      if (state) return same(answer, state);
      const source = { ...stateOf(answer), visibility: 'public', status: 1 };
      const states = this.ledger.states.get(origin.copied_from as number);
      return answer.visibility === 'private' && states?.has(JSON.stringify(source)) === true;
    };
    return {
      what: `${owner} ${what}`,
      method: 'POST',
      path,
      body: state ?? {},
      key: chance(0.5) ? crypto.randomUUID() : undefined,
      enter: (answer) => {
        if (!whole(answer)) throw new Loss(`${owner} ${what}: ${JSON.stringify(answer)}`);
        this.ledger.enter({ ...origin, id: answer.id, owner, state: stateOf(answer), trashed: false });
        this.ledger.tell(`project ${action}`, answer.id);
        this.#own.push(answer.id);
      },
      find: async () => {
        const query = '?contributor=me&ordering=-id&page_size=5';
        const { results } = await this.#must<{ results: Answer[] }>(`/projects/${query}`);
        const [found, ...more] = results.filter(({ id }) => !this.ledger.items.has(id));
        if (more.length || (found && !whole(found)))
          throw new Loss(`${owner} ${what} was not acknowledged: ${JSON.stringify([found, ...more])}`);
        return found;
      },
    };
  }

  /** What others copy keeps its visibility. */
  #patch(id: number, hides: boolean): Act {
    const item = this.ledger.item(id);
    const before = item.state;
    const { title, text, tags } = this.#words();
    const body: Partial<State> = {
      title,
      ...(chance(0.5) && { text }),
      ...(chance(0.5) && { tags }),
      ...(hides && chance(0.3) && { visibility: pick(['public', 'unlisted', 'private']) }),
      ...(hides && chance(0.2) && { status: pick([0, 1, 2]) }),
    };
    const after = { ...before, ...body };
    this.ledger.mayBecome(id, after);
    const path = `/projects/${id}/`;
    return {
      what: `${item.owner} patch ${id}`,
      method: 'PATCH',
      path,
      body,
      enter: (answer) => {
        if (!same(answer, after)) throw new Loss(`patch ${id}: ${JSON.stringify(answer)}`);
        item.state = after;
        this.ledger.tell('project changed', id);
      },
      find: async () => {
        const found = await this.#must(path);
        if (same(found, before)) return undefined;
        if (same(found, after)) return found;
        throw new Loss(`patch ${id} was not acknowledged: ${JSON.stringify(found)}`);
      },
    };
  }

  #trash(id: number): Act {
    const item = this.ledger.item(id);
    const path = `/projects/${id}/`;
    return {
      what: `${item.owner} trash ${id}`,
      method: 'DELETE',
      path,
      enter: () => {
        item.trashed = true;
        this.ledger.tell('project trashed', id);
      },
      find: async () => ((await this.#isThere(id)) ? undefined : ({} as Answer)),
    };
  }

  #restore(id: number): Act {
    const item = this.ledger.item(id);
    return {
      what: `${item.owner} restore ${id}`,
      method: 'POST',
      path: `/projects/${id}/restore/`,
      enter: () => {
        item.trashed = false;
        this.ledger.tell('project restored', id);
      },
      find: async () => ((await this.#isThere(id)) ? ({} as Answer) : undefined),
    };
  }

  #rate(id: number): Act {
    const { username } = this.person;
    const ratings = this.ledger.ratingsOf(id);
    const before = ratings.get(username);
    const value =
      before !== undefined && chance(0.3) ? undefined : pick([1, 2, 3, 4, 5].filter((v) => v !== before));
    const path = `/projects/${id}/rating/`;
    return {
      what: `${username} rate ${id}`,
      method: value === undefined ? 'DELETE' : 'PUT',
      path,
      body: value === undefined ? undefined : { value },
      enter: () => {
        if (value === undefined) ratings.delete(username);
        else ratings.set(username, value);
        this.ledger.tell(value === undefined ? 'rating withdrawn' : 'rating rated', id);
      },
      find: async () => {
        const now = await this.rating(id);
        if (now === before) return undefined;
        if (now === value) return {} as Answer;
        throw new Loss(`rating of ${id} by ${username}: ${now}`);
      },
    };
  }

  async rating(id: number): Promise<number | undefined> {
    const { status, body } = await this.get<{ value: number }>(`/projects/${id}/rating/`);
    if (status === 503) throw new Unanswered('rating');
    return status === 404 ? undefined : body.value;
  }

  async #isThere(id: number): Promise<boolean> {
    const { status } = await this.get(`/projects/${id}/`);
    if (status === 503) throw new Unanswered('read');
    return status === 200;
  }

  async #must<Body = Answer>(path: string): Promise<Body> {
    const { status, body } = await this.get<Body>(path);
    if (status === 503) throw new Unanswered(path);
    if (status !== 200) throw new Loss(`${path}: ${status}`);
    return body;
  }
}
