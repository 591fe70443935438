// Keeps a new project on the device while there is no network, and sends it when the network is back. On the device is the public half
// of a pair of keys, and only while its owner is signed in: to read what waits, the server has to give the other half to its owner.
// See docs/decisions/0128-unsent-projects.md.

const template = document.getElementById('unsent');
const words = template.dataset;
const actionName = 'unsent-action';
const refusalName = 'unsent-refusal';
const hourMs = 3600_000;
/** The server recognizes a form for a day. */
const maxTriedMs = 20 * hourMs;
/** So long projects of others wait for their makers to sign in again. */
const maxOthersMs = 30 * 24 * hourMs;
const retryMs = 30_000;
const timeoutMs = 10_000;

// The store.

let opened;
function openStore() {
  opened ??= new Promise((resolve, reject) => {
    const request = indexedDB.open('unsent', 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore('projects', { keyPath: 'id', autoIncrement: true });
      request.result.createObjectStore('device');
    };
    request.onsuccess = () => {
      // Another tab has a later version of this script.
      request.result.onversionchange = () => request.result.close();
      resolve(request.result);
    };
    request.onerror = () => reject(request.error);
  });
  return opened;
}

async function use(name, mode, act) {
  const transaction = (await openStore()).transaction(name, mode);
  const request = act(transaction.objectStore(name));
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error ?? request.error);
  });
}

const listProjects = () => use('projects', 'readonly', (store) => store.getAll());
const listOwn = async (device) => (await listProjects()).filter(({ account }) => account === device.account);
const put = (project) => use('projects', 'readwrite', (store) => store.put(project));
const remove = (name, id) => use(name, 'readwrite', (store) => store.delete(id));

// The key.

/** The server's answer about the session: empty if nobody is signed in, undefined if it cannot be reached. */
async function askServer() {
  try {
    const response = await fetch(words.key, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    return response.ok ? await response.json() : {};
  } catch {
    return undefined;
  }
}

const curve = { name: 'ECDH', namedCurve: 'P-256' };
const importPublicKey = ({ key: { d, ...key } }) => crypto.subtle.importKey('jwk', key, curve, false, []);
const importPrivateKey = ({ key }) => crypto.subtle.importKey('jwk', key, curve, false, ['deriveKey']);

/** The key of one project: for whoever has the private half of either pair. */
const deriveKey = (privateKey, publicKey, usage) =>
  crypto.subtle.deriveKey(
    { name: 'ECDH', public: publicKey },
    privateKey,
    { name: 'AES-GCM', length: 256 },
    false,
    [usage],
  );

/** The end of a session takes this cookie along, and another session has another one. */
const readSession = () => /(?:^|; )(?:__Host-)?csrftoken=([^;]*)/.exec(document.cookie)?.[1];

async function findDevice() {
  const session = readSession();
  const known = await use('device', 'readonly', (store) => store.get('key'));
  const account = words.account === undefined ? known?.account : Number(words.account);
  if (known?.account === account && known?.session === session) return known;
  await remove('device', 'key');
  const found = words.account === undefined ? undefined : await askServer();
  if (found?.account !== account || account === undefined) return undefined;
  const device = { account, session, name: found.name, key: await importPublicKey(found) };
  await use('device', 'readwrite', (store) => store.put(device, 'key'));
  return device;
}

/** `sender` is the public half of a pair whose other half is forgotten at once. */
async function seal(publicKey, body) {
  const form = new Response(body);
  const own = await crypto.subtle.generateKey(curve, false, ['deriveKey']);
  const key = await deriveKey(own.privateKey, publicKey, 'encrypt');
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const data = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, await form.arrayBuffer());
  return { type: form.headers.get('Content-Type'), sender: own.publicKey, iv, data };
}

/** Undefined if the key is another one. */
async function unseal(privateKey, { type, sender, iv, data }) {
  const key = await deriveKey(privateKey, sender, 'decrypt');
  const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, data).catch(() => undefined);
  return bytes && new Response(bytes, { headers: { 'Content-Type': type } }).formData();
}

// Forms that wait for a look at the network before they are sent.

const passed = new WeakSet();
let isBusy = false;

async function intercept(event) {
  const { target: form, submitter } = event;
  const isNew = form.matches('[action^="/new/"][method=post]') && submitter?.name !== 'preview';
  const isEnd = form.matches('[action="/sign-out/"], [action="/account/leave/"], [action="/code/"]');
  if (!(isNew || isEnd) || passed.has(form)) return;
  event.preventDefault();
  event.stopPropagation();
  if (isBusy) return;
  isBusy = true;
  const mayPass = await (isNew ? keepOrPass(form, submitter) : leave(form)).catch(() => true);
  isBusy = false;
  if (!mayPass) return;
  passed.add(form);
  form.requestSubmit(submitter);
  passed.delete(form);
}

/** Whether the form is sent as always. Otherwise it waits here, or the page says why it cannot. */
async function keepOrPass(form, submitter) {
  const device = await ready;
  const { unsentId, withPictures } = form.dataset;
  if (withPictures === undefined && (!device || (await askServer()))) {
    if (unsentId) await remove('projects', Number(unsentId));
    return true;
  }
  const body = new FormData(form, submitter);
  const files = [...body.values()].filter((value) => value instanceof File && value.size > 0);
  const size = [...body.values()].reduce((sum, value) => sum + (value.size ?? value.length), 0);
  const isPicture = ({ type }) => type.startsWith('image/');
  if (!files.every(isPicture) || size > Number(words.maxBytes)) return say(words.onlyPictures);
  const action = withPictures !== undefined && files.length > 0 ? withPictures : form.getAttribute('action');
  body.delete('csrfmiddlewaretoken');
  body.set(actionName, action);
  if (!body.get('once')) body.set('once', crypto.randomUUID());
  try {
    const { account, key } = device;
    await put({ account, created: Date.now(), ...(await seal(key, body)) });
  } catch {
    return say(words.full);
  }
  if (unsentId) await remove('projects', Number(unsentId));
  empty(form);
  await show();
  document.querySelector('.unsent').focus();
  sendAll();
  return false;
}

/** The words have left the form: its own draft must not offer them again. */
function empty(form) {
  form.reset();
  localStorage.removeItem(`draft ${form.dataset.draftKey}`);
  delete form.dataset.unsentId;
  // After an error, the page has them as the first values.
  for (const control of form.querySelectorAll('input[type=text], textarea')) control.value = '';
  if (form.elements.once) form.elements.once.value = crypto.randomUUID();
}

/** Signing out asks before anything is deleted. When another card signs in, unsent projects wait for their maker. */
async function leave(form) {
  const device = await ready;
  if (!device || !(await askServer())) return true;
  if (!form.matches('[action="/code/"]')) {
    await sendWithLock({}, device);
    const own = await listOwn(device);
    if (own.length > 0 && !(await confirmed(words.leave.replace('#', own.length)))) return false;
    for (const { id } of own) await remove('projects', id);
  }
  await remove('device', 'key');
  if ((await listProjects()).length === 0) return true;
  // The browser would delete what waits for others too, so this script deletes the drafts.
  for (const name of Object.keys(localStorage)) if (name.startsWith('draft ')) localStorage.removeItem(name);
  const field = Object.assign(document.createElement('input'), {
    type: 'hidden',
    name: 'keeps_storage',
    value: '1',
  });
  form.append(field);
  return true;
}

// Sending.

let timer;
/** After a try that has begun without a network. */
const sendNext = async () => sendWithLock({}, await ready);
const sendAll = async () => sendWithLock({ ifAvailable: true }, await ready);

/** In one tab at a time. */
const sendWithLock = (options, device) =>
  navigator.locks.request('unsent', options, async (lock) => {
    const isWaiting = ({ isRefused }) => !isRefused;
    if (lock) clearTimeout(timer);
    if (!lock || !device || (await listOwn(device)).length === 0) return;
    const server = await askServer();
    let sent = 0;
    if (server?.account === device.account) {
      const key = await importPrivateKey(server);
      for (const project of (await listOwn(device)).filter(isWaiting)) {
        const isDone = await send(project, { device, server, key }).catch(() => false);
        if (!isDone) break;
        if (isDone === 'sent') sent++;
      }
      await show(sent, key);
    }
    if ((await listOwn(device)).some(isWaiting)) timer = setTimeout(sendAll, retryMs);
  });

/** Whether the server has answered: `sent` if it has taken the project. */
async function send(project, { device, server, key }) {
  const body = await unseal(key, project);
  const refuse = async (sentence) => {
    body?.set(refusalName, sentence);
    await put({ ...project, ...(body && (await seal(device.key, body))), isRefused: true });
    return 'refused';
  };
  if (!body || project.tried < Date.now() - maxTriedMs) return refuse(words.unsure);
  const content = await unseal(key, project);
  content.delete(actionName);
  content.set('keeps_files', '1');
  if (!content.has('visibility')) content.set('visibility', server.visibility);
  await put({ ...project, tried: project.tried ?? Date.now() });
  const headers = { 'X-CSRFToken': server.csrfToken };
  const response = await fetch(body.get(actionName), { method: 'POST', body: content, headers });
  const { status } = response;
  if (status >= 500) return undefined;
  const isLost = response.redirected && new URL(response.url).pathname.startsWith('/sign-');
  if (response.ok && !isLost) {
    await remove('projects', project.id);
    return 'sent';
  }
  // The server has taken nothing, so the next try is the first one again.
  await put(project);
  if (isLost || status === 429 || (await askServer())?.account !== device.account) return undefined;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const sentences = [...page.querySelectorAll('.error-summary li, .error p:not(.code)')];
  return refuse(sentences.map(({ textContent }) => textContent.trim()).join(' '));
}

// The page.

/** The page without a network makes room for the page that was asked for, unless somebody writes there. */
const isLeftAlone = () =>
  words.account === undefined &&
  ![...document.querySelectorAll('[name=title], [name=text]')].some(({ value }) => value);

function showForm(device) {
  const [withKey, withoutKey] = ['[data-with-key]', '[data-without-key]'].map((name) =>
    document.querySelector(name),
  );
  if (!withKey) return;
  withKey.hidden = !device;
  withoutKey.hidden = Boolean(device);
  if (device) withKey.querySelector('[data-name]').textContent = device.name;
}

function findBox() {
  const shown = document.querySelector('.unsent');
  if (shown) return shown;
  const { stylesheet } = words;
  if (!document.querySelector(`link[href='${stylesheet}']`))
    document.head.append(
      Object.assign(document.createElement('link'), { rel: 'stylesheet', href: stylesheet }),
    );
  document.getElementById('main').prepend(template.content.cloneNode(true).querySelector('.unsent'));
  return findBox();
}

function say(sentence) {
  const box = findBox();
  box.querySelector('[role=status]').textContent = sentence;
  box.focus();
  return false;
}

/** Without a key, what was refused is counted with what waits. */
async function show(sent = 0, key) {
  const own = await listOwn(await ready);
  if (own.length === 0 && sent === 0) return document.querySelector('.unsent')?.remove();
  const box = findBox();
  const refused = key ? own.filter(({ isRefused }) => isRefused) : [];
  const sentenceOf = (text, count) => (count > 0 ? [text.replace('#', count)] : []);
  const sentences = [
    ...sentenceOf(words.sent, sent),
    ...sentenceOf(words.refused, refused.length),
    ...sentenceOf(words.waiting, own.length - refused.length),
  ];
  box.querySelector('a').hidden = sent + refused.length === 0;
  box.querySelector('[role=status]').textContent = sentences.join(' ');
  box
    .querySelector('ul')
    .replaceChildren(...(await Promise.all(refused.map((each) => createRow(each, key)))));
}

async function createRow(project, key) {
  const body = await unseal(key, project);
  const row = template.content.querySelector('li').cloneNode(true);
  row.querySelector('b').textContent = body?.get('title') ?? '';
  const sentence = row.querySelector('p');
  sentence.className = 'field-error';
  sentence.textContent = body?.get(refusalName) ?? words.unreadable;
  const link = row.querySelector('a');
  if (body) link.href = `${body.get(actionName)}#unsent=${project.id}`;
  else link.remove();
  row.querySelector('button').addEventListener('click', async () => {
    if (!(await confirmed(words.discard))) return;
    await remove('projects', project.id);
    await show(0, key);
  });
  return row;
}

function confirmed(question) {
  const dialog = template.content.querySelector('dialog').cloneNode(true);
  dialog.querySelector('p').textContent = question;
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue === 'yes');
    });
  });
}

/** A refused project is in its form again, and in the box until the form is sent. */
async function openInForm() {
  const id = Number(/^#unsent=(\d+)$/.exec(location.hash)?.[1]);
  const form = document.querySelector('form.project-form');
  const device = await ready;
  const project = form && id && (await listOwn(device)).find((each) => each.id === id);
  const server = project && (await askServer());
  if (!server || server.account !== device.account) return;
  const body = await unseal(await importPrivateKey(server), project);
  if (!body) return;
  const files = new DataTransfer();
  for (const file of body.getAll('file')) if (file.size > 0) files.items.add(file);
  if (form.elements.file) form.elements.file.files = files.files;
  form.elements.file?.dispatchEvent(new Event('change', { bubbles: true }));
  for (const [index, control] of form.querySelectorAll('[name=alt]:enabled').entries())
    control.value = body.getAll('alt')[index] ?? '';
  for (const [name, value] of body)
    if (typeof value === 'string' && name !== 'alt' && form.elements[name]) form.elements[name].value = value;
  for (const details of form.querySelectorAll('details')) details.open = true;
  form.dataset.unsentId = String(id);
  form.elements.title.focus();
}

// The start.

const isPossible = isSecureContext && 'serviceWorker' in navigator && 'locks' in navigator;
/** The account that uses the device now, with its key; undefined if nobody is signed in. */
const ready = isPossible ? findDevice().catch(() => undefined) : Promise.resolve();
if (isPossible) begin();

async function begin() {
  document.addEventListener('submit', intercept, true);
  addEventListener('load', () =>
    navigator.serviceWorker.register(words.worker, { updateViaCache: 'all' }).catch(() => {}),
  );
  const device = await ready;
  showForm(device);
  addEventListener('online', () => (isLeftAlone() ? location.reload() : sendNext()));
  if (!device) return;
  for (const { id, account, created } of await listProjects())
    if (account !== device.account && created < Date.now() - maxOthersMs) await remove('projects', id);
  addEventListener('hashchange', openInForm);
  await show();
  await sendAll();
  await openInForm();
}
