// Suggests values for a field that refers to other records while the user types. Without this script the field accepts
// an id, or names separated by commas.

const debounceMs = 200;

for (const list of document.querySelectorAll('datalist[data-lookup]')) {
  const { lookup, value, label, multiple: isMultiple } = list.dataset;
  const field = document.querySelector(`input[list="${list.id}"]`);
  let timer;
  let pending;

  field.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(suggestValues, debounceMs);
  });

  async function suggestValues() {
    pending?.abort();
    pending = new AbortController();
    // In a list of names the last one is being typed.
    const [, before, term] =
      isMultiple === undefined ? ['', '', field.value] : /^(.*,\s*)?(.*)$/s.exec(field.value);
    if (term.trim() === '') return list.replaceChildren();
    const url = new URL(lookup, location.href);
    url.searchParams.set('search', term.trim());
    try {
      const response = await fetch(url, { headers: { Accept: 'application/json' }, signal: pending.signal });
      const { results } = response.ok ? await response.json() : { results: [] };
      list.replaceChildren(...results.map((record) => createOption(before ?? '', record)));
    } catch (error) {
      if (error.name !== 'AbortError') list.replaceChildren();
    }
  }

  function createOption(before, record) {
    const element = document.createElement('option');
    element.value = before + record[value];
    element.label = String(record[label]);
    return element;
  }
}
