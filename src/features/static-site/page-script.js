// The script of a gallery that has no server: leads from addresses with a query to the pages of the folder, and searches.

const { search, pathname } = location;
const query = new URLSearchParams(search);

/** As in addresses.ts, but for very long names. */
const toSegment = (text) =>
  Array.from(new TextEncoder().encode(text), (byte) => {
    const sign = String.fromCharCode(byte);
    return /[a-z0-9-]/.test(sign) ? sign : sign === ' ' ? '_' : `~${byte.toString(16).padStart(2, '0')}`;
  }).join('');

const isDeep = document.querySelector('script[data-deep]') !== null;
const firstLetters = (name) => (isDeep ? `${name.slice(0, 2)}/${name.slice(2, 4)}/` : '');
const thousand = (number) => (isDeep ? `${number.slice(0, -3) || '0'}/` : '');

/** Where the folder has what the gallery had at an address that the folder does not have. */
function findPlace() {
  if (pathname === '/') {
    if (query.has('search')) return `/search/?${query}`;
    const name = ['content_type', 'tags'].find((filter) => query.has(filter));
    const page = query.get('page') === '1' ? null : query.get('page');
    const pages = page ? `page/${page.length > 3 ? thousand(page) : ''}${page}/` : '';
    return `/${name ? `${name}/${toSegment(query.get(name))}/` : ''}${pages}`;
  }
  const [, uuid] = /^\/content\/(?:\w\w\/\w\w\/)?(\w{5,})\//.exec(pathname) ?? [];
  if (uuid) return `/content/${firstLetters(uuid)}${uuid}/`;
  const [, kind, id, rest] = /^\/(api\/v1\/\w+|contributors)\/(\d+)(-.*|\/?)$/.exec(pathname) ?? [];
  if (kind === 'contributors' && rest.startsWith('-')) return `/contributors/${thousand(id)}${id}${rest}`;
  if (kind && kind !== 'contributors') return `/${kind}/${thousand(id)}${id}/index.json`;
  const [, media] = /^\/media\/(\w+\.\w+)$/.exec(pathname) ?? [];
  return media ? `/media/${firstLetters(media)}${media}` : pathname;
}

const found = document.querySelector('.found');
document.querySelector('.needs-script')?.remove();
const place = found ? pathname : findPlace();
if (place !== pathname) location.replace(place);

const maxShown = 100;

/** The excerpt has the found words in elements; nothing else of it is taken as one. */
function* toNodes(excerpt) {
  for (const [index, part] of excerpt.split(/<\/?mark>/).entries()) {
    const decoder = document.createElement('textarea');
    decoder.innerHTML = part;
    const word = document.createElement('mark');
    word.textContent = decoder.value;
    yield index % 2 ? word : decoder.value;
  }
}

function toItem({ url, meta, excerpt }) {
  const [item, link, text] = ['li', 'a', 'p'].map((name) => document.createElement(name));
  Object.assign(link, { href: url, textContent: meta.title, dir: 'auto' });
  text.dir = 'auto';
  text.append(...toNodes(excerpt));
  item.append(link, ` · ${meta.name}`, text);
  return item;
}

const words = query.get('search')?.trim();
if (found && words) {
  for (const field of document.querySelectorAll('[name="search"]')) field.value = words;
  const pagefind = await import('/pagefind/pagefind.js');
  const { results } = await pagefind.search(words);
  const count = document.querySelector('.count');
  count.textContent = results.length
    ? count.dataset.found.replace('0', results.length.toLocaleString())
    : count.dataset.none;
  found.append(...(await Promise.all(results.slice(0, maxShown).map((result) => result.data()))).map(toItem));
}
