// Opens the pictures of a project in a viewer: the others by arrows or a swipe, and larger by a click or + and -. Without
// this script a click opens the file.

// Pictures in the text become links too, so that keys reach them.
for (const image of document.querySelectorAll('.project > .text img')) {
  if (image.closest('a')) continue;
  const link = document.createElement('a');
  link.className = 'text-picture';
  link.href = image.srcset.split(' ').at(-2) ?? image.src;
  image.replaceWith(link);
  link.append(image);
}

const viewer = document.querySelector('.viewer');
const find = (name) => viewer.querySelector(`.${name}`);
const stage = find('stage');
const zoomButton = find('zoom');
const [zoomIn, zoomOut] = [zoomButton.textContent, zoomButton.dataset.out];

let picture = new Image();
let links = [];
let shown = 0;
let isZoomed = false;

function resize() {
  const [width, height] = ['width', 'height'].map((side) => Number(picture.getAttribute(side)));
  const fit = Math.min(stage.offsetWidth / width, stage.offsetHeight / height);
  // A picture that fits at its full size is shown twice as large as it fits.
  picture.style.width = `${width * (isZoomed ? Math.max(1, 2 * fit) : fit)}px`;
}

/** `x` and `y` are the part of the picture that comes to the middle, from 0 to 1. */
function zoom(isOn, x = 0.5, y = 0.5) {
  isZoomed = isOn;
  viewer.classList.toggle('zoomed', isOn);
  zoomButton.textContent = isOn ? zoomOut : zoomIn;
  // Keys scroll it.
  stage.tabIndex = isOn ? 0 : -1;
  resize();
  const { left, top } = stage.getBoundingClientRect();
  const place = picture.getBoundingClientRect();
  stage.scrollBy(
    place.left - left + place.width * x - stage.clientWidth / 2,
    place.top - top + place.height * y - stage.clientHeight / 2,
  );
}

function show(index) {
  shown = (index + links.length) % links.length;
  const small = links[shown].querySelector('img');
  // The picture before would stay until this one is loaded.
  picture = new Image();
  for (const side of ['width', 'height']) picture.setAttribute(side, small.getAttribute(side));
  picture.src = links[shown].href;
  picture.alt = small.alt;
  stage.replaceChildren(picture);
  viewer.ariaLabel = small.alt || links[shown].ariaLabel || document.title;
  stage.ariaLabel = viewer.ariaLabel;
  const [number, count] = [shown + 1, links.length].map((each) =>
    each.toLocaleString(document.documentElement.dataset.locale),
  );
  const counter = find('counter');
  counter.textContent = counter.dataset.text.replace('##', count).replace('#', number);
  find('caption').textContent = small.alt;
  zoom(false);
}

/** Each opens the viewer with all of them. */
function addViewer(selector) {
  const group = [...document.querySelectorAll(selector)];
  for (const [index, link] of group.entries())
    link.addEventListener('click', (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      links = group;
      viewer.classList.toggle('has-one', links.length < 2);
      viewer.showModal();
      show(index);
      find('close').focus();
    });
}

addViewer('.pictures a, .text-picture');
// One arrow key shows what a remix changed.
addViewer('.compared figure > a');

const forward = document.documentElement.dir === 'rtl' ? -1 : 1;
find('previous').addEventListener('click', () => show(shown - 1));
find('next').addEventListener('click', () => show(shown + 1));
find('close').addEventListener('click', () => viewer.close());
zoomButton.addEventListener('click', () => zoom(!isZoomed));
viewer.addEventListener('close', () => links[shown].focus());
new ResizeObserver(resize).observe(stage);

stage.addEventListener('click', ({ target, offsetX, offsetY }) => {
  if (target === picture) zoom(!isZoomed, offsetX / picture.width, offsetY / picture.height);
  else viewer.close();
});

const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
viewer.addEventListener('keydown', ({ key, ctrlKey, metaKey, altKey }) => {
  if (ctrlKey || metaKey || altKey) return;
  if (key === '+' || key === '=') zoom(true);
  if (key === '-') zoom(false);
  const [x, y] = directions[key] ?? [0, 0];
  // The browser scrolls by itself when the picture has the focus.
  if (!isZoomed && x !== 0) show(shown + x * forward);
  else if (isZoomed && document.activeElement !== stage) stage.scrollBy(x * 80, y * 80);
});

// A swipe of one finger. With two the browser zooms by itself, and then one finger moves what is seen.
let start;
stage.addEventListener('pointerdown', ({ pointerType, isPrimary, clientX }) => {
  start = isPrimary && pointerType === 'touch' ? clientX : undefined;
});
stage.addEventListener('pointercancel', () => {
  start = undefined;
});
stage.addEventListener('pointerup', ({ clientX }) => {
  const way = clientX - (start ?? clientX);
  start = undefined;
  if (isZoomed || visualViewport.scale > 1 || Math.abs(way) < 50) return;
  show(shown - Math.sign(way) * forward);
});
