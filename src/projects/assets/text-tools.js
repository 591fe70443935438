// Buttons above a text that write its Markdown, with Ctrl+B and Ctrl+K. Undo takes back what they write.

const firstTools = document.querySelector('.text-tools');
for (const reply of document.querySelectorAll('.reply textarea')) reply.before(firstTools.cloneNode(true));

/** The text that the buttons or keys belong to. */
let text;

/** Selects from `start` to `end` and writes there. Only this command of browsers can be undone with Ctrl+Z. */
function write(start, end, written) {
  text.focus();
  text.setSelectionRange(start, end);
  document.execCommand('insertText', false, written);
}

/** Puts signs around the selection, or around an example, which is selected then. */
function surround(before, after, example) {
  const { selectionStart: start, selectionEnd: end, value } = text;
  const words = value.slice(start, end) || example;
  write(start, end, `${before}${words}${after}`);
  text.setSelectionRange(start + before.length, start + before.length + words.length);
}

/** Puts a sign before each line of the selection. */
function beginLines(sign) {
  const { selectionStart, selectionEnd, value } = text;
  const start = value.lastIndexOf('\n', selectionStart - 1) + 1;
  const lines = value.slice(start, selectionEnd).split('\n');
  write(start, selectionEnd, lines.map((line) => `${sign}${line}`).join('\n'));
}

function addLink(example) {
  const { selectionStart: start, selectionEnd: end, value } = text;
  const words = value.slice(start, end) || example;
  write(start, end, `[${words}](https://)`);
  const address = start + words.length + 3;
  text.setSelectionRange(address, address + 'https://'.length);
}

/** At the end, with the next number. */
function addStep(_, { dataset: { heading } }) {
  const [before, after] = heading.split('#');
  const steps = text.value.split('\n').filter((line) => line.startsWith(`## ${before}`));
  const number = (steps.length + 1).toLocaleString(document.documentElement.dataset.locale);
  const end = text.value.length;
  const gap = text.value.trim() === '' ? '' : '\n\n'.slice(/\n*$/.exec(text.value)[0].length);
  write(end, end, `${gap}## ${before}${number}${after}`);
}

const isLong = () => text.value.slice(text.selectionStart, text.selectionEnd).includes('\n');
const actions = {
  bold: (name) => surround('**', '**', name),
  heading: () => beginLines('## '),
  list: () => beginLines('- '),
  link: addLink,
  step: addStep,
  code: (name) => (isLong() ? surround('```\n', '\n```', name) : surround('`', '`', name)),
};
function press(button) {
  text = button.form.elements.text;
  actions[button.dataset.tool](button.textContent, button);
}

for (const tools of document.querySelectorAll('.text-tools')) {
  tools.addEventListener('click', ({ target }) => target.dataset.tool && press(target));
  tools.form.elements.text.addEventListener('keydown', (event) => {
    const { ctrlKey, metaKey, altKey, shiftKey, key } = event;
    const button = tools.querySelector(`[data-key="${CSS.escape(key.toLowerCase())}"]`);
    if (!button || ctrlKey === metaKey || altKey || shiftKey) return;
    event.preventDefault();
    press(button);
  });
}
