// Shows the pictures of a project as large as the window, one after the other. Without this script a click opens the file.

const links = [...document.querySelectorAll('.pictures a')];
const dialog = document.createElement('dialog');
dialog.className = 'enlarged';
const picture = document.createElement('img');
dialog.append(picture);
document.body.append(dialog);

let shown = 0;
function show(index) {
  shown = (index + links.length) % links.length;
  const small = links[shown].querySelector('img');
  picture.src = links[shown].href;
  picture.alt = small.alt;
  dialog.ariaLabel = small.alt || document.title;
}

for (const [index, link] of links.entries())
  link.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(index);
    dialog.showModal();
  });

const isRightToLeft = document.documentElement.dir === 'rtl';
dialog.addEventListener('click', () => dialog.close());
dialog.addEventListener('close', () => links[shown].focus());
dialog.addEventListener('keydown', ({ key }) => {
  if (key === (isRightToLeft ? 'ArrowLeft' : 'ArrowRight')) show(shown + 1);
  if (key === (isRightToLeft ? 'ArrowRight' : 'ArrowLeft')) show(shown - 1);
});
