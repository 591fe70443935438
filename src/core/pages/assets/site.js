// The script of every page: switches the colour scheme without a reload, and deletes saved drafts.

const oneYear = 365 * 24 * 60 * 60;

document.querySelector('form.theme-switch')?.addEventListener('submit', (event) => {
  const chosen = event.submitter?.value;
  if (chosen === undefined) return;
  event.preventDefault();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `look=${chosen}; Path=/; Max-Age=${chosen ? oneYear : 0}; SameSite=Lax`;
  if (chosen) document.documentElement.dataset.theme = chosen;
  else delete document.documentElement.dataset.theme;
  for (const button of event.target.querySelectorAll('button'))
    button.ariaPressed = String(button === event.submitter);
});

// Nobody at the same screen finds the drafts and lists of a person who has signed out. Browsers that know Clear-Site-Data need no
// script. The drafts are deleted on the next page: the form saves its draft once more when its page is left.
const isLeaving = 'is leaving';
for (const form of document.querySelectorAll('form[action="/sign-out/"], form[action="/account/leave/"]'))
  form.addEventListener('submit', () => {
    sessionStorage.clear();
    sessionStorage.setItem(isLeaving, 'yes');
  });
const hasLeft = sessionStorage.getItem(isLeaving) && !document.querySelector('form[action="/sign-out/"]');
sessionStorage.removeItem(isLeaving);

// The draft of a form that was sent (see project-form.js) can be deleted when the next page is neither the form again,
// an error page, nor a sign-in page.
const wasAccepted =
  !document.querySelector('form.project-form, main .error') && !location.pathname.startsWith('/sign-');
for (const key of Object.keys(localStorage).filter((name) => name.startsWith('draft '))) {
  const { sent: wasSent } = JSON.parse(localStorage.getItem(key) ?? '{}');
  if (hasLeft || (wasAccepted && wasSent)) localStorage.removeItem(key);
}

// Times of the last weeks as people say them, by the days of the calendar; the exact one is in the title, and the date in print.
// Others in the time zone of the browser.
const { locale } = document.documentElement.dataset;
const dayMs = 24 * 60 * 60 * 1000;
const maxDays = 28;

const sayAgo = (date) => {
  const passed = Date.now() - date;
  const days = Math.round((new Date().setHours(0, 0, 0, 0) - new Date(date).setHours(0, 0, 0, 0)) / dayMs);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (passed < -60_000 || days >= maxDays) return;
  if (days >= 14) return format.format(-Math.floor(days / 7), 'week');
  if (days > 0) return format.format(-days, 'day');
  const minutes = Math.floor(passed / 60_000);
  if (minutes < 1) return format.format(0, 'second');
  return minutes < 60 ? format.format(-minutes, 'minute') : format.format(-Math.floor(minutes / 60), 'hour');
};
const sayTimes = () => {
  for (const time of document.querySelectorAll('time[data-ago]')) {
    const isExact = time.dataset.ago;
    delete time.dataset.ago;
    const date = new Date(time.dateTime);
    time.title = date.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short' });
    if (isExact) time.textContent = time.title;
    const said = !isExact && sayAgo(date);
    if (!said) continue;
    const [ago, exact] = [said, time.textContent].map((text) => {
      const part = document.createElement('span');
      part.textContent = text;
      return part;
    });
    ago.className = 'ago';
    time.replaceChildren(ago, exact);
  }
};
sayTimes();
new MutationObserver(sayTimes).observe(document.body, { childList: true, subtree: true });

// The chosen filter of a row that is wider than the screen. After scrollIntoView, the Tab key would begin there.
const chosen = document.querySelector('.types [aria-current]');
const row = chosen?.closest('.types');
if (row) {
  const [outer, inner] = [row, chosen].map((element) => element.getBoundingClientRect());
  row.scrollLeft += inner.left + inner.width / 2 - outer.left - outer.width / 2;
}

// Without a script a menu closes only by its own button.
document.addEventListener('click', ({ target }) => {
  for (const menu of document.querySelectorAll('.menu[open]')) if (!menu.contains(target)) menu.open = false;
});
document.addEventListener('keydown', ({ key }) => {
  if (key !== 'Escape') return;
  for (const menu of document.querySelectorAll('.menu[open]')) {
    menu.open = false;
    menu.querySelector('summary').focus();
  }
});

// The key / begins a search. On a narrow screen it opens the search first.
document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, altKey, metaKey, isComposing } = event;
  if (key !== '/' || ctrlKey || altKey || metaKey || isComposing) return;
  if (target.isContentEditable || target.closest('input, textarea, select, dialog[open]')) return;
  const search = document.querySelector('.site-header search');
  if (!search) return;
  event.preventDefault();
  if (getComputedStyle(search).display === 'none') search.showPopover();
  search.querySelector('input').select();
});

// Scripts that follow changes are loaded later, and not at all by a browser that saves data.
const place = document.querySelector('[data-scripts]');
if (place && !navigator.connection?.saveData)
  setTimeout(async () => {
    for (const script of place.dataset.scripts.split(' ')) await import(script).catch(() => {});
  }, 3000);
