// Adds buttons to the link of a project: one that copies it, and on phones one that opens the device's own sharing.
// Browsers allow both over HTTPS and on localhost only.

for (const row of document.querySelectorAll('.share-link')) {
  const input = row.querySelector('input');
  const addButton = (text, onClick) => {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'quiet';
    button.textContent = text;
    button.addEventListener('click', () => onClick(button));
    row.append(button);
  };
  if (navigator.clipboard)
    addButton(row.dataset.copy, async (button) => {
      try {
        await navigator.clipboard.writeText(input.value);
        button.textContent = row.dataset.copied;
      } catch {
        input.select();
      }
    });
  if (navigator.share && row.dataset.send)
    addButton(row.dataset.send, () =>
      // Closing the device's dialog is no error.
      navigator.share({ title: row.dataset.title, url: input.value }).catch(() => undefined),
    );
}

// After a reload, or sent to somebody else, the address congratulates nobody.
if (new URLSearchParams(location.search).has('published'))
  history.replaceState(history.state, '', location.pathname);
