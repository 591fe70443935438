// The script of every page: switches the colour scheme without a reload, deletes saved drafts, shows passwords, and sends a form
// with Ctrl+Enter.

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

// Nobody at the same screen finds the drafts of a person who has signed out. Browsers that know Clear-Site-Data need no
// script. The drafts are deleted on the next page: the form saves its draft once more when its page is left.
const isLeaving = 'is leaving';
for (const form of document.querySelectorAll('form[action="/sign-out/"], form[action="/account/leave/"]'))
  form.addEventListener('submit', () => sessionStorage.setItem(isLeaving, 'yes'));
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

// Ctrl+Enter, or Cmd+Enter, in a long text presses the first button that sends its form.
document.addEventListener('keydown', ({ key, ctrlKey, metaKey, target }) => {
  if (key !== 'Enter' || !(ctrlKey || metaKey) || target.tagName !== 'TEXTAREA') return;
  target.form?.requestSubmit(target.form.querySelector('button[type=submit]:enabled'));
});

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

for (const button of document.querySelectorAll('.show-password')) {
  const input = button.parentElement.querySelector('input');
  button.hidden = false;
  const show = (isShown) => {
    input.type = isShown ? 'text' : 'password';
    button.ariaPressed = String(isShown);
  };
  button.addEventListener('click', () => show(input.type === 'password'));
  // Browsers offer to save passwords only.
  input.form.addEventListener('submit', () => show(false));
}

// The forms of moderators have several buttons, none of which is the obvious one.
document.addEventListener('keydown', (event) => {
  const { key, ctrlKey, metaKey, target } = event;
  if (key !== 'Enter' || !(ctrlKey || metaKey) || !target.matches('.stacked-form textarea')) return;
  event.preventDefault();
  target.form.requestSubmit(target.form.querySelector('[type=submit]'));
});

// Scripts that follow changes are loaded later, and not at all by a browser that saves data.
const place = document.querySelector('[data-scripts]');
if (place && !navigator.connection?.saveData)
  setTimeout(async () => {
    for (const script of place.dataset.scripts.split(' ')) await import(script).catch(() => {});
  }, 3000);
