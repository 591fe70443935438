// Keeps the wall up to date: it requests the page again and takes the cards that have changed from it. So it has to keep
// nothing but the cards that are shown.

const main = document.querySelector('main');
const list = main.querySelector('.cards');
const prefersStill = matchMedia('(prefers-reduced-motion: reduce)');
/** There may be no stream, and a stream does not report a tag that was removed from a project. */
const renewalMs = 60_000;
const maxWaitMs = 5000;

let isRenewing = false;
let isOutdated = false;
let firstHead;

async function renew() {
  isOutdated = true;
  if (isRenewing) return;
  isRenewing = true;
  while (isOutdated) {
    isOutdated = false;
    // Without a connection the wall stays as it is.
    await renewOnce().catch(() => {});
  }
  isRenewing = false;
}

async function renewOnce() {
  const response = await fetch(location.href, { headers: { Prefer: 'handling=lenient' } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  // The server has a new version, or the site a new look.
  const head = page.head.innerHTML + JSON.stringify(page.documentElement.dataset);
  firstHead ??= head;
  if (head !== firstHead) return location.reload();

  const cards = [...page.querySelectorAll('.cards > li')].map((card) => {
    const own = document.getElementById(card.id);
    return own?.innerHTML === card.innerHTML ? own : document.adoptNode(card);
  });
  if (cards.length === list.children.length && cards.every((card, index) => card === list.children[index]))
    return;
  await waitForPictures(cards);
  const empty = page.querySelector('.empty');
  const show = () => {
    list.replaceChildren(...cards);
    main.querySelector('.empty')?.remove();
    if (empty) main.prepend(empty);
  };
  // Cards that move are drawn above everything, also above the code that fills the screen.
  const isStill = prefersStill.matches || document.hidden || document.querySelector('details[open]');
  if (!document.startViewTransition || isStill) return show();
  for (const card of [...list.children, ...cards]) card.style.viewTransitionName = card.id;
  await document.startViewTransition(show).finished;
}

/** A new card appears with its picture. */
function waitForPictures(cards) {
  const pictures = cards.flatMap((card) => [...card.querySelectorAll('img')]);
  const decoded = Promise.allSettled(pictures.map((picture) => picture.decode()));
  return Promise.race([decoded, new Promise((resolve) => setTimeout(resolve, maxWaitMs))]);
}

main.addEventListener('changes', renew);
setInterval(() => {
  if (!document.hidden) renew();
}, renewalMs);

const stayAwake = () => navigator.wakeLock?.request('screen').catch(() => {});
stayAwake();
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) stayAwake();
});
