// Improves a form with files: files can be dropped and pasted anywhere on the page, their size is checked before they are
// sent, pictures are shown before, a bar shows how much was sent, and after an error everything is still there.

const form = document.querySelector('form[data-max-bytes]');
const input = form?.querySelector('input[type=file]');
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
  });
  addEventListener('paste', (event) => {
    // Programs copy a picture of a text with the text.
    const { files, types } = event.clipboardData;
    if (event.defaultPrevented || files.length === 0 || types.includes('text/plain')) return;
    event.preventDefault();
    addFiles(files);
  });
  input.addEventListener('change', checkSize);
  input.addEventListener('change', showPictures);
  form.addEventListener('submit', (event) => {
    if (event.submitter?.name === 'preview' || input.files.length === 0) return;
    event.preventDefault();
    send(event.submitter ?? form.querySelector('[data-sending]'));
  });
}

const addFiles = (files) => setFiles(input.multiple ? [...input.files, ...files] : [...files].slice(0, 1));

function setFiles(files) {
  const all = new DataTransfer();
  for (const file of files) all.items.add(file);
  input.files = all.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
  input.focus();
}

function createRemoveButton(file) {
  const button = document.createElement('button');
  Object.assign(button, { type: 'button', className: 'quiet', textContent: form.dataset.remove });
  button.ariaLabel = `${form.dataset.remove} ${file.name}`;
  button.addEventListener('click', () => setFiles([...input.files].filter((each) => each !== file)));
  return button;
}

/** Says how many files the project will have, before they are sent. */
function showCount() {
  const status =
    input.parentElement.querySelector('.chosen-count') ??
    Object.assign(document.createElement('p'), { className: 'chosen-count help', role: 'status' });
  input.after(status);
  const count = countFiles().toLocaleString(document.documentElement.dataset.locale);
  status.textContent = input.files.length > 0 ? form.dataset.count.replace('#', count) : '';
}

const maxShownPictures = 12;

/** Draws the chosen pictures below the field: the policy of the pages allows no address of a file that is not sent yet. */
async function showPictures() {
  input.parentElement.querySelector('.chosen-pictures')?.remove();
  const list = document.createElement('div');
  list.className = 'chosen-pictures';
  input.after(list);
  showCount();
  const pictures = [...input.files].filter(({ type }) => type.startsWith('image/'));
  for (const file of pictures.slice(0, maxShownPictures)) {
    // A file that the browser cannot read as a picture is not shown: the server says what is wrong with it.
    const bitmap = await createImageBitmap(file).catch(() => undefined);
    if (!bitmap) continue;
    const canvas = document.createElement('canvas');
    const scale = Math.min(1, 480 / Math.max(bitmap.width, bitmap.height));
    canvas.width = Math.max(1, Math.round(bitmap.width * scale));
    canvas.height = Math.max(1, Math.round(bitmap.height * scale));
    canvas.getContext('2d').drawImage(bitmap, 0, 0, canvas.width, canvas.height);
    bitmap.close();
    canvas.role = 'img';
    canvas.ariaLabel = file.name;
    const figure = document.createElement('figure');
    figure.append(canvas, createRemoveButton(file));
    list.append(figure);
  }
}

const countFiles = () => Number(form.dataset.fileCount) + input.files.length;

function checkSize() {
  const { maxBytes, tooLarge, maxFiles, tooMany } = form.dataset;
  const bytes = [...input.files].reduce((sum, { size }) => sum + size, 0);
  const problem = countFiles() > Number(maxFiles) ? tooMany : bytes > Number(maxBytes) ? tooLarge : '';
  input.setCustomValidity(problem);
  input.reportValidity();
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
  input.value = '';
  input.dispatchEvent(new Event('change', { bubbles: true }));
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
    const control = document.getElementById(error.id.replace(/-wrong$/, ''));
    control?.before(error);
    control?.closest('details')?.setAttribute('open', '');
    control?.setAttribute('aria-invalid', 'true');
    control?.setAttribute('aria-describedby', error.id);
  }
  form.before(summary);
  summary.focus();
}
