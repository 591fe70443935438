// The documentation: filters the operations, marks the one that is read, and sends requests from the page.

const navigation = document.querySelector('#operations');
const filter = navigation.querySelector('[type="search"]');
const operations = [...navigation.querySelectorAll('[data-operation]')];

filter.disabled = false;
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  navigation.classList.toggle('filtered', words.length > 0);
  for (const operation of operations) {
    const text = `${operation.textContent} ${operation.firstElementChild.title}`.toLowerCase();
    operation.hidden = !words.every((word) => text.includes(word));
  }
  for (const group of navigation.querySelectorAll('ul > li:has(> ul)'))
    group.hidden = words.length > 0 && !group.querySelector('[data-operation]:not([hidden])');
});

/** On a narrow screen the navigation covers the page. */
navigation.addEventListener('click', ({ target }) => {
  if (target.closest('a[href^="#"]') && navigation.matches(':popover-open')) navigation.hidePopover();
});

function markAsCurrent(link) {
  link.setAttribute('aria-current', 'true');
  const { scrollTop, clientHeight } = navigation;
  if (link.offsetTop < scrollTop || link.offsetTop > scrollTop + clientHeight - link.offsetHeight)
    navigation.scrollTop = link.offsetTop - clientHeight / 2;
}

const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) {
      const link = navigation.querySelector(`a[href="#${target.id}"]`);
      if (!link) continue;
      if (isIntersecting) markAsCurrent(link);
      else link.removeAttribute('aria-current');
    }
  },
  // One line below the top of the window.
  { rootMargin: '-15% 0px -85% 0px' },
);
for (const section of document.querySelectorAll('.operation')) observer.observe(section);

const maxShownLength = 100_000;

for (const form of document.querySelectorAll('.try form')) {
  const button = form.querySelector('[type="submit"]');
  button.textContent = `Send ${form.dataset.method}`;
  const answer = document.createElement('div');
  answer.className = 'answer';
  answer.setAttribute('aria-live', 'polite');
  form.after(answer);
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      await sendRequest(form, answer);
    } catch (error) {
      answer.replaceChildren(createElement('p', `No answer: ${error.message}`, 'field-error'));
    }
    button.disabled = false;
  });
}

async function sendRequest(form, answer) {
  const { method, path } = form.dataset;
  const values = (place) =>
    [...form.querySelectorAll(`[data-in="${place}"]`)].filter(({ value }) => value !== '');
  const pathValues = new Map(values('path').map((field) => [field.dataset.name, field.value]));
  const url = new URL(
    path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(pathValues.get(name))),
    location,
  );
  for (const field of values('query')) url.searchParams.set(field.dataset.name, field.value);
  const headers = new Headers({ Accept: 'application/json' });
  for (const field of values('header')) headers.set(field.dataset.name, field.value);
  // A write in a session needs the token that is in this cookie.
  const token = /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1];
  if (token && method !== 'GET') headers.set('X-CSRFToken', token);
  const [files] = form.querySelectorAll('[type="file"]');
  const [json] = values('body');
  if (json) headers.set('Content-Type', 'application/json');
  const response = await fetch(url, { method, headers, body: files ? readFiles(files) : json?.value });
  showResponse(response, await response.text(), answer);
}

function readFiles(field) {
  const body = new FormData();
  for (const file of field.files) body.append(field.dataset.name, file);
  return body;
}

function showResponse(response, text, answer) {
  const isJson = response.headers.get('Content-Type')?.includes('json');
  const body = isJson ? indentJson(text) : text;
  const shown = document.createElement('pre');
  const start = body.slice(0, maxShownLength);
  shown.append(...(isJson ? colorTokens(start) : [start]));
  const headers = [...response.headers].map((header) => header.join(': ')).join('\n');
  answer.replaceChildren(
    createElement('p', `HTTP ${response.status} ${response.statusText}`),
    ...(body === '' ? [] : [shown]),
    ...(body.length > maxShownLength ? [createElement('p', 'The rest is not shown.')] : []),
    createElement('pre', headers),
  );
}

/** Lines of JSON are left as they are. */
function indentJson(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const tokenPattern = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[\d.eE+-]*|\b(?:true|false|null)\b/g;

/** The text in parts: names stay as they are, values get a colour. */
function* colorTokens(json) {
  let end = 0;
  for (const { 0: token, 1: string, 2: colon, index } of json.matchAll(tokenPattern)) {
    if (colon) continue;
    yield json.slice(end, index);
    yield createElement('span', token, string ? 'string' : 'literal');
    end = index + token.length;
  }
  yield json.slice(end);
}

function createElement(name, text, className = '') {
  const element = document.createElement(name);
  element.textContent = text;
  element.className = className;
  return element;
}
