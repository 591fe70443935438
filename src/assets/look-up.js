// Suggests values for a field that refers to other records while the user types. Without this script the field accepts
// an id, or names separated by commas.

const patience = 200;

for (const list of document.querySelectorAll('datalist[data-look-up]')) {
  const { lookUp, value, label, several } = list.dataset;
  const field = document.querySelector(`input[list="${list.id}"]`);
  let waiting;
  let asked;

  field.addEventListener('input', () => {
    clearTimeout(waiting);
    waiting = setTimeout(suggest, patience);
  });

  async function suggest() {
    asked?.abort();
    asked = new AbortController();
    // In a list of names the last one is being typed.
    const [, before, word] =
      several === undefined ? ['', '', field.value] : /^(.*,\s*)?(.*)$/s.exec(field.value);
    if (word.trim() === '') return list.replaceChildren();
    const address = new URL(lookUp, location.href);
    address.searchParams.set('search', word.trim());
    try {
      const answer = await fetch(address, { headers: { Accept: 'application/json' }, signal: asked.signal });
      const { results } = answer.ok ? await answer.json() : { results: [] };
      list.replaceChildren(...results.map((found) => option(before ?? '', found)));
    } catch (error) {
      if (error.name !== 'AbortError') list.replaceChildren();
    }
  }

  function option(before, found) {
    const made = document.createElement('option');
    made.value = before + found[value];
    made.label = String(found[label]);
    return made;
  }
}
