// Improves the form of a project: unsaved text survives a closed tab, and the preview follows the text.

const form = document.querySelector('form.project-form');
const key = `draft ${form.dataset.draftKey}`;
const fieldNames = ['title', 'text', 'said_by', 'note', 'tags', 'link'];

/** Files are sent by their names only. */
const readNames = (data) => [...data].map(([name, value]) => [name, value.name ?? value]);

const debounce = (milliseconds, callback) => {
  let timer;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(callback, milliseconds);
  };
};

const readValues = () =>
  Object.fromEntries(
    fieldNames.flatMap((name) => (form.elements[name] ? [[name, form.elements[name].value]] : [])),
  );
const setValues = (values) => {
  for (const name of fieldNames)
    if (form.elements[name] && name in values) {
      form.elements[name].value = values[name];
      // Restored text is seen: see Folded in project-form.tsx.
      if (values[name]) form.elements[name].closest('details')?.setAttribute('open', '');
    }
};
const differs = (a, b) => fieldNames.some((name) => (a[name] ?? '') !== (b[name] ?? ''));

enableDrafts();
enableLivePreview();
enableAutosave();

function enableDrafts() {
  const initial = readValues();
  const draft = JSON.parse(localStorage.getItem(key) ?? 'null');
  const summary = document.querySelector('.error-summary');
  // The files may stand above it.
  summary?.focus();
  const hasErrors = summary !== null;
  if (draft && !hasErrors && differs(draft.values, initial)) offerDraft(draft, initial);
  const saveDraft = () => {
    if (differs(readValues(), initial) || hasErrors)
      localStorage.setItem(key, JSON.stringify({ values: readValues(), at: Date.now() }));
    else localStorage.removeItem(key);
  };
  form.addEventListener('input', debounce(300, saveDraft));
  addEventListener('pagehide', () => {
    if (!JSON.parse(localStorage.getItem(key) ?? '{}').sent) saveDraft();
  });
  form.addEventListener('submit', (event) => {
    if (event.submitter?.name === 'preview') return;
    localStorage.setItem(key, JSON.stringify({ values: readValues(), at: Date.now(), sent: true }));
  });
}

function offerDraft({ values, at }, initial) {
  const box = document.getElementById('unsaved-text').content.firstElementChild;
  const date = new Date(at);
  box.querySelector('[data-time]').textContent = date.toLocaleString(
    document.documentElement.dataset.locale,
    {
      dateStyle: 'long',
      timeStyle: 'short',
    },
  );
  const [restoreButton, discardButton] = box.querySelectorAll('button');
  restoreButton.addEventListener('click', () => {
    setValues(values);
    box.remove();
    if (form.elements.file && values.text?.includes('![')) askForPictures();
    form.elements.title.focus();
  });
  discardButton.addEventListener('click', () => {
    localStorage.removeItem(key);
    setValues(initial);
    box.remove();
    form.elements.title.focus();
  });
  form.before(box);
}

/** The browser keeps the words of a form, and no files. */
function askForPictures() {
  const note = document.createElement('p');
  Object.assign(note, { className: 'help', role: 'status', textContent: form.dataset.chooseAgain });
  form.elements.file.after(note);
}

function enableLivePreview() {
  const section = document.getElementById('preview');
  const output = section.querySelector('.text');
  const button = form.querySelector('button[name=preview]');
  const updatePreview = async () => {
    try {
      const response = await fetch('/preview/', {
        method: 'POST',
        body: new URLSearchParams(readNames(new FormData(form))),
      });
      // A viewer who was signed out meanwhile is redirected to another page, which is not a preview.
      if (!response.ok || response.redirected) return;
      output.innerHTML = await response.text();
      // The script for uploads shows the pictures that are not sent yet.
      output.dispatchEvent(new Event('previewed', { bubbles: true }));
    } catch {
      // The last preview stays until the server can be reached again.
    }
  };
  const scheduleUpdate = debounce(400, () => section.hidden || updatePreview());
  form.addEventListener('input', scheduleUpdate);
  button.addEventListener('click', async (event) => {
    event.preventDefault();
    section.hidden = !section.hidden;
    button.setAttribute('aria-expanded', String(!section.hidden));
    if (section.hidden) return;
    await updatePreview();
    section.scrollIntoView({ block: 'nearest' });
  });
}

/** Changes that are kept for later are kept on the server while somebody writes. */
function enableAutosave() {
  const { autosave } = form.dataset;
  if (!autosave) return;
  const status = form.querySelector('[data-kept]');
  const choice = form.querySelector('[data-kept-elsewhere]');
  const [loadButton, mineButton] = choice.querySelectorAll('button');
  let saving = Promise.resolve();
  let isElsewhere = false;
  const send = async () => {
    if (isElsewhere) return;
    const body = new URLSearchParams(new FormData(form));
    body.set('do', 'autosave');
    // Each time is another one.
    body.delete('once');
    const response = await fetch(autosave, { method: 'POST', body, redirect: 'manual' }).catch(
      () => undefined,
    );
    status.textContent = await readAnswer(response);
  };
  // One after the other: each names the version that the last one has made.
  const save = () => {
    saving = saving.then(send);
  };
  const saveLater = debounce(1000, save);
  const readAnswer = async (response) => {
    const { kept, retrying, signedOut } = status.dataset;
    if (response?.ok) {
      const version = await response.text();
      for (const input of document.querySelectorAll('[name=kept]')) input.value = version;
      return kept;
    }
    // It leads to signing in: the session has ended meanwhile.
    if (response?.type === 'opaqueredirect') return signedOut;
    if (!response || response.status >= 500) {
      setTimeout(save, 5000);
      return retrying;
    }
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const version = page.querySelector('input[name=kept]')?.value;
    isElsewhere = version !== undefined && version !== form.elements.kept.value;
    choice.hidden = !isElsewhere;
    mineButton.dataset.version = version;
    return [...page.querySelectorAll('.error-summary li')].map(({ textContent }) => textContent).join(' ');
  };
  loadButton.addEventListener('click', () => location.reload());
  mineButton.addEventListener('click', () => {
    form.elements.kept.value = mineButton.dataset.version;
    isElsewhere = false;
    choice.hidden = true;
    save();
  });
  addEventListener('online', save);
  form.addEventListener('input', saveLater);
}
