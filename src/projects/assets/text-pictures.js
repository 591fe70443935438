// Pictures that are dropped, pasted or chosen for the text of a project stand where the cursor is. They are uploaded to the project;
// those of a new one are chosen for its form, which sends them with the text.

const form = document.querySelector('form[data-files-url]');
const text = form.elements.text;
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
    else choose(pictures);
    status.remove();
    openPreview();
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

/** After those that are chosen already: see upload.js. The text names pictures without their endings, so that each needs a name of its own. */
function choose(pictures) {
  const input = form.elements.file;
  const baseOf = (name) => name.replace(/\.\w+$/, '').toLowerCase();
  const taken = new Set([...input.files].map(({ name }) => baseOf(name)));
  const chosen = new DataTransfer();
  for (const picture of pictures) {
    let { name } = picture;
    for (let number = 2; taken.has(baseOf(name)); number++)
      name = picture.name.replace(/(\.\w+)?$/, (ending) => `-${number}${ending}`);
    taken.add(baseOf(name));
    chosen.items.add(new File([picture], name, { type: picture.type }));
    insert(name);
  }
  input.files = chosen.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Where it has room beside the text. */
function openPreview() {
  const button = form.querySelector('button[name=preview]');
  if (!button.hidden && document.getElementById('preview').hidden) button.click();
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
  const line = text.value.slice(0, text.selectionStart).split('\n').at(-1);
  // Below a heading, such as that of a step, and not inside of it.
  const gap = /^#{1,6} /.test(line) ? '\n\n' : '';
  // As in text-tools.js: it can be undone.
  text.focus();
  document.execCommand('insertText', false, `${gap}![](${address})`);
}
