// Turns a page of the gallery into one that needs no server: without forms and without what asks for an account, and with
// links to what is in the folder.

import { listStaticOmissions } from '../../core/pages/static-copy.ts';

export interface StaticPage {
  /** The path of the page, with its query: links are relative to it. */
  readonly url: string;
  readonly html: string;
  /** Its Content-Security-Policy. */
  readonly policy: string;
}

export interface PageLinks {
  /** The origin of the gallery, which the folder will have. */
  readonly origin: string;
  /**
   * The address in the folder of a path with a query; undefined if the folder does not have it. A person who writes a
   * link may have written any address; those of the gallery itself lead to something.
   */
  find(url: string, isByPerson: boolean): string | undefined;
}

/** Elements for writing and signing in, elements that a server keeps up to date, and sizes of a preview that is left out. */
const listOmittedElements = () =>
  [
    'form:not([action="/"])',
    '.user-nav',
    '.new-projects',
    '.new-comments',
    '.sign-in-notice',
    '.comment-actions',
    '.to-wall',
    '.list-filters .menu',
    'meta[property^="og:image:"]',
    ...listStaticOmissions(),
  ].join(', ');

/** The attributes with addresses, besides links. A meta element has them whole. */
const references: Readonly<Record<string, readonly string[]>> = {
  link: ['href'],
  script: ['src'],
  img: ['src', 'srcset'],
  source: ['src', 'srcset'],
  video: ['src', 'poster'],
  audio: ['src'],
  track: ['src'],
  object: ['data'],
  'meta[property="og:image"]': ['content'],
  'meta[property="og:url"]': ['content'],
  'meta[property="article:author"]': ['content'],
};

/** Of every page, besides its own. */
export const stylesheetPath = '/static-site.css';

/** `notice` is HTML that stands above the content of the page. */
export function toStaticPage(page: StaticPage, links: PageLinks, notice: string): string {
  const resolve = createResolver(page, links);
  const policy = page.policy.replace(/; frame-ancestors [^;]*/, '');
  let isByPerson = false;
  const rewriter = new HTMLRewriter()
    .on(listOmittedElements(), { element: (element) => void element.remove() })
    .on('head', {
      element(element) {
        element.prepend(`<meta http-equiv="Content-Security-Policy" content="${policy}"/>`, { html: true });
        element.append(`<link rel="stylesheet" href="${stylesheetPath}"/>`, { html: true });
      },
    })
    .on('main', { element: (element) => void element.prepend(notice, { html: true }) })
    .on('search form', { element: (element) => void element.setAttribute('action', '/search/') })
    .on('a[rel~="ugc"], .text a[href], .text img, .text source, .text video, .text audio', {
      element() {
        isByPerson = true;
      },
    })
    .on('a[href]', {
      element(element) {
        const link = resolve(element.getAttribute('href') ?? '', isByPerson);
        if (link !== undefined) element.setAttribute('href', link);
        else if (isByPerson) element.removeAndKeepContent();
        else element.remove();
        isByPerson = false;
      },
    });
  for (const [selector, names] of Object.entries(references))
    rewriter.on(selector, {
      element(element) {
        const find = (value: string) => resolve(value, isByPerson);
        for (const name of names) {
          const value = element.getAttribute(name);
          const link = value && (name === 'srcset' ? resolveSet(value, find) : find(value));
          if (link) element.setAttribute(name, link);
          else if (value) {
            element.remove();
            break;
          }
        }
        isByPerson = false;
      },
    });
  return rewriter.transform(page.html);
}

type Resolve = (value: string, isByPerson: boolean) => string | undefined;

/** Links of other sites and within the page stay as they are. */
function createResolver({ url: base }: StaticPage, { origin, find }: PageLinks): Resolve {
  return (value, isByPerson) => {
    if (value.startsWith('#')) return value;
    const url = URL.parse(value, origin + base);
    if (url?.origin !== origin) return value;
    const address = find(url.pathname + url.search, isByPerson);
    if (address === undefined) return undefined;
    return (/^https?:/.test(value) ? origin : '') + address + url.hash;
  };
}

function resolveSet(value: string, resolve: (address: string) => string | undefined): string {
  const pictures = value.split(', ').map((picture) => {
    const [address = '', ...size] = picture.split(' ');
    const link = resolve(address);
    return link && [link, ...size].join(' ');
  });
  return pictures.filter((picture) => picture !== undefined).join(', ');
}

/** An address in a feed or a sitemap ends at a quotation mark, also at one that JSON or XML has escaped. */
const ownAddresses = (origin: string) =>
  new RegExp(`${RegExp.escape(origin)}(/(?:[^\\s"'<>&\\\\]|&amp;)*)`, 'g');

/** Replaces the addresses of a feed or a sitemap. */
export const toStaticXml = (text: string, { origin, find }: PageLinks): string =>
  text.replaceAll(ownAddresses(origin), (whole, path: string) => {
    const address = find(path.replaceAll('&amp;', '&'), true);
    return address === undefined ? whole : origin + address;
  });
