// Improves the form of a project: unsaved text survives a closed tab, and the preview follows the text.

const form = document.querySelector('form.writing');
const key = `draft ${form.dataset.kept}`;
const kept = ['title', 'text', 'tags', 'link'];

const pause = (milliseconds, work) => {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
};

const typed = () =>
  Object.fromEntries(
    kept.flatMap((name) => (form.elements[name] ? [[name, form.elements[name].value]] : [])),
  );
const fill = (values) => {
  for (const name of kept)
    if (form.elements[name] && name in values) form.elements[name].value = values[name];
};
const differs = (one, other) => kept.some((name) => (one[name] ?? '') !== (other[name] ?? ''));

keepDraft();
previewAsTyped();

function keepDraft() {
  const initial = typed();
  const found = JSON.parse(localStorage.getItem(key) ?? 'null');
  const refused = document.querySelector('.mistakes') !== null;
  if (found && !refused && differs(found.values, initial)) offer(found, initial);
  const keep = () => {
    if (differs(typed(), initial) || refused)
      localStorage.setItem(key, JSON.stringify({ values: typed(), at: Date.now() }));
    else localStorage.removeItem(key);
  };
  form.addEventListener('input', pause(300, keep));
  addEventListener('pagehide', () => {
    if (!JSON.parse(localStorage.getItem(key) ?? '{}').sent) keep();
  });
  form.addEventListener('submit', (event) => {
    if (event.submitter?.name === 'preview') return;
    localStorage.setItem(key, JSON.stringify({ values: typed(), at: Date.now(), sent: true }));
  });
}

function offer({ values, at }, initial) {
  const box = document.createElement('div');
  box.className = 'notice draft';
  box.role = 'status';
  const words = document.createElement('p');
  words.textContent = `What you typed on ${new Date(at).toLocaleString('en')} was not saved.`;
  const take = document.createElement('button');
  take.type = 'button';
  take.textContent = 'Bring it back';
  const drop = document.createElement('button');
  drop.type = 'button';
  drop.className = 'quiet';
  drop.textContent = 'Forget it';
  take.addEventListener('click', () => {
    fill(values);
    box.remove();
    form.elements.title.focus();
  });
  drop.addEventListener('click', () => {
    localStorage.removeItem(key);
    fill(initial);
    box.remove();
    form.elements.title.focus();
  });
  box.append(words, take, drop);
  form.before(box);
}

function previewAsTyped() {
  const section = document.getElementById('preview');
  const shown = section.querySelector('.text');
  const button = form.querySelector('button[name=preview]');
  const show = async () => {
    try {
      const response = await fetch('/preview/', {
        method: 'POST',
        body: new URLSearchParams(new FormData(form)),
      });
      // A viewer who was signed out meanwhile is redirected to another page, which is not a preview.
      if (response.ok && !response.redirected) shown.innerHTML = await response.text();
    } catch {
      // The last preview stays until the server can be reached again.
    }
  };
  const follow = pause(400, () => section.hidden || show());
  form.addEventListener('input', follow);
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    section.hidden = !section.hidden;
    button.setAttribute('aria-expanded', String(!section.hidden));
    if (section.hidden) return;
    await show();
    section.scrollIntoView({ block: 'nearest' });
  });
}
