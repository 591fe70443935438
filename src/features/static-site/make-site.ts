// Makes a folder that any web host serves from a gallery that nobody changes: it asks the gallery's own server for every
// address that a visitor finds, beginning with the home page.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorCode, errorMessage } from '#common/errors.ts';
import type { Database } from '#sql';
import { type OpenOwnApp, type OwnApp, ownAddress } from '../../core/commands/own-app.ts';
import type { FileStore } from '../../core/files/store.ts';
import { appSettings, pickSettings, readSettings } from '../../core/settings/settings.ts';
import { loadSite } from '../../core/site/site-settings.ts';
import { getTranslator, type Translator } from '../../core/texts/translator.ts';
import { type AddressRules, findStaticAddress, type StaticAddress, toFile } from './addresses.ts';
import type { Checkpoint, ListedProject } from './checkpoint.ts';
import { type PageLinks, toStaticPage, toStaticXml } from './html.ts';

export interface StaticSiteOptions {
  readonly folder: string;
  /** The scheme and host at which the folder will be. */
  readonly origin: string;
  readonly database: Database;
  readonly files: FileStore;
  readonly checkpoint: Checkpoint;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly archived: Date;
  readonly openApp: OpenOwnApp;
  report(done: number, total: number): void;
}

/** With more projects, two levels of folders are between: many file systems and tools are slow with so many in one. */
const maxProjectsInFolder = 50_000;
const batchSize = 256;
const maxRunning = 16;

/** The first pages of visitors, and addresses that no page links to. */
const firstUrls = [
  '/',
  '/tags/',
  '/sitemap.xml',
  '/favicon.ico',
  '/api/v1/projects/',
  '/api/v1/contributors/',
  '/api/v1/tags/',
];

/** Parameters of the lists with everything that visitors find: collections and archived projects are in lists of their own. */
export const projectLists = ['', '&content_type=collection', '&status=2'];

export class StaticSiteMaker {
  readonly #headers: Record<string, string>;
  readonly #notice: string;
  readonly translator: Translator;
  /** Redirects of the gallery, such as from an earlier name of a person. */
  readonly #redirects = new Map<string, StaticAddress>();
  rules: AddressRules;

  private constructor(
    readonly options: StaticSiteOptions,
    language: Awaited<ReturnType<typeof loadSite>>['language'],
    private readonly app: OwnApp,
  ) {
    const { origin, archived, checkpoint } = options;
    this.rules = { findProject: checkpoint.findProject, isDeep: false };
    const { host, protocol } = new URL(origin);
    this.translator = getTranslator(language ?? 'en');
    const { code, formatDate, t } = this.translator;
    this.#headers = {
      Host: host,
      'Accept-Language': code,
      'X-Forwarded-Proto': protocol.slice(0, -1),
    };
    const date = formatDate(archived.toISOString());
    this.#notice = `<p class="notice">${Bun.escapeHTML(t('static.archived', { date }))}</p>`;
  }

  static async open(options: StaticSiteOptions): Promise<StaticSiteMaker> {
    const { hostname } = new URL(options.origin);
    // The scheme of the origin is what a proxy says.
    const own = ['--read-limit', 'off', '--allowed-host', hostname, '--trusted-proxy', ownAddress];
    const { settings } = readSettings(
      pickSettings(appSettings),
      [...own, '--media-url', ''],
      options.environment,
    );
    const site = await loadSite(options.database, hostname);
    const maker = new StaticSiteMaker(options, site.language, await options.openApp(options, settings));
    await maker.#listProjects();
    return maker;
  }

  /** Makes what is not made yet. */
  async make(): Promise<void> {
    const { checkpoint, report } = this.options;
    checkpoint.retryMissing();
    for (const url of firstUrls) this.#add(this.find(url));
    for (;;) {
      const batch = checkpoint.next(batchSize);
      if (batch.length === 0) break;
      const rest = batch.values();
      const work = async () => {
        for (const target of rest)
          await this.#makeOne(target).catch((error) => {
            // A full disk stops the run, which goes on when there is room.
            if (errorCode(error) !== undefined) throw error;
            checkpoint.setMissing(target, errorMessage(error));
          });
      };
      await Promise.all(Array.from({ length: maxRunning }, work));
      report(...checkpoint.state);
    }
  }

  find = (url: string): StaticAddress | undefined => findStaticAddress(url, this.rules);

  ask(url: string, init: RequestInit = {}): Response | Promise<Response> {
    const headers = { ...this.#headers, ...init.headers };
    return this.app.fetch(new Request(this.options.origin + url, { ...init, headers }));
  }

  /** The page at a URL as it is in the folder. */
  async loadPage(url: string): Promise<string> {
    return this.#toPage({ url, address: url }, await this.ask(url));
  }

  /** Writes a file at an address of the folder. */
  async write(address: string, type: string, content: string | Uint8Array | AsyncIterable<Uint8Array>) {
    const path = join(this.options.folder, toFile(address));
    mkdirSync(dirname(path), { recursive: true });
    const hash = new Bun.CryptoHasher('sha256');
    let bytes = 0;
    if (typeof content === 'object' && Symbol.asyncIterator in content) {
      const writer = Bun.file(path).writer();
      for await (const chunk of content) {
        hash.update(chunk);
        bytes += chunk.length;
        writer.write(chunk);
        await writer.flush();
      }
      await writer.end();
    } else {
      hash.update(content);
      bytes = await Bun.write(path, content);
    }
    this.options.checkpoint.setWritten({ address, type, bytes, sha256: hash.digest('hex') });
  }

  /** A list as visitors get it. */
  async *readProjects(parameters: string): AsyncGenerator<ListedProject & Record<string, unknown>> {
    const response = await this.ask(`/api/v1/projects/?format=ndjson&${parameters}`);
    if (response.status !== 200 || !response.body)
      throw new Error(`the list of projects is answered with ${response.status}`);
    let rest = '';
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) yield JSON.parse(line);
    }
  }

  async #listProjects(): Promise<void> {
    const { checkpoint } = this.options;
    if (!checkpoint.has('listed')) {
      for (const list of projectLists) {
        let batch: ListedProject[] = [];
        for await (const project of this.readProjects(`fields=id,uuid,slug${list}`)) {
          batch.push(project);
          if (batch.length < 1000) continue;
          checkpoint.addProjects(batch);
          batch = [];
        }
        checkpoint.addProjects(batch);
      }
      checkpoint.setting('listed', 'yes');
    }
    const isDeep = checkpoint.projectCount > maxProjectsInFolder;
    this.rules = { ...this.rules, isDeep };
  }

  #add(target: StaticAddress | undefined): void {
    if (target) this.options.checkpoint.add(target);
  }

  async #makeOne(target: StaticAddress): Promise<void> {
    const response = await this.#askFor(target, 'GET');
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      return this.options.checkpoint.setMissing(target, `the server answers with ${response.status}`);
    }
    const type = response.headers.get('Content-Type') ?? 'application/octet-stream';
    await this.write(target.address, type, await this.#toContent(target, type, response));
  }

  #askFor({ url }: StaticAddress, method: string): Response | Promise<Response> {
    return this.ask(url, {
      method,
      ...(url.startsWith('/api/') && { headers: { Accept: 'application/json' } }),
    });
  }

  async #toContent(target: StaticAddress, type: string, response: Response) {
    if (type.startsWith('text/html')) return this.#toPage(target, response);
    if (type.startsWith('application/json')) return this.#toJson(await response.text());
    if (type === 'image/svg+xml' || !/xml|feed\+json/.test(type)) return response.body ?? '';
    const text = await response.text();
    return this.#replaceLinks((links) => toStaticXml(text, links));
  }

  async #toPage({ url }: StaticAddress, response: Response): Promise<string> {
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    const page = { url, html: await response.text(), policy };
    return this.#replaceLinks((links) => toStaticPage(page, links, this.#notice));
  }

  /** Once more, if there are links of which only the server knows whether they lead to something. */
  async #replaceLinks(replace: (links: PageLinks) => string): Promise<string> {
    const unknown = new Map<string, StaticAddress>();
    const links: PageLinks = {
      origin: this.options.origin,
      find: (url, isByPerson) => {
        const target = this.find(url);
        if (!target) return undefined;
        const redirect = this.#redirects.get(target.address);
        if (redirect) return redirect.address;
        if (isByPerson && !this.#isKnown(target)) unknown.set(target.address, target);
        else this.#add(target);
        return this.options.checkpoint.stateOf(target.address) === 'absent' ? undefined : target.address;
      },
    };
    const text = replace(links);
    if (unknown.size === 0) return text;
    for (const target of unknown.values()) await this.#explore(target);
    return replace(links);
  }

  #isKnown(target: StaticAddress): boolean {
    // The project is in a list of the gallery.
    const isProject = /^\/content\/\w+\/[^/?]+\/?$/.test(target.url);
    return isProject || this.options.checkpoint.stateOf(target.address) !== undefined;
  }

  /** People write links in their texts to pages that are gone or never were, and to earlier names. */
  async #explore(target: StaticAddress): Promise<void> {
    const { checkpoint, origin } = this.options;
    const { status, headers } = await this.#askFor(target, 'HEAD');
    const location = headers.get('Location') ?? '';
    const other =
      status === 301 && location.startsWith(origin) ? this.find(location.slice(origin.length)) : undefined;
    if (other && other.address !== target.address) {
      this.#redirects.set(target.address, other);
      checkpoint.add(other);
    } else checkpoint.add(target, status >= 300 && status < 500 ? 'absent' : 'waiting');
  }

  /** Only the addresses of other pages of a list change. */
  #toJson(text: string): string {
    const data = JSON.parse(text);
    if (!('results' in data)) return text;
    const { origin } = this.options;
    for (const name of ['next', 'previous']) {
      const target = data[name] && this.find(data[name].slice(origin.length));
      this.#add(target);
      if (target) data[name] = origin + target.address;
    }
    return JSON.stringify(data);
  }
}
