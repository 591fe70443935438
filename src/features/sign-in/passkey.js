// Makes and uses passkeys: a form gets the options from the server, the browser asks the person, and the form sends the
// result. Browsers allow this over HTTPS and on localhost only: elsewhere the forms stay hidden.

/** The form has the texts in data attributes. */
const textNames = { NotAllowedError: 'canceled', InvalidStateError: 'exists', SecurityError: 'wrongAddress' };

const exchanges = {
  create: (options) =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  get: (options) =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
};

/** The message is from the server, in the language of the page. */
class Refused extends Error {}

async function readOptions(form) {
  const response = await fetch(form.dataset.options, {
    method: 'POST',
    body: new URLSearchParams(new FormData(form)),
    headers: { Accept: 'application/json' },
  });
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json');
  if (response.ok && isJson) return response.json();
  const { detail } = isJson ? await response.json() : {};
  throw new Refused(detail ?? (response.status === 429 ? form.dataset.tooMany : form.dataset.failed));
}

/** Browsers of before 2025 may know passkeys, but not as JSON. */
const knowsPasskeys = window.PublicKeyCredential?.parseCreationOptionsFromJSON !== undefined;
for (const note of document.querySelectorAll('.passkey-missing')) note.hidden = knowsPasskeys;

for (const part of document.querySelectorAll('.passkey-part')) {
  if (knowsPasskeys) enable(part.querySelector('form'));
  part.hidden = !knowsPasskeys;
  part.dataset.ready = '';
}

function enable(form) {
  const result = document.createElement('input');
  result.type = 'hidden';
  result.name = 'credential';
  form.append(result);
  const problem = document.createElement('p');
  problem.className = 'field-error';
  problem.setAttribute('role', 'alert');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.remove();
    try {
      const options = await readOptions(form);
      result.value = JSON.stringify(await exchanges[form.dataset.passkey](options));
      form.submit();
    } catch (error) {
      problem.textContent =
        error instanceof Refused ? error.message : form.dataset[textNames[error.name] ?? 'failed'];
      form.append(problem);
    }
  });
}
