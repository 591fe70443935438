// Replaces the numbered pages with a "Load more" button, which appends the cards of the next page. After going back or a
// reload, the same cards are there, at the same place: the history remembers how many pages were loaded.

// Comments have pages too, without the button.
const pagerSelector = '.pager[data-load-more]';
const pager = document.querySelector(pagerSelector);
const cards = pager?.parentNode.querySelector(':scope > .cards');
const next = pager?.querySelector('a[rel=next]');

if (cards && pager && next) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'load-more';
  button.textContent = pager.dataset.loadMore;
  const status = document.createElement('p');
  status.className = 'live-status';
  status.role = 'status';
  pager.before(button, status);
  pager.hidden = true;

  const { pageCount = 0, place } = history.state ?? {};
  let nextUrl = next.href;
  let loadedCount = 0;

  /** Returns the first new card, for the focus. */
  const loadPage = async () => {
    button.disabled = true;
    try {
      const response = await fetch(nextUrl, { headers: { Accept: 'text/html' } });
      if (!response.ok) throw new Error(String(response.status));
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      // New projects on top have moved some cards to the next page.
      const known = new Set([...cards.querySelectorAll('.name a')].map(({ href }) => href));
      const newCards = [...page.querySelectorAll(`.cards:has(~ ${pagerSelector}) > li`)].filter(
        (card) => !known.has(card.querySelector('.name a').href),
      );
      cards.append(...newCards);
      loadedCount++;
      status.textContent = page.querySelector(pagerSelector).dataset.loaded;
      nextUrl = page.querySelector(`${pagerSelector} a[rel=next]`)?.href ?? '';
      if (nextUrl === '') button.remove();
      return newCards[0];
    } catch {
      // The numbered pages still work.
      pager.hidden = false;
      button.remove();
      nextUrl = '';
    } finally {
      button.disabled = false;
    }
  };

  button.addEventListener('click', async () => {
    const card = await loadPage();
    card?.querySelector('a')?.focus({ preventScroll: true });
  });
  addEventListener('pagehide', () => {
    history.replaceState({ pageCount: loadedCount, place: scrollY }, '');
  });
  if (pageCount > 0) {
    history.scrollRestoration = 'manual';
    while (loadedCount < pageCount && nextUrl !== '') await loadPage();
    scrollTo(0, place);
  }
}
