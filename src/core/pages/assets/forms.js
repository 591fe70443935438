// For pages with forms: shows passwords, and sends a long text by Ctrl+Enter or Cmd+Enter.

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
