// Sends the event "changes", with the actions, to the element with the address of a stream of changes. It follows the stream
// only while the page is visible: tabs in the background cost nothing, and browsers, which open six connections to a site,
// keep some for everything else.

const target = document.querySelector('[data-changes]');
/** After a restart of the server, pages do not all come back at once. */
const retrySeconds = 3;
const maxSeconds = 300;
/** The server sends something every 15 seconds. A connection that was lost while the machine slept may give no error. */
const maxSilenceMs = 45_000;
/** Between two events: not all visitors may request the page again at the same moment. */
const pauseMs = 1000 * (target.dataset.pause ?? 8);

let connection;
let failures = 0;
let timer;
let sending;
let sentAt = 0;
const actions = new Set();

function sendLater(action) {
  actions.add(action);
  // At least a second: other processes of the server know of a change a little later.
  if (sending) return;
  sending = setTimeout(
    () => {
      sending = undefined;
      sentAt = Date.now();
      target.dispatchEvent(new CustomEvent('changes', { detail: new Set(actions) }));
      actions.clear();
    },
    Math.max(1000, sentAt + pauseMs - Date.now()) + 1000 * Math.random(),
  );
}

function connectLater(seconds = Math.min(maxSeconds, retrySeconds * 2 ** failures)) {
  clearTimeout(timer);
  timer = setTimeout(connect, 1000 * seconds * (1 + Math.random()));
}

/** `EventSource` would not show comments, nor why the server refuses. */
async function connect() {
  if (connection || document.hidden) return;
  connection = new AbortController();
  let watchdog;
  const expectMore = () => {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => connection?.abort(), maxSilenceMs);
  };
  try {
    expectMore();
    const response = await fetch(target.dataset.changes, { signal: connection.signal, cache: 'no-store' });
    if (!response.ok) throw new Error(String(response.status));
    failures = 0;
    // The page may be old.
    sendLater('connected');
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      expectMore();
      const lines = (rest + part.value).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (!line.startsWith('data: ')) continue;
        const { kind, action } = JSON.parse(line.slice(6));
        if (kind === 'project') sendLater(action);
      }
    }
  } catch {
    if (!document.hidden) failures++;
  }
  clearTimeout(watchdog);
  connection = undefined;
  if (!document.hidden) connectLater();
}

connectLater(1);
document.addEventListener('visibilitychange', () => {
  clearTimeout(timer);
  if (!document.hidden) return connectLater(1);
  connection?.abort();
  clearTimeout(sending);
  sending = undefined;
});
