// Keyboard shortcuts of the queues: j and k go to the next and the previous project, l leaves it, a approves it, r goes to the
// reason.
// They work only while the focus is in the queue and not in a field, and can be switched off.

const queue = document.querySelector('.queue');
const storageKey = 'moderation keys';

if (queue) {
  const items = [...queue.querySelectorAll('.reported')];
  const paragraph = document.querySelector('.keys');
  const checkbox = paragraph.querySelector('input');
  checkbox.checked = localStorage.getItem(storageKey) !== 'off';
  paragraph.hidden = false;
  checkbox.addEventListener('change', () =>
    localStorage.setItem(storageKey, checkbox.checked ? 'on' : 'off'),
  );

  const actions = {
    j: (index) => items[Math.min(items.length - 1, index + 1)].focus(),
    k: (index) => items[Math.max(0, index - 1)].focus(),
    l: (index) => items[index].querySelector('button[value=leave]')?.click(),
    a: (index) => items[index].querySelector('button[value=approve]')?.click(),
    r: (index) => items[index].querySelector('select, textarea')?.focus(),
  };
  queue.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, altKey, metaKey, repeat } = event;
    if (!checkbox.checked || ctrlKey || altKey || metaKey || repeat) return;
    if (target.matches('input, textarea, select') || !Object.hasOwn(actions, key)) return;
    event.preventDefault();
    actions[key](items.indexOf(target.closest('.reported')));
  });
}
