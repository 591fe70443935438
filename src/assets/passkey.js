// Makes and uses passkeys: a form gets the options from the server, the browser asks the person, and the form sends the
// result. Browsers allow this over HTTPS and on localhost only: elsewhere the forms stay hidden.

const toBytes = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) =>
    character.charCodeAt(0),
  );
const toText = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
const withBytes = (credentials = []) => credentials.map((one) => ({ ...one, id: toBytes(one.id) }));

/** The form has the texts in data attributes. */
const textNames = { NotAllowedError: 'canceled', InvalidStateError: 'exists', SecurityError: 'wrongAddress' };

const exchanges = {
  async create(options) {
    const { rawId, id, type, response } = await navigator.credentials.create({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        user: { ...options.user, id: toBytes(options.user.id) },
        excludeCredentials: withBytes(options.excludeCredentials),
      },
    });
    const { clientDataJSON, attestationObject } = response;
    return {
      ...{ id, rawId: toText(rawId), type, clientExtensionResults: {} },
      response: {
        clientDataJSON: toText(clientDataJSON),
        attestationObject: toText(attestationObject),
        transports: response.getTransports?.() ?? [],
      },
    };
  },
  async get(options) {
    const { rawId, id, type, response } = await navigator.credentials.get({
      publicKey: {
        ...options,
        challenge: toBytes(options.challenge),
        allowCredentials: withBytes(options.allowCredentials),
      },
    });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return {
      ...{ id, rawId: toText(rawId), type, clientExtensionResults: {} },
      response: {
        clientDataJSON: toText(clientDataJSON),
        authenticatorData: toText(authenticatorData),
        signature: toText(signature),
        userHandle: userHandle?.byteLength ? toText(userHandle) : null,
      },
    };
  },
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

const knowsPasskeys = window.PublicKeyCredential !== undefined;
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
