// Leads from a project to the previous and the next one of the list that it was opened from. The list is remembered for
// this tab when one of its cards is followed. The page of a project is the same for everybody, with a hidden place for it.

const storageKey = 'lists';
const maxLists = 5;

const readLists = () => JSON.parse(sessionStorage.getItem(storageKey) ?? '[]');

/** The title may have changed, and with it the end of the path: `/content/<uuid>/<slug>/`. */
const readUuid = (path) => path.split('/')[2];

function remember({ target }) {
  const cards = target.closest?.('.card a[href^="/content/"]')?.closest('.cards');
  if (!cards) return;
  const items = [...cards.querySelectorAll('.card > .name a')].map(({ pathname, textContent }) => ({
    path: pathname,
    title: textContent,
  }));
  const path = location.pathname + location.search;
  const others = readLists().filter((list) => list.path !== path || list.items[0].path !== items[0].path);
  sessionStorage.setItem(storageKey, JSON.stringify([{ path, items }, ...others].slice(0, maxLists)));
}
document.addEventListener('click', remember);
// A click with the middle button, for a new tab.
document.addEventListener('auxclick', remember);

const place = document.querySelector('.list-neighbours');
if (place) {
  const uuid = readUuid(location.pathname);
  const isShown = ({ path }) => readUuid(path) === uuid;
  const list = readLists().find(({ items }) => items.some(isShown));
  const index = list?.items.findIndex(isShown);
  const lead = (rel, label, path, title) => {
    const link = document.createElement('a');
    Object.assign(link, { href: path, rel });
    const name = document.createElement('b');
    Object.assign(name, { dir: 'auto', textContent: title });
    link.append(label, name);
    place.append(link);
  };
  if (list) {
    const [previous, next] = [list.items[index - 1], list.items[index + 1]];
    const { dataset } = place;
    if (previous) lead('prev', dataset.previous, previous.path, previous.title);
    if (next) lead('next', dataset.next, next.path, next.title);
    else lead('up', dataset.back, list.path, '');
    place.hidden = false;
  }
}
