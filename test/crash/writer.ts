// A writer sends one request after another, and adds acknowledged writes to the expected gallery. A write without a
// response is looked up afterwards: it was stored as a whole, or not at all.

import {
  type ExpectedGallery,
  type ExpectedProject,
  isSame,
  type State,
  stateOf,
} from './expected-gallery.ts';
import { chance, pick, randomTags, randomText, uniqueWord, words } from './random.ts';
import { Mismatch, NoResponse, type ProjectResponse, type Write } from './write.ts';

export interface Person {
  readonly username: string;
  /** The header with their key. */
  readonly headers: Record<string, string>;
}

export class Writer {
  /** Projects that others rate, copy and comment on: their owners never hide them. */
  readonly shared: number[] = [];
  readonly #own: number[] = [];
  readonly #withKey: { write: Write; id: number }[] = [];
  #pending: Write | undefined;

  constructor(
    readonly person: Person,
    private readonly expected: ExpectedGallery,
    /** The current address of the server. */
    private readonly address: () => string,
    private readonly others: () => Writer[],
  ) {}

  async get<Body = ProjectResponse>(path: string): Promise<{ status: number; body: Body }> {
    const { status, text } = await this.#request('GET', path);
    return { status, body: JSON.parse(text) as Body };
  }

  async createShared(): Promise<void> {
    for (let count = 0; count < 2; count++) {
      this.shared.push((await this.#perform(this.#create())).id);
    }
    for (const id of this.shared) this.#own.splice(this.#own.indexOf(id), 1);
  }

  async writeOnce(): Promise<void> {
    await this.#perform(this.#randomWrite());
  }

  /** Finds out whether the write without a response was done. With a key it is sent again, and must be done once. */
  async resolvePending(): Promise<void> {
    const write = this.#pending;
    if (!write) return;
    const result = await write.findResult();
    if (write.key === undefined) {
      if (result) write.record(result);
      this.#pending = undefined;
    } else {
      const response = await this.#perform(write);
      if (result && result.id !== response.id)
        throw new Mismatch(`${write.name}: created ${result.id}, and then ${response.id}`);
    }
  }

  /** Sends the last acknowledged writes again with their keys: the response is the same, and nothing is created. */
  async repeat(count: number): Promise<void> {
    for (const { write, id } of this.#withKey.splice(0).slice(-count)) {
      const { status, text } = await this.#send(write);
      const repeated = status < 300 ? (JSON.parse(text) as ProjectResponse).id : undefined;
      if (repeated !== id)
        throw new Mismatch(`${write.name} with its key again: ${status}, ${repeated} and not ${id}`);
    }
  }

  async #perform(write: Write): Promise<ProjectResponse> {
    this.#pending = write;
    const { status, text } = await this.#send(write);
    if (status === 503) throw new NoResponse(`${write.name}: 503`);
    if (status >= 300) throw new Mismatch(`${write.name}: ${status} ${text}`);
    const response = (text === '' ? {} : JSON.parse(text)) as ProjectResponse;
    write.record(response);
    this.#pending = undefined;
    this.expected.acknowledged++;
    if (write.key !== undefined) this.#withKey.push({ write, id: response.id });
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
      throw new NoResponse(`${method} ${path}`, { cause: error });
    }
  }

  #randomWrite(): Write {
    const own = this.#own.length ? pick(this.#own) : undefined;
    const shared = pick(pick(this.others()).shared);
    const choice = Math.random();
    if (choice < 0.25 || own === undefined) return this.#create();
    if (choice < 0.45)
      return this.expected.project(own).trashed ? this.#restore(own) : this.#patch(own, true);
    if (choice < 0.53) return this.#patch(pick(this.shared), false);
    if (choice < 0.72) return this.#rate(shared);
    if (choice < 0.83) return this.#comment(shared);
    if (choice < 0.9) return this.#copy(shared);
    return this.expected.project(own).trashed ? this.#restore(own) : this.#trash(own);
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

  #words = () => ({ title: `A ${pick(words)} ${uniqueWord()}`, text: randomText(), tags: randomTags() });

  /** A copy has the texts that its source had at some time. */
  #creation(
    action: string,
    name: string,
    path: string,
    state: State | undefined,
    origin: Pick<ExpectedProject, 'parent' | 'copied_from'>,
  ): Write {
    const owner = this.person.username;
    const isWhole = (response: ProjectResponse) => {
      if (response.copied_from !== origin.copied_from) return false;
      if (state) return isSame(response, state);
      const source = { ...stateOf(response), visibility: 'public', status: 1 };
      const states = this.expected.states.get(origin.copied_from as number);
      return response.visibility === 'private' && states?.has(JSON.stringify(source)) === true;
    };
    return {
      name: `${owner} ${name}`,
      method: 'POST',
      path,
      body: state ?? {},
      key: chance(0.5) ? crypto.randomUUID() : undefined,
      record: (response) => {
        if (!isWhole(response)) throw new Mismatch(`${owner} ${name}: ${JSON.stringify(response)}`);
        this.expected.add({ ...origin, id: response.id, owner, state: stateOf(response), trashed: false });
        this.expected.log(`project ${action}`, response.id);
        this.#own.push(response.id);
      },
      findResult: async () => {
        const query = '?contributor=me&ordering=-id&page_size=5';
        const { results } = await this.#read<{ results: ProjectResponse[] }>(`/projects/${query}`);
        const [result, ...more] = results.filter(({ id }) => !this.expected.projects.has(id));
        if (more.length || (result && !isWhole(result)))
          throw new Mismatch(`${owner} ${name} was not acknowledged: ${JSON.stringify([result, ...more])}`);
        return result;
      },
    };
  }

  /** Projects that others copy keep their visibility. */
  #patch(id: number, mayHide: boolean): Write {
    const project = this.expected.project(id);
    const before = project.state;
    const { title, text, tags } = this.#words();
    const body: Partial<State> = {
      title,
      ...(chance(0.5) && { text }),
      ...(chance(0.5) && { tags }),
      ...(mayHide && chance(0.3) && { visibility: pick(['public', 'unlisted', 'private']) }),
      ...(mayHide && chance(0.2) && { status: pick([0, 1, 2]) }),
    };
    const after = { ...before, ...body };
    this.expected.addState(id, after);
    const path = `/projects/${id}/`;
    return {
      name: `${project.owner} patch ${id}`,
      method: 'PATCH',
      path,
      body,
      record: (response) => {
        if (!isSame(response, after)) throw new Mismatch(`patch ${id}: ${JSON.stringify(response)}`);
        project.state = after;
        this.expected.log('project changed', id);
      },
      findResult: async () => {
        const stored = await this.#read(path);
        if (isSame(stored, before)) return undefined;
        if (isSame(stored, after)) return stored;
        throw new Mismatch(`patch ${id} was not acknowledged: ${JSON.stringify(stored)}`);
      },
    };
  }

  #trash(id: number): Write {
    const project = this.expected.project(id);
    const path = `/projects/${id}/`;
    return {
      name: `${project.owner} trash ${id}`,
      method: 'DELETE',
      path,
      record: () => {
        project.trashed = true;
        this.expected.log('project trashed', id);
      },
      findResult: async () => ((await this.#exists(id)) ? undefined : ({} as ProjectResponse)),
    };
  }

  #restore(id: number): Write {
    const project = this.expected.project(id);
    return {
      name: `${project.owner} restore ${id}`,
      method: 'POST',
      path: `/projects/${id}/restore/`,
      record: () => {
        project.trashed = false;
        this.expected.log('project restored', id);
      },
      findResult: async () => ((await this.#exists(id)) ? ({} as ProjectResponse) : undefined),
    };
  }

  #rate(id: number): Write {
    const { username } = this.person;
    const ratings = this.expected.ratingsOf(id);
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
        this.expected.log(value === undefined ? 'rating withdrawn' : 'rating rated', id);
      },
      findResult: async () => {
        const now = await this.rating(id);
        if (now === before) return undefined;
        if (now === value) return {} as ProjectResponse;
        throw new Mismatch(`rating of ${id} by ${username}: ${now}`);
      },
    };
  }

  async rating(id: number): Promise<number | undefined> {
    const { status, body } = await this.get<{ value: number }>(`/projects/${id}/rating/`);
    if (status === 503) throw new NoResponse('rating');
    return status === 404 ? undefined : body.value;
  }

  async #exists(id: number): Promise<boolean> {
    const { status } = await this.get(`/projects/${id}/`);
    if (status === 503) throw new NoResponse('read');
    return status === 200;
  }

  async #read<Body = ProjectResponse>(path: string): Promise<Body> {
    const { status, body } = await this.get<Body>(path);
    if (status === 503) throw new NoResponse(path);
    if (status !== 200) throw new Mismatch(`${path}: ${status}`);
    return body;
  }
}
