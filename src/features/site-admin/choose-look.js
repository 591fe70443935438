// The page with the settings of the site takes the look that is being chosen.

const form = document.querySelector('.site-form');

function show({ name, dataset }) {
  if (dataset.shows === undefined) return;
  if (dataset.shows) document.documentElement.dataset[name] = dataset.shows;
  else delete document.documentElement.dataset[name];
}

const color = form?.querySelector('[name=accent_color]');
const { style } = document.documentElement;
form?.addEventListener('input', ({ target }) => {
  if (target === color) form.querySelector('[name=accent][value=own]').checked = true;
  else if (target.name !== 'accent') return;
  if (form.elements.accent.value === 'own') style.setProperty('--chosen', color.value);
  else style.removeProperty('--chosen');
});
form?.addEventListener('change', ({ target }) => show(target));
for (const chosen of form?.querySelectorAll('input:checked') ?? []) show(chosen);
