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
  const said = document.createElement('p');
  said.className = 'said';
  said.role = 'status';
  pager.before(button, said);
  pager.hidden = true;

  let address = next.href;
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      const response = await fetch(address, { headers: { Accept: 'text/html' } });
      if (!response.ok) throw new Error(String(response.status));
      const page = new DOMParser().parseFromString(await response.text(), 'text/html');
      const added = [...page.querySelectorAll('main > .cards > li')];
      cards.append(...added);
      history.replaceState(null, '', address);
      said.textContent = `${added.length} more below.`;
      added[0]?.querySelector('a')?.focus({ preventScroll: true });
      address = page.querySelector('main > .pager a[rel=next]')?.href ?? '';
      if (address === '') button.remove();
    } catch {
      // The numbered pages still work.
      pager.hidden = false;
      button.remove();
    }
    button.disabled = false;
  });
}
