// Shows a button with the number of new comments below the others; it adds them. Nothing else on the page changes: a text
// that somebody is writing stays as it is.

const bar = document.querySelector('.new-comments');
const button = document.createElement('button');
button.type = 'button';
// No cache, not even one of the server, may give an older answer.
const headers = { Prefer: 'handling=lenient' };

const findComment = (id) => document.getElementById(`comment-${id}`);

function show(count) {
  const number = count.toLocaleString(document.documentElement.dataset.locale);
  const text = count === 1 ? bar.dataset.one : bar.dataset.many.replace('#', number);
  if (count > 0 && button.textContent !== text) button.textContent = text;
  if (count === 0) button.remove();
  else if (!button.parentElement) bar.append(button);
}

async function check() {
  const response = await fetch(bar.dataset.comments, { headers }).catch(() => undefined);
  if (!response?.ok) return;
  const { results } = await response.json();
  show(results.filter(({ id }) => !findComment(id)).length);
}

bar.addEventListener('changes', ({ detail: actions }) => {
  // Projects that are gone matter only if the button counts them.
  if (button.parentElement || [...actions].some((action) => action !== 'gone')) check();
});

/** Adds the comments of a list that are not on the page. They are the newest, so they come last. */
function addComments(place, list) {
  const own = place.querySelector(':scope > .thread');
  if (!own) return place.querySelector(':scope > :is(h2, .comment)').after(list);
  for (const item of [...list.children]) {
    const known = findComment(item.querySelector('.comment').id.slice('comment-'.length))?.parentElement;
    const replies = item.querySelector(':scope > .thread');
    if (!known) own.append(item);
    else if (replies) addComments(known, replies);
  }
}

button.addEventListener('click', async () => {
  const response = await fetch(location.href, { headers }).catch(() => undefined);
  const page = new DOMParser().parseFromString((await response?.text()) ?? '', 'text/html');
  const section = document.querySelector('.comments');
  const renewed = page.querySelector('.comments');
  const first = [...(renewed?.querySelectorAll('.comment') ?? [])].find(
    ({ id }) => !document.getElementById(id),
  );
  // The new comments are on the next page, or this page no longer exists.
  if (!first) return location.assign(bar.dataset.next);
  addComments(section, renewed.querySelector('.thread'));
  section.querySelector('h2').textContent = renewed.querySelector('h2').textContent;
  first.tabIndex = -1;
  first.focus();
  await check();
});
