// Orders the files of a project, those that are chosen for it, or the projects of a collection, by dragging and by keys, and asks
// before changes are lost. Without this script, the numbers of the positions order them.

const list = document.querySelector('.own-files, .own-items');
const siblings = (item) => [...item.parentElement.children];
/** Files that are not sent yet have no number. */
const numberOf = (item) => item.querySelector('[type=number]');
const status = document.createElement('p');
status.className = 'visually-hidden';
status.role = 'status';
list?.after(status);

/** The other items move around this one, which keeps the focus and the pointer. */
function move(item, place) {
  const all = siblings(item);
  const from = all.indexOf(item);
  const to = Math.min(Math.max(place, 0), all.length - 1);
  if (to > from) item.before(...all.slice(from + 1, to + 1));
  else item.after(...all.slice(to, from));
  const first = firstOf(item);
  for (const [index, each] of siblings(item).entries()) {
    const number = numberOf(each);
    if (number && (each === item || isHere(each, number.value))) number.value = first + index;
  }
  const cover = item.parentElement.querySelector('[name=cover]');
  if (cover) cover.checked = true;
  const label = item.dataset.position ?? item.querySelector(`label[for="${numberOf(item).id}"]`).textContent;
  status.textContent = `${label} ${first + to} / ${first + all.length - 1}`;
  item.dispatchEvent(new Event('moved', { bubbles: true }));
}

/** A list that has several pages begins with another number. */
const firstOf = (item) => item.parentElement.start ?? 1;

/** The number of another page stays: the server moves the project there. */
const isHere = (item, number) => number >= firstOf(item) && number < firstOf(item) + siblings(item).length;

const isRightToLeft = document.documentElement.dir === 'rtl';
const steps = {
  ArrowUp: -1,
  ArrowDown: 1,
  ArrowLeft: isRightToLeft ? 1 : -1,
  ArrowRight: isRightToLeft ? -1 : 1,
};

for (const item of list?.children ?? []) enableItem(item);
// The script of uploads lists the files that are chosen.
document.addEventListener('chosen', ({ target }) => enableItem(target));

function enableItem(item) {
  const handle = item.querySelector('.handle');
  if (!status.isConnected) item.parentElement.after(status);
  handle.hidden = false;
  handle.addEventListener('keydown', (event) => {
    const place = siblings(item).indexOf(item) + (steps[event.key] ?? 0);
    if (!(event.key in steps)) return;
    event.preventDefault();
    move(item, place);
    handle.scrollIntoView({ block: 'nearest' });
  });
  numberOf(item)?.addEventListener('change', ({ target }) => {
    if (isHere(item, target.value)) move(item, target.value - firstOf(item));
  });
  item.querySelector('[name=cover]')?.addEventListener('change', () => {
    move(
      item,
      siblings(item).findIndex((each) => each.querySelector('[name=cover]')),
    );
  });
  enableFocus(item);
  enableDragging(item, handle);
  enableDragging(item, item.querySelector('.cover'));
}

/** A click on a picture chooses the part that covers show. */
function enableFocus(item) {
  const places = [...item.querySelectorAll('[name^=focus-]')];
  if (places.length === 0) return;
  const cover = item.querySelector('.cover');
  const show = ({ value, title }) => {
    const sides = value.split('-').filter((side) => side !== 'center');
    cover.className = ['cover', ...sides.map((side) => `at-${side}`)].join(' ');
    status.textContent = title;
  };
  for (const place of places) place.addEventListener('change', () => show(place));
  let start;
  cover.addEventListener('pointerdown', (event) => {
    start = event;
  });
  cover.addEventListener('click', (event) => {
    const isDragged = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 5;
    const place = places[findPlace(cover.querySelector('img'), event)];
    if (isDragged || !place) return;
    place.checked = true;
    show(place);
  });
}

/** The place of the whole picture, of which a part is seen. */
function findPlace(picture, { clientX, clientY }) {
  const { left, top, width, height } = picture.getBoundingClientRect();
  const { naturalWidth, naturalHeight } = picture;
  const scale = Math.max(width / naturalWidth, height / naturalHeight);
  const [x, y] = getComputedStyle(picture)
    .objectPosition.split(' ')
    .map((part) => Number.parseFloat(part) / 100);
  const third = (at, shown, whole, hidden) => {
    const part = (at + (whole - shown) * hidden) / whole;
    return Math.min(2, Math.max(0, Math.floor(part * 3)));
  };
  const column = third(clientX - left, width, naturalWidth * scale, x);
  return third(clientY - top, height, naturalHeight * scale, y) * 3 + column;
}

function enableDragging(item, grip) {
  // A section of a collection has no cover.
  if (!grip) return;
  const end = () => item.classList.remove('is-dragged');
  grip.addEventListener('dragstart', (event) => event.preventDefault());
  grip.addEventListener('pointerdown', ({ pointerId, pointerType, button }) => {
    // A finger on a picture scrolls the page.
    if (button !== 0 || (pointerType === 'touch' && !grip.matches('.handle'))) return;
    grip.setPointerCapture(pointerId);
    item.classList.add('is-dragged');
  });
  grip.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (!item.classList.contains('is-dragged')) return;
    // A long list scrolls at the edges of the window.
    if (clientY < 60 || clientY > innerHeight - 60) scrollBy(0, clientY < 60 ? -15 : 15);
    const target = document
      .elementsFromPoint(clientX, clientY)
      .find((element) => element.parentElement === item.parentElement);
    if (target && target !== item) move(item, siblings(item).indexOf(target));
  });
  grip.addEventListener('pointerup', end);
  grip.addEventListener('pointercancel', end);
}

const form = document.querySelector('.arrangement');
/** Without the versions, which other scripts change when they save. */
const read = () => {
  const data = new FormData(form);
  for (const name of ['since', 'kept']) data.delete(name);
  return new URLSearchParams(data).toString();
};
const tray = form?.closest('.tray');
// A form with errors shows values that are not saved.
let saved = tray || (form && !document.querySelector('.error-summary')) ? read() : undefined;
if (form) enableQuestion();
if (tray) enableTray();

function enableQuestion() {
  let isLeaving = false;
  addEventListener('beforeunload', (event) => {
    if (!isLeaving && read() !== saved) event.preventDefault();
  });
  // Other forms are asked about before they send anything, such as the one that adds files.
  addEventListener(
    'submit',
    (event) => {
      if (tray?.contains(event.target)) return;
      isLeaving = event.target === form || read() === saved || confirm(form.dataset.unsaved);
      if (isLeaving) return;
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    true,
  );
  for (const type of ['pageshow', 'input'])
    addEventListener(type, () => {
      isLeaving = false;
    });
}

/** Above the form of a project, the files are saved without leaving the page. */
function enableTray() {
  const problem = document.createElement('p');
  problem.role = 'alert';
  form.append(problem);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { submitter } = event;
    const body = new URLSearchParams(new FormData(form, submitter));
    // A picture that is turned twice at once would be turned once.
    if (submitter) submitter.disabled = true;
    const response = await fetch(form.action, { method: 'POST', body }).catch(() => undefined);
    const page = new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
    const isSaved = response?.ok && page.querySelector('.tray');
    problem.textContent = isSaved ? '' : readProblem(page);
    if (submitter) submitter.disabled = false;
    if (!isSaved) return;
    list.replaceChildren();
    saved = read();
    showFiles(page);
    status.textContent = tray.querySelector('.files-count').textContent;
    const turned = submitter?.name && form.querySelector(`[name=turn][value="${submitter.value}"]`);
    (turned || form.querySelector('[type=submit]:not([hidden], [name])')).focus();
  });
  // Other scripts have added files.
  document.addEventListener('files', ({ detail }) => showFiles(detail));
}

const readProblem = (page) =>
  page.querySelector('.error-summary li, .error p:not(.code)')?.textContent ??
  document.querySelector('[data-interrupted]')?.dataset.interrupted;

/** Adds those that the list does not have, and keeps what is not saved yet. */
function showFiles(page) {
  const isSaved = read() === saved;
  const names = [...list.children].map((item) => numberOf(item).name);
  for (const item of page.querySelectorAll('.own-files > li')) {
    if (names.includes(numberOf(item).name)) continue;
    list.append(document.adoptNode(item));
    enableItem(item);
  }
  for (const { name, value } of page.querySelectorAll('.arrangement :is([name=since], [name=kept])'))
    for (const input of document.querySelectorAll(`:is(.arrangement, .project-form) [name=${name}]`))
      input.value = value;
  const count = tray.querySelector('.files-count');
  count.textContent = page.querySelector('.files-count').textContent;
  const adding = tray.querySelector('[data-max-files]');
  if (adding) adding.dataset.fileCount = list.children.length;
  if (isSaved) saved = read();
}
