// Keeps the wall as the server would show it now: it asks for the page again and takes the cards from it, those that are as
// before excepted. So nothing has to be kept but the cards that are shown.

const main = document.querySelector('main');
const list = main.querySelector('.cards');
const prefersStill = matchMedia('(prefers-reduced-motion: reduce)');
/** A wall without a stream, or with one that says nothing of a tag that was taken away, is renewed as often as this. */
const renewalMs = 60_000;
const maxWaitMs = 5000;

let isRenewing = false;
let wasCalled = false;
let firstHead;

async function renew() {
  wasCalled = true;
  if (isRenewing) return;
  isRenewing = true;
  while (wasCalled) {
    wasCalled = false;
    // Without a connection the wall stays as it is.
    await renewOnce().catch(() => {});
  }
  isRenewing = false;
}

async function renewOnce() {
  const response = await fetch(location.href, { headers: { Prefer: 'handling=lenient' } });
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  // The server has another version, or the site another look.
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
