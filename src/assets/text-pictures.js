// Pictures that are dropped or pasted into the text of a project are uploaded to it, and stand where the cursor is.

const form = document.querySelector('form[data-files-url]');
const text = form.elements.text;
const isPicture = ({ type }) => type.startsWith('image/');

text.addEventListener('dragover', (event) => {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault();
});
text.addEventListener('drop', (event) => addPictures(event, event.dataTransfer));
text.addEventListener('paste', (event) => {
  // Programs copy a picture of a text with the text.
  if (!event.clipboardData.types.includes('text/plain')) addPictures(event, event.clipboardData);
});

async function addPictures(event, { files }) {
  const pictures = [...files].filter(isPicture);
  if (pictures.length === 0) return;
  event.preventDefault();
  form.parentElement.querySelector('.upload-status')?.remove();
  const status = document.createElement('p');
  status.className = 'upload-status help';
  status.role = 'status';
  status.textContent = form.dataset.sending;
  text.after(status);
  try {
    for (const picture of pictures) insert(await upload(picture));
    status.remove();
  } catch ({ message }) {
    status.textContent = message;
  }
}

/** The name of the uploaded file. */
async function upload(picture) {
  const body = new FormData();
  for (const name of ['csrfmiddlewaretoken', 'since']) body.set(name, form.elements[name].value);
  body.set('file', picture);
  const response = await fetch(form.dataset.filesUrl, { method: 'POST', body }).catch(() => undefined);
  const page = new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
  const files = page.querySelector('.arrangement');
  if (!response?.ok || !files) {
    const problem = page.querySelector('.error-summary li, .error p:not(.code)');
    throw new Error(problem?.textContent ?? form.dataset.interrupted);
  }
  // The project has changed, but its text has not.
  form.elements.since.value = files.elements.since.value;
  return [...files.querySelectorAll('legend')].at(-1).textContent;
}

function insert(name) {
  const address = /[\s()]/.test(name) ? `<${name}>` : name;
  text.setRangeText(`![](${address})`, text.selectionStart, text.selectionEnd, 'end');
  text.dispatchEvent(new Event('input', { bubbles: true }));
}
