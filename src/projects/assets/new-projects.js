// Shows a link with the number of new projects above a list; it adds them to the list.

const bar = document.querySelector('.new-projects');
const cards = document.querySelector('main > .cards');
const link = document.createElement('a');
link.className = 'button';
link.href = bar.dataset.list;
// No cache, not even one of the server, may give an older answer.
const headers = { Prefer: 'handling=lenient' };

function show(count) {
  const number = count.toLocaleString(document.documentElement.dataset.locale);
  const text = count === 1 ? bar.dataset.one : bar.dataset.many.replace('#', number);
  if (count > 0 && link.textContent !== text) link.textContent = text;
  if (count === 0) link.remove();
  else if (!link.parentElement) bar.append(link);
}

bar.addEventListener('changes', async ({ detail: actions }) => {
  // Projects that are gone matter only if the link counts them.
  if (!link.parentElement && [...actions].every((action) => action === 'gone')) return;
  const response = await fetch(bar.dataset.count, { headers }).catch(() => undefined);
  if (response?.ok) show((await response.json()).count);
});

const idOf = (card) => card.querySelector('.name a').pathname.split('/')[2];

/** The cards of new projects, or none if others are missing between them and the first known one. */
function findNewCards(page) {
  const known = new Set([...cards.children].map(idOf));
  const found = [...page.querySelectorAll('main > .cards > li')];
  const newCount = found.findIndex((card) => known.has(idOf(card)));
  return found.slice(0, Math.max(0, newCount));
}

link.addEventListener('click', async (event) => {
  if (!cards || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  const response = await fetch(link.href, { headers }).catch(() => undefined);
  const page = new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
  const newCards = findNewCards(page);
  const [first] = newCards;
  if (!first) return location.assign(link.href);
  cards.prepend(...newCards);
  bar.dataset.count = page.querySelector('.new-projects').dataset.count;
  const count = document.querySelector('main .count');
  if (count) count.textContent = page.querySelector('main .count').textContent;
  show(0);
  first.scrollIntoView({ block: 'nearest' });
  first.querySelector('.name a').focus({ preventScroll: true });
});
