// Improves a form with files: files can be dropped and pasted anywhere on the page, and chosen several times. Each is shown
// before it is sent, to be described, moved (arrange-files.js) or removed. Too many, too large and unknown files are not sent,
// a bar shows how much was sent, and after an error everything is still there.

const form = document.querySelector('form[data-max-bytes]');
const input = form?.querySelector('input[type=file]');
const template = form?.querySelector('template');
/** The description of a form without scripts: here, each file has its own. */
const firstDescription = template?.content.querySelector('[name=alt]') && form.querySelector('[name=alt]');
const list = Object.assign(document.createElement('ol'), { className: 'own-files chosen-files' });
const count = Object.assign(document.createElement('p'), { className: 'chosen-count', role: 'status' });
/** By their items of the list, which has the order. */
const files = new WeakMap();
const chosenFiles = () => [...list.children].map((item) => files.get(item));
if (input) enableUpload(input.closest('.form-field'));

function enableUpload(field) {
  addEventListener('dragover', (event) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    field.classList.add('is-target');
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (!relatedTarget) field.classList.remove('is-target');
  });
  addEventListener('drop', (event) => {
    field.classList.remove('is-target');
    // The script of the text may have taken the files already.
    if (event.defaultPrevented || event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    addFiles(event.dataTransfer.files);
    input.focus();
  });
  addEventListener('paste', (event) => {
    // Programs copy a picture of a text with the text.
    const { files, types } = event.clipboardData;
    if (event.defaultPrevented || files.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    addFiles(files);
    input.focus();
  });
  input.after(...createCameraButton(), count, list);
  if (firstDescription) {
    firstDescription.disabled = true;
    firstDescription.closest('.form-field').hidden = true;
  }
  input.addEventListener('change', () => addFiles(input.files));
  list.addEventListener('moved', update);
  form.addEventListener('reset', () => {
    list.replaceChildren();
    update();
  });
  form.addEventListener('submit', (event) => {
    if (event.submitter?.name === 'preview' || input.files.length === 0) return;
    event.preventDefault();
    send(event.submitter ?? form.querySelector('[data-sending]'));
  });
}

/** Only devices that are touched show it. */
function createCameraButton() {
  if (!input.accept.includes('image/')) return [];
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'quiet camera', textContent: form.dataset.camera });
  button.addEventListener('click', () => {
    const camera = document.createElement('input');
    Object.assign(camera, { type: 'file', accept: 'image/*' });
    camera.setAttribute('capture', 'environment');
    camera.addEventListener('change', () => addFiles(camera.files));
    camera.click();
  });
  return [button];
}

const isSame = (file, other) =>
  ['name', 'size', 'type', 'lastModified'].every((member) => file[member] === other[member]);

/** After those that were chosen before; a field for one file replaces it. */
function addFiles(added) {
  const before = input.multiple ? chosenFiles() : [];
  const news = [...added].filter((file) => !before.some((other) => isSame(file, other)));
  if (!input.multiple && news.length > 0) list.replaceChildren();
  for (const file of input.multiple ? news : news.slice(0, 1)) {
    const item = createItem(file);
    list.append(item);
    item.dispatchEvent(new Event('chosen', { bubbles: true }));
  }
  update();
}

let lastDescription = 0;

function createItem(file) {
  const item = template.content.firstElementChild.cloneNode(true);
  files.set(item, file);
  item.querySelector('bdi').textContent = file.name;
  item.querySelector('.cover p').textContent = file.name.split('.').at(-1).toUpperCase();
  for (const name of item.querySelectorAll('.visually-hidden'))
    name.textContent = name.textContent.replace('#', () => file.name);
  item.querySelector('[data-remove]').addEventListener('click', () => {
    const next = item.nextElementSibling ?? item.previousElementSibling;
    item.remove();
    update();
    (next?.querySelector('[data-remove]') ?? input).focus();
  });
  const description = item.querySelector('[name=alt]');
  if (description) {
    description.id += `-${++lastDescription}`;
    item.querySelector('label').htmlFor = description.id;
  }
  if (firstDescription?.value) {
    description.value = firstDescription.value;
    firstDescription.value = '';
  }
  if (file.type.startsWith('image/') && list.children.length < maxShownPictures)
    showPicture(item.querySelector('.cover'), file);
  return item;
}

const maxShownPictures = 12;

/** Draws the picture: the policy of the pages allows no address of a file that is not sent yet. */
async function drawPicture(file, maxSize) {
  // A file that the browser cannot read as a picture is not shown: the server says what is wrong with it.
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (!bitmap) return undefined;
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, maxSize / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  canvas.role = 'img';
  canvas.ariaLabel = file.name;
  return canvas;
}

async function showPicture(cover, file) {
  const canvas = await drawPicture(file, 480);
  if (!canvas) return;
  cover.className = 'cover';
  cover.removeAttribute('aria-hidden');
  cover.replaceChildren(canvas);
}

/** In the preview of a text. */
document.addEventListener('previewed', async ({ target }) => {
  for (const picture of target.querySelectorAll('[data-chosen]')) {
    const file = chosenFiles().find(({ name }) => name === picture.dataset.chosen);
    const canvas = file && (await drawPicture(file, 1280));
    if (canvas) picture.replaceWith(canvas);
  }
});

/** The field has the files of the list, and their number is said before they are sent, with what is wrong. */
function update() {
  const all = new DataTransfer();
  for (const file of chosenFiles()) all.items.add(file);
  input.files = all.files;
  const number = Number(form.dataset.fileCount) + input.files.length;
  const problem = findProblem();
  const parts = [
    input.multiple &&
      form.dataset.count.replace('#', number.toLocaleString(document.documentElement.dataset.locale)),
    problem,
  ];
  count.textContent = input.files.length > 0 ? parts.filter(Boolean).join(' · ') : '';
  count.classList.toggle('field-error', problem !== '');
  input.setCustomValidity(problem);
}

function findProblem() {
  const { fileCount, maxBytes, tooLarge, maxFiles, tooMany, badKind } = form.dataset;
  const chosen = [...input.files];
  if (Number(fileCount) + chosen.length > Number(maxFiles)) return tooMany;
  if (chosen.reduce((sum, { size }) => sum + size, 0) > Number(maxBytes)) return tooLarge;
  const bad = chosen.find((file) => !isAccepted(file));
  return bad ? badKind.replace('#', () => bad.name) : '';
}

/** As the browser's own dialogue. Of a text and of a kind without a name, the server decides by the content. */
function isAccepted({ name, type }) {
  const accepted = input.accept.split(',');
  if (input.accept === '' || type === '' || type.startsWith('text/')) return true;
  return accepted.includes(type) || accepted.includes(`.${name.split('.').at(-1).toLowerCase()}`);
}

function send(button) {
  const body = new FormData(form, button);
  // See addFileError in project-form.tsx.
  body.append('keeps_files', '1');
  const bar = document.createElement('progress');
  bar.value = 0;
  const status = document.createElement('p');
  status.className = 'sending';
  status.role = 'status';
  status.append(button.dataset.sending, bar);
  bar.ariaLabel = button.dataset.sending;
  (button.closest('.buttons') ?? button).after(status);
  const buttons = form.querySelectorAll('button');
  for (const each of buttons) each.disabled = true;
  const stop = (...problem) => {
    status.remove();
    for (const each of buttons) each.disabled = false;
    showProblem(...problem);
    // The draft was marked as sent: see project-form.js.
    form.dispatchEvent(new Event('input'));
  };

  const request = new XMLHttpRequest();
  request.upload.addEventListener('progress', ({ loaded, total }) => {
    bar.value = loaded / total;
  });
  request.addEventListener('load', () => {
    const result = request.responseXML?.querySelector('[data-result]');
    const tray = request.status < 400 && form.closest('.tray');
    if (result) showResult(result);
    else if (tray && request.responseXML?.querySelector('.tray')) showAdded(request.responseXML);
    else if (request.status < 400) location.assign(request.responseURL);
    else stop(request.responseXML);
  });
  request.addEventListener('error', () => stop());
  request.open('POST', form.action);
  request.responseType = 'document';
  request.send(body);
}

/** Shows the result of the upload instead of opening another page. The form is as it was before. */
function showResult(result) {
  document.querySelector('[data-result]')?.remove();
  document.querySelector('.sending').remove();
  for (const each of form.querySelectorAll('button')) each.disabled = false;
  document.querySelector('h1').after(document.adoptNode(result));
  result.focus();
}

/** The script of the list of files shows them: see arrange-files.js. */
function showAdded(page) {
  for (const old of document.querySelectorAll('.error-summary, .sending')) old.remove();
  for (const each of form.querySelectorAll('button')) each.disabled = false;
  document.dispatchEvent(new CustomEvent('files', { detail: page }));
  list.replaceChildren();
  update();
  input.focus();
}

/** `page` is what the form gets without this script: itself with errors, or the page of an error. */
function showProblem(page) {
  for (const old of document.querySelectorAll('.error-summary, .field-error')) old.remove();
  for (const old of form.querySelectorAll('[aria-invalid]')) old.ariaInvalid = null;
  let summary = page?.querySelector('.error-summary');
  if (!summary) {
    summary = document.createElement('p');
    summary.className = 'error-summary';
    summary.role = 'alert';
    summary.tabIndex = -1;
    summary.textContent = page?.querySelector('.error p:not(.code)')?.textContent ?? form.dataset.interrupted;
  }
  for (const error of page?.querySelectorAll('.field-error') ?? []) {
    const field = document.getElementById(error.id.replace(/-wrong$/, ''));
    const control = field && field === firstDescription ? findDescription(summary) : field;
    control?.before(error);
    control?.closest('details')?.setAttribute('open', '');
    control?.setAttribute('aria-invalid', 'true');
    control?.setAttribute('aria-describedby', error.id);
  }
  form.before(summary);
  summary.focus();
}

/** Of the first file without one. The summary leads there. */
function findDescription(summary) {
  const descriptions = [...list.querySelectorAll('[name=alt]')];
  const found = descriptions.find(({ value }) => !value.trim()) ?? descriptions[0] ?? firstDescription;
  const link = summary.querySelector(`a[href="#${firstDescription.id}"]`);
  if (link) link.hash = found.id;
  return found;
}
