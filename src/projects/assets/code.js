// Adds a button to each piece of code that copies it. Browsers allow it over HTTPS and on localhost only.

const words = document.querySelector('[data-copy]').dataset;

for (const code of navigator.clipboard ? document.querySelectorAll('.text pre > code') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'quiet';
  button.textContent = words.copy;
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = words.copied;
    } catch {
      getSelection().selectAllChildren(code);
    }
  });
  code.parentElement.classList.add('copyable');
  code.after(button);
}
