// Adds a copy button to each snippet. Browsers allow access to the clipboard over HTTPS and on localhost only:
// elsewhere there is no button.

for (const text of navigator.clipboard ? document.querySelectorAll('pre[data-copy]') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${text.dataset.copy}`);
  const said = document.createElement('span');
  said.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    said.textContent = '';
    try {
      await navigator.clipboard.writeText(text.textContent);
      said.textContent = 'Copied';
    } catch {
      said.textContent = 'Not copied: the browser does not allow it.';
    }
  });
  const row = document.createElement('p');
  row.append(button, ' ', said);
  text.after(row);
}
