// Scripts and style sheets of pages. Their URLs contain a hash of the content, so that browsers can cache them for ever.

import { NotFound } from '../../common/src/errors.ts';
import { type PreparedResponse, prepareResponse } from './prepared-response.ts';
import { hash64 } from './runtime.ts';

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Without lines that are comments, and without indentation, which no text in a script needs. */
const shortenScript = (script: string) =>
  script.replace(/^ *(\/\/.*|\/\*\*[\s\S]*?\*\/)\n/gm, '').replace(/\n\s+/g, '\n');

/** Without comments and needless space, which are a quarter of it. No text in it has such a sign with a space. */
export const shortenCss = (css: string) =>
  css
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{};,]) ?/g, '$1')
    .replaceAll(': ', ':')
    .replace(/(?<![\d.])0\.(?=\d)/g, '.')
    .replaceAll(';}', '}');

export class PageFiles {
  readonly #files = new Map<string, { readonly type: string; readonly text: string }>();

  /** `prefix`: what their paths begin with. */
  constructor(private readonly prefix: string) {}

  /** The path of the file from now on. */
  add(source: string, ending: keyof typeof types): string {
    const text = ending === 'js' ? shortenScript(source) : source;
    const path = `${this.prefix}${hash64(text).toString(36)}.${ending}`;
    this.#files.set(path, { type: types[ending], text });
    return path;
  }

  has(path: string): boolean {
    return this.#files.has(path);
  }

  serve(path: string): PreparedResponse {
    const file = this.#files.get(path);
    if (!file) throw new NotFound();
    const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
    return prepareResponse(200, headers, file.text);
  }
}
