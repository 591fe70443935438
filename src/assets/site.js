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

// The draft of a form that was sent (see project-form.js) can be deleted when the next page is neither the form again,
// an error page, nor a sign-in page.
const wasAccepted =
  !document.querySelector('form.project-form, main .error') && !location.pathname.startsWith('/sign-');
if (wasAccepted) {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith('draft ') && JSON.parse(localStorage.getItem(key) ?? '{}').sent)
      localStorage.removeItem(key);
  }
}
