// Pictures that are dropped, pasted or chosen for the text of a project are uploaded to it, and stand where the cursor is. The first
// one in the text of a new project saves it as a draft: the page becomes the form of that draft.

const form = document.querySelector('form[data-files-url]');
const text = form.elements.text;
const positionKey = 'picture in text';
let isUploading = false;
const isPicture = ({ type }) => type.startsWith('image/');

text.addEventListener('dragover', (event) => {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault();
});
text.addEventListener('drop', (event) => addPictures(event, event.dataTransfer));
text.addEventListener('paste', (event) => {
  // Programs copy a picture of a text with the text.
  if (!event.clipboardData.types.includes('text/plain')) addPictures(event, event.clipboardData);
});
enablePictureButton();

const saved = JSON.parse(sessionStorage.getItem(positionKey) ?? 'null');
if (saved?.page === location.pathname) {
  sessionStorage.removeItem(positionKey);
  text.value = saved.text;
  text.focus();
  text.setSelectionRange(saved.start, saved.end);
  if (saved.time) form.elements.publish_time.value = saved.time;
  for (const name of saved.names) insert(name);
}

function enablePictureButton() {
  const input = document.createElement('input');
  Object.assign(input, { type: 'file', accept: 'image/*', multiple: true });
  input.addEventListener('change', (event) => addPictures(event, input));
  const button = form.querySelector('[data-add-picture]');
  button.addEventListener('click', () => {
    // The same picture can be chosen again.
    input.value = '';
    input.click();
  });
}

async function addPictures(event, { files }) {
  const pictures = [...files].filter(isPicture);
  if (pictures.length === 0) return;
  event.preventDefault();
  if (isUploading) return;
  isUploading = true;
  form.parentElement.querySelector('.upload-status')?.remove();
  const status = document.createElement('p');
  status.className = 'upload-status help';
  status.role = 'status';
  status.textContent = form.dataset.sending;
  text.after(status);
  try {
    if (form.dataset.filesUrl) for (const picture of pictures) insert(await upload(picture));
    else await saveDraft(pictures);
    status.remove();
  } catch ({ message }) {
    status.textContent = message;
  }
  isUploading = false;
}

const readPage = async (response) =>
  new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
const readProblem = (page) =>
  new Error(
    page.querySelector('.error-summary li, .error p:not(.code)')?.textContent ?? form.dataset.interrupted,
  );
const readNames = (page) =>
  [...page.querySelectorAll('.arrangement legend')].map(({ textContent }) => textContent);

/** It is one draft, also when the answer to the first try was lost. Its key is not that of the form, which is not sent yet. */
async function saveDraft(pictures) {
  const body = new FormData(form);
  body.set('status', '0');
  body.set('once', `${body.get('once')}-draft`);
  if (!body.get('title').trim()) body.set('title', form.dataset.untitled);
  // Nothing is published before the form itself is sent: its time goes on to the form of the draft.
  body.set('publish_time', '');
  if (!form.elements.file?.files.length) body.delete('file');
  for (const picture of pictures) body.append('file', picture);
  const { selectionStart: start, selectionEnd: end } = text;
  const response = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
  const answer = await readPage(response);
  const { pathname } = new URL(response?.url || location.href);
  // A viewer who was signed out meanwhile is redirected to another page.
  if (!response?.ok || !pathname.startsWith('/content/')) throw readProblem(answer);
  const files = await readPage(await fetch(`${pathname}files/`));
  const page = `${pathname}edit/`;
  const names = readNames(files).slice(-pictures.length);
  const time = form.elements.publish_time.value;
  sessionStorage.setItem(positionKey, JSON.stringify({ page, text: text.value, start, end, names, time }));
  // The server has the text: the browser keeps no copy of it (see project-form.js), and Back does not return to this form.
  form.reset();
  location.replace(page);
}

/** The name of the uploaded file. */
async function upload(picture) {
  const body = new FormData();
  for (const name of ['csrfmiddlewaretoken', 'since']) body.set(name, form.elements[name].value);
  body.set('file', picture);
  const response = await fetch(form.dataset.filesUrl, { method: 'POST', body }).catch(() => undefined);
  const page = await readPage(response);
  if (!response?.ok || !page.querySelector('.arrangement')) throw readProblem(page);
  // The project has changed, but its text has not.
  form.elements.since.value = page.querySelector('.arrangement').elements.since.value;
  const name = readNames(page).at(-1);
  // The list of files above the form shows it too.
  document.dispatchEvent(new CustomEvent('files', { detail: page }));
  return name;
}

function insert(name) {
  const address = /[\s()]/.test(name) ? `<${name}>` : name;
  // As in text-tools.js: it can be undone.
  text.focus();
  document.execCommand('insertText', false, `![](${address})`);
}
