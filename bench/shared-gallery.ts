// The gallery of shared-caches.ts: each version of a project has a mark in its title, so that an answer shows how old it is.

import { spawn } from 'bun';
import { buildVitrineCommand } from './process.ts';

export interface Reader {
  readonly name: 'visitor' | 'ada' | 'bob';
  readonly headers: Readonly<Record<string, string>>;
  /** In the header of pages. */
  readonly shownName: string | undefined;
}

const password = 'correct horse battery';
const projects = 80;

async function vitrine(input: string, ...args: string[]): Promise<string> {
  const child = spawn(buildVitrineCommand(...args), { stdin: new Blob([input]), stdout: 'pipe' });
  const out = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`vitrine ${args.join(' ')} failed`);
  return out.trim();
}

/** A visitor first, then ada, whose projects are hidden, and bob, each by key and by session. */
export async function readers(server: string, database: string): Promise<[Reader, ...Reader[]]> {
  await vitrine(password, 'user', 'add', 'bob', '--database', database);
  const all: [Reader, ...Reader[]] = [{ name: 'visitor', headers: {}, shownName: undefined }];
  for (const name of ['ada', 'bob'] as const) {
    const key = await vitrine('', 'key', 'add', name, 'reads', 'read', '--database', database);
    all.push({ name, headers: { Authorization: `Token ${key}` }, shownName: name });
    const response = await fetch(`${server}/api/v1/auth/session/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: server },
      body: JSON.stringify({ username: name, password }),
    });
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0]);
    if (cookies.length === 0) throw new Error(`${name} cannot sign in: ${response.status}`);
    all.push({ name, headers: { Cookie: cookies.join('; ') }, shownName: name });
  }
  return all;
}

interface Version {
  readonly isHidden: boolean;
  /** When the write was answered that made the version; infinity while it is under way. */
  madeAt: number;
}

class Project {
  readonly versions: Version[] = [];

  constructor(
    readonly id: number,
    readonly page: string,
  ) {}

  get record(): string {
    return `/api/v1/projects/${this.id}/`;
  }

  /** It is or was hidden not long ago, or is just being hidden or shown. */
  mayBeMissingFor({ name }: Reader, startedAt: number): boolean {
    return (
      name !== 'ada' &&
      this.versions.some(({ isHidden }, index) => {
        const endedAt = this.versions[index + 1]?.madeAt ?? Number.POSITIVE_INFINITY;
        return isHidden && endedAt > startedAt;
      })
    );
  }
}

export class Gallery {
  writes = 0;
  readonly #projects: Project[] = [];
  #hidden: Project | undefined;

  private constructor(
    private readonly server: string,
    private readonly authorization: string,
  ) {}

  static async fill(server: string, database: string): Promise<Gallery> {
    await vitrine(password, 'user', 'add', 'ada', '--database', database);
    const key = await vitrine('', 'key', 'add', 'ada', 'writes', 'write', '--database', database);
    const gallery = new Gallery(server, `Token ${key}`);
    for (let count = 0; count < projects; count++) {
      const body = { content_type: 'text', title: `Mark ${count}v0`, text: 'A kite.' };
      const { id, html_url } = await gallery.#send('POST', '/api/v1/projects/', body);
      const project = new Project(id, new URL(html_url).pathname);
      await gallery.#write(project, false);
      gallery.#projects.push(project);
    }
    return gallery;
  }

  pickProject(): Project {
    return this.#projects[Math.floor(Math.random() * this.#projects.length)] as Project;
  }

  /** Changes a project, and every third time hides one or shows it again. */
  async change(): Promise<void> {
    if (this.writes++ % 3 > 0) {
      const project = this.pickProject();
      return this.#write(project, project === this.#hidden);
    }
    const hidden = this.#hidden;
    this.#hidden = hidden ? undefined : this.pickProject();
    await this.#write(hidden ?? (this.#hidden as Project), !hidden);
  }

  /** The slug of the address stays, so that the page stays where it is. */
  async #write(project: Project, isHidden: boolean): Promise<void> {
    const version: Version = { isHidden, madeAt: Number.POSITIVE_INFINITY };
    const number = project.versions.push(version) - 1;
    const text = `Mark(${project.id}v${number})`;
    await this.#send('PATCH', project.record, { text, visibility: isHidden ? 'private' : 'public' });
    version.madeAt = performance.now();
  }

  async #send(method: string, path: string, body: unknown): Promise<{ id: number; html_url: string }> {
    const headers = { Authorization: this.authorization, 'Content-Type': 'application/json' };
    const response = await fetch(this.server + path, { method, headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { id: number; html_url: string };
  }

  /** How long before the request the content of the response was replaced or hidden. */
  check(reader: Reader, body: string, startedAt: number) {
    const result = { staleMs: 0, hiddenMs: 0, problem: undefined as string | undefined };
    for (const [, id, number] of body.matchAll(/Mark\((\d+)v(\d+)\)/g)) {
      const project = this.#projects.find((known) => known.id === Number(id));
      const version = project?.versions[Number(number)];
      if (!project || !version) continue;
      if (version.isHidden && reader.name !== 'ada')
        result.problem = `shows ${id}v${number}, which is hidden`;
      const next = project.versions[Number(number) + 1];
      const ageMs = next ? Math.max(0, startedAt - next.madeAt) : 0;
      if (next?.isHidden && reader.name !== 'ada') result.hiddenMs = Math.max(result.hiddenMs, ageMs);
      else result.staleMs = Math.max(result.staleMs, ageMs);
    }
    return result;
  }
}
