// Makes a folder that any web host serves from a gallery that nobody changes: it asks the gallery's own server for every
// address that a visitor finds, beginning with the home page.

import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type App, createApp } from '../app/app.ts';
import { errorCode, errorMessage } from '../common/errors.ts';
import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import { loadSite } from '../gallery/site/settings.ts';
import { getTranslator, type Translator } from '../pages/messages/translator.ts';
import { appSettings, pickSettings, readSettings } from '../settings/settings.ts';
import { type AddressRules, type Found, findStatic, toFile } from './addresses.ts';
import {
  findOwnUrls,
  findXmlUrls,
  type PageLinks,
  type StaticPage,
  toStaticPage,
  toStaticXml,
} from './html.ts';
import type { ListedProject, Progress } from './progress.ts';

export interface StaticSiteOptions {
  readonly folder: string;
  /** The scheme and host at which the folder will be. */
  readonly origin: string;
  readonly database: Database;
  readonly files: FileStore;
  readonly progress: Progress;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly archived: Date;
  report(done: number, total: number): void;
}

/** With more projects, two levels of folders are between: many file systems and tools are slow with so many in one. */
const maxProjectsInFolder = 50_000;
const batchSize = 256;
const maxRunning = 16;
/** The scheme of the origin is what a proxy says. */
const ownAddress = '127.0.0.1';
const connections = { peerAddress: () => ownAddress };
const silentLog = { request() {}, event() {}, error() {}, info() {}, flush() {} };

/** Where visitors begin, and what no page links to. */
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
  readonly #app: App;
  readonly #headers: Record<string, string>;
  readonly #notice: string;
  readonly translator: Translator;
  rules!: AddressRules;

  private constructor(
    readonly options: StaticSiteOptions,
    language: Awaited<ReturnType<typeof loadSite>>['language'],
  ) {
    const { database, files, environment, origin, archived } = options;
    const { host, hostname, protocol } = new URL(origin);
    const own = ['--read-limit', 'off', '--allowed-host', hostname, '--trusted-proxy', ownAddress];
    const { settings } = readSettings(pickSettings(appSettings), [...own, '--media-url', ''], environment);
    const secrets = { cursors: crypto.randomUUID(), sessions: crypto.randomUUID() };
    this.#app = createApp({ database, files, secrets, settings, log: silentLog, timeoutMs: 60_000 });
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
    const site = await loadSite(options.database, new URL(options.origin).hostname);
    const maker = new StaticSiteMaker(options, site.language);
    await maker.#listProjects();
    return maker;
  }

  /** Makes what is not made yet. */
  async make(): Promise<void> {
    const { progress, report } = this.options;
    progress.retryMissing();
    for (const url of firstUrls) this.#add(this.find(url));
    for (;;) {
      const batch = progress.next(batchSize);
      if (batch.length === 0) break;
      const rest = batch.values();
      const work = async () => {
        for (const found of rest)
          await this.#makeOne(found).catch((error) => {
            // A full disk stops the run, which goes on when there is room.
            if (errorCode(error) !== undefined) throw error;
            progress.setMissing(found, errorMessage(error));
          });
      };
      await Promise.all(Array.from({ length: maxRunning }, work));
      report(...progress.state);
    }
  }

  find = (url: string): Found | undefined => findStatic(url, this.rules);

  ask(url: string, init: RequestInit = {}): Response | Promise<Response> {
    const headers = { ...this.#headers, ...init.headers };
    return this.#app.fetch(new Request(this.options.origin + url, { ...init, headers }), connections);
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
    this.options.progress.setWritten({ address, type, bytes, sha256: hash.digest('hex') });
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
    const { progress } = this.options;
    if (!progress.has('listed')) {
      for (const list of projectLists) {
        let batch: ListedProject[] = [];
        for await (const project of this.readProjects(`fields=id,uuid,slug${list}`)) {
          batch.push(project);
          if (batch.length < 1000) continue;
          progress.addProjects(batch);
          batch = [];
        }
        progress.addProjects(batch);
      }
      progress.setting('listed', 'yes');
    }
    const isDeep = progress.projectCount > maxProjectsInFolder;
    this.rules = { findProject: progress.findProject, isDeep };
  }

  #add(found: Found | undefined): void {
    if (found) this.options.progress.add(found);
  }

  async #makeOne(found: Found): Promise<void> {
    const isJson = found.address.endsWith('.json') && found.url.startsWith('/api/');
    const response = await this.ask(found.url, isJson ? { headers: { Accept: 'application/json' } } : {});
    if (response.status !== 200 || !response.body) {
      await response.body?.cancel();
      return this.options.progress.setMissing(found, `the server answers with ${response.status}`);
    }
    const type = response.headers.get('Content-Type') ?? 'application/octet-stream';
    await this.write(found.address, type, await this.#toContent(found, type, response));
  }

  async #toContent(found: Found, type: string, response: Response) {
    if (type.startsWith('text/html')) return this.#toPage(found, response);
    if (type.startsWith('application/json')) return this.#toJson(await response.text());
    if (/xml|feed\+json/.test(type) && type !== 'image/svg+xml') return this.#toXml(await response.text());
    return response.body ?? '';
  }

  async #toPage({ url }: Found, response: Response): Promise<string> {
    const { origin } = this.options;
    const policy = response.headers.get('Content-Security-Policy') ?? '';
    const page: StaticPage = { url, html: await response.text(), policy };
    return toStaticPage(page, await this.#findLinks(findOwnUrls(page, origin)), this.#notice);
  }

  async #toXml(text: string): Promise<string> {
    return toStaticXml(text, await this.#findLinks(findXmlUrls(text, this.options.origin)));
  }

  async #findLinks(urls: Iterable<string>): Promise<PageLinks> {
    const addresses = new Map<string, string>();
    for (const own of urls) {
      const found = await this.#resolve(own);
      if (found) addresses.set(own, found.address);
    }
    return { origin: this.options.origin, find: (own) => addresses.get(own) };
  }

  /** Only the addresses of other pages of a list change. */
  #toJson(text: string): string {
    const data = JSON.parse(text);
    if (!('results' in data)) return text;
    for (const name of ['next', 'previous']) {
      const address = data[name] && this.#follow(data[name].slice(this.options.origin.length));
      if (address) data[name] = this.options.origin + address;
    }
    return JSON.stringify(data);
  }

  #follow = (url: string): string | undefined => {
    const found = this.find(url);
    this.#add(found);
    return found?.address;
  };

  /** People write links in their texts to what is gone, or to names that have changed. */
  async #resolve(url: string): Promise<Found | undefined> {
    const { progress, origin } = this.options;
    const found = this.find(url);
    if (!found) return undefined;
    const state = progress.stateOf(found.address);
    if (state !== undefined) return state === 'absent' ? undefined : found;
    if (/^\/(contributors|media|about|rules)\//.test(found.url)) {
      const { status, headers } = await this.ask(found.url, { method: 'HEAD' });
      const location = headers.get('Location');
      if (status === 301 && location?.startsWith(origin)) return this.#resolve(location.slice(origin.length));
      if (status >= 300 && status < 500) {
        progress.add(found, 'absent');
        return undefined;
      }
    }
    progress.add(found);
    return found;
  }
}
