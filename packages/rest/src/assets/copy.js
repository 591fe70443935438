// Adds a copy button to each snippet. Browsers allow access to the clipboard over HTTPS and on localhost only:
// elsewhere there is no button.

for (const snippet of navigator.clipboard ? document.querySelectorAll('pre[data-copy]') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = 'Copy';
  button.setAttribute('aria-label', `Copy ${snippet.dataset.copy}`);
  const status = document.createElement('span');
  status.setAttribute('aria-live', 'polite');
  button.addEventListener('click', async () => {
    status.textContent = '';
    try {
      await navigator.clipboard.writeText(snippet.textContent);
      status.textContent = 'Copied';
    } catch {
      status.textContent = 'Your browser doesn’t allow copying here.';
    }
  });
  const paragraph = document.createElement('p');
  paragraph.append(button, ' ', status);
  snippet.after(paragraph);
}
