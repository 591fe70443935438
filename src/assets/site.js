// What every page has: light or dark without a new page, and an end for drafts that were saved.

const year = 365 * 24 * 60 * 60;

document.querySelector('form.look')?.addEventListener('submit', (event) => {
  const chosen = event.submitter?.value;
  if (chosen === undefined) return;
  event.preventDefault();
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store is not in every browser
  document.cookie = `look=${chosen}; Path=/; Max-Age=${chosen ? year : 0}; SameSite=Lax`;
  if (chosen) document.documentElement.dataset.look = chosen;
  else delete document.documentElement.dataset.look;
  for (const button of event.target.querySelectorAll('button'))
    button.ariaPressed = String(button === event.submitter);
});

// A form that was sent leads to another page when it was taken (see writing.js), or to where it was not: to sign in
// again, or to what went wrong.
const taken = !document.querySelector('form.writing, main .error') && !location.pathname.startsWith('/sign-');
if (taken) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith('draft ') && JSON.parse(localStorage.getItem(key) ?? '{}').sent)
      localStorage.removeItem(key);
  }
}
