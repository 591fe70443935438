// A user of a site: an API client with their key, and a browser in which they are signed in.

import { csrfTokenField } from '#rest/parsers.ts';
import type { Role } from '../../src/core/viewer/viewer.ts';
import { type FormValues, type Page, readPage } from './html.ts';
import type { Site } from './site.ts';

type RequestHeaders = Readonly<Record<string, string>>;

/** `const ada = await person(site, 'ada')`: a contributor of the gallery, who gets an account. */
export async function person(site: Site, username: string, account: { role?: Role } = {}): Promise<Person> {
  return new Person(site, await site.signIn(username, account), username);
}

/** An anonymous viewer. */
export function visitor(site: Site): Person {
  return new Person(site);
}

export class Person {
  readonly browser: Browser;
  #key: Promise<RequestHeaders> | undefined;

  constructor(
    readonly site: Site,
    session?: RequestHeaders,
    readonly username?: string,
  ) {
    this.browser = new Browser(site, session);
  }

  /** The header that authenticates them in the API. The key is created when it is first needed. */
  key(): Promise<RequestHeaders> {
    this.#key ??= this.username === undefined ? Promise.resolve({}) : this.site.key(this.username);
    return this.#key;
  }

  /** The same person with the same key, on another site that serves the same gallery. */
  at(site: Site): Person {
    const same = new Person(site, this.browser.headers, this.username);
    same.#key = this.#key;
    return same;
  }

  /** A request to the API; the body is JSON or a form with files. */
  async request(
    method: string,
    path: string,
    body?: unknown,
    headers: RequestHeaders = {},
  ): Promise<Response> {
    const isForm = body instanceof FormData;
    return this.site.request(path, {
      method,
      headers: {
        ...(await this.key()),
        ...(body === undefined || isForm ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined || isForm ? body : JSON.stringify(body),
    });
  }

  get(path: string, headers?: RequestHeaders): Promise<Response> {
    return this.request('GET', path, undefined, headers);
  }

  post(path: string, body?: unknown, headers?: RequestHeaders): Promise<Response> {
    return this.request('POST', path, body, headers);
  }

  put(path: string, body: unknown, headers?: RequestHeaders): Promise<Response> {
    return this.request('PUT', path, body, headers);
  }

  patch(path: string, body: unknown, headers?: RequestHeaders): Promise<Response> {
    return this.request('PATCH', path, body, headers);
  }

  delete(path: string, body?: unknown): Promise<Response> {
    return this.request('DELETE', path, body);
  }

  async json<Body>(path: string): Promise<Body> {
    return (await this.get(path)).json() as Promise<Body>;
  }

  /** Opens a page in their browser. */
  open(path: string): Promise<Page> {
    return this.browser.open(path);
  }

  /** Fills the form that has this button, by labels or names, and presses it. */
  submit(path: string, button: string, values?: FormValues): Promise<Response> {
    return this.browser.submit(path, button, values);
  }

  /** Sends values without opening the page first, so that values are possible that no form has. */
  send(path: string, values?: FormValues, headers?: RequestHeaders): Promise<Response> {
    return this.browser.send(path, values, headers);
  }
}

/** A browser without scripts. It keeps cookies and submits forms, but does not follow redirects. */
export class Browser {
  readonly #cookies = new Map<string, string>();
  #token: string;

  constructor(
    readonly site: Site,
    { Cookie = '', 'X-CSRFToken': token = '' }: RequestHeaders = {},
  ) {
    const [name = '', value = ''] = Cookie.split('=');
    if (name) this.#cookies.set(name, value);
    this.#token = token;
  }

  /** The Cookie header. */
  get headers(): RequestHeaders {
    return this.#cookies.size ? { Cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') } : {};
  }

  async get(path: string, headers: RequestHeaders = {}): Promise<Response> {
    return this.#keepCookies(await this.site.get(path, { ...this.headers, ...headers }));
  }

  async open(path: string): Promise<Page> {
    return readPage(await this.get(path));
  }

  async submit(path: string, button: string, values?: FormValues): Promise<Response> {
    const { action, body } = (await this.open(path)).press(button, values);
    return this.#post(action || path, body);
  }

  /** Adds the CSRF token of the session, which every form contains. */
  send(path: string, values: FormValues = {}, headers: RequestHeaders = {}): Promise<Response> {
    return this.#post(path, { [csrfTokenField]: this.#token, ...values }, headers);
  }

  /** Does the same with files, as multipart/form-data. */
  upload(
    path: string,
    file: File | readonly File[],
    values: Readonly<Record<string, string | readonly string[]>> = {},
  ): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries({ [csrfTokenField]: this.#token, ...values }))
      for (const each of [value].flat()) form.append(name, each);
    for (const each of [file].flat()) form.append('file', each);
    return this.#post(path, form);
  }

  async #post(path: string, values: FormValues | FormData, headers: RequestHeaders = {}): Promise<Response> {
    const response = await this.site.request(path, {
      method: 'POST',
      headers: { ...this.headers, Origin: 'http://gallery.example', ...headers },
      body: values instanceof FormData ? values : new URLSearchParams(values),
    });
    return this.#keepCookies(response);
  }

  #keepCookies(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=');
      if (value) this.#cookies.set(name, value);
      else this.#cookies.delete(name);
      if (name === 'csrftoken') this.#token = value;
    }
    return response;
  }
}
