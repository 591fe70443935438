// Replaces the numbered pages with a "Load more" button: it appends the cards of the next page and updates the URL,
// so that going back and sharing work.

const cards = document.querySelector('main > .cards');
const pager = document.querySelector('main > .pager');
const next = pager?.querySelector('a[rel=next]');

if (cards && pager && next) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'load-more';
  button.textContent = 'Load more';
  const status = document.createElement('p');
  status.className = 'live-status';
  status.role = 'status';
  pager.before(button, status);
  pager.hidden = true;

  let nextUrl = next.href;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const response = await fetch(nextUrl, { headers: { Accept: 'text/html' } });
      if (!response.ok) throw new Error(String(response.status));
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const newCards = [...page.querySelectorAll('main > .cards > li')];
      cards.append(...newCards);
      history.replaceState(null, '', nextUrl);
      status.textContent = `${newCards.length} more projects loaded.`;
      newCards[0]?.querySelector('a')?.focus({ preventScroll: true });
      nextUrl = page.querySelector('main > .pager a[rel=next]')?.href ?? '';
      if (nextUrl === '') button.remove();
    } catch {
      // The numbered pages still work.
      pager.hidden = false;
      button.remove();
    }
    button.disabled = false;
  });
}
