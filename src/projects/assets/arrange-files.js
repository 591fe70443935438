// Orders the files of a project, or the projects of a collection, by dragging and by keys, and asks before changes are lost. Without this script, the numbers
// of the positions order them.

const list = document.querySelector('.own-files, .own-items');
/** A list that has several pages begins with another number. */
const first = list?.start ?? 1;
const items = () => [...(list?.children ?? [])];
const numberOf = (item) => item.querySelector('[type=number]');
const status = document.createElement('p');
status.className = 'visually-hidden';
status.role = 'status';
list?.after(status);

/** The other items move around this one, which keeps the focus and the pointer. */
function move(item, place) {
  const all = items();
  const from = all.indexOf(item);
  const to = Math.min(Math.max(place, 0), all.length - 1);
  if (to > from) item.before(...all.slice(from + 1, to + 1));
  else item.after(...all.slice(to, from));
  for (const [index, each] of items().entries())
    if (each === item || isHere(numberOf(each).value)) numberOf(each).value = first + index;
  const cover = list.querySelector('[name=cover]');
  if (cover) cover.checked = true;
  const label = item.querySelector(`label[for="${numberOf(item).id}"]`).textContent;
  status.textContent = `${label} ${first + to} / ${first + all.length - 1}`;
}

/** The number of another page stays: the server moves the project there. */
const isHere = (number) => number >= first && number < first + items().length;

const isRightToLeft = document.documentElement.dir === 'rtl';
const steps = {
  ArrowUp: -1,
  ArrowDown: 1,
  ArrowLeft: isRightToLeft ? 1 : -1,
  ArrowRight: isRightToLeft ? -1 : 1,
};

for (const item of items()) {
  const handle = item.querySelector('.handle');
  handle.hidden = false;
  handle.addEventListener('keydown', (event) => {
    const place = items().indexOf(item) + (steps[event.key] ?? 0);
    if (!(event.key in steps)) return;
    event.preventDefault();
    move(item, place);
    handle.scrollIntoView({ block: 'nearest' });
  });
  numberOf(item).addEventListener('change', ({ target }) => {
    if (isHere(target.value)) move(item, target.value - first);
  });
  item.querySelector('[name=cover]')?.addEventListener('change', () => {
    move(
      item,
      items().findIndex((each) => each.querySelector('[name=cover]')),
    );
  });
  enableDragging(item, handle);
  enableDragging(item, item.querySelector('.cover'));
}

function enableDragging(item, grip) {
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
      .find((element) => element.parentNode === list);
    if (target && target !== item) move(item, items().indexOf(target));
  });
  grip.addEventListener('pointerup', end);
  grip.addEventListener('pointercancel', end);
}

const form = document.querySelector('.arrangement');
if (form) enableQuestion();

function enableQuestion() {
  const read = () => new URLSearchParams(new FormData(form)).toString();
  // A form with errors shows values that are not saved.
  const saved = document.querySelector('.error-summary') ? undefined : read();
  let isLeaving = false;
  addEventListener('beforeunload', (event) => {
    if (!isLeaving && read() !== saved) event.preventDefault();
  });
  // Other forms are asked about before they send anything, such as the one that adds files.
  addEventListener(
    'submit',
    (event) => {
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
