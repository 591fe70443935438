// The page with the settings of the site takes the look that is being chosen.

const form = document.querySelector('.site-form');

function show({ name, dataset }) {
  if (dataset.shows === undefined) return;
  if (dataset.shows) document.documentElement.dataset[name] = dataset.shows;
  else delete document.documentElement.dataset[name];
}

form?.addEventListener('change', ({ target }) => show(target));
for (const chosen of form?.querySelectorAll('input:checked') ?? []) show(chosen);
