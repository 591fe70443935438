// Keyboard shortcuts of the queue: j and k go to the next and the previous project, l leaves it, r goes to the reason.
// They work only while the focus is in the queue and not in a field, and can be switched off.

const queue = document.querySelector('.queue');
const kept = 'moderation keys';

if (queue) {
  const things = [...queue.querySelectorAll('.reported')];
  const box = document.createElement('p');
  box.className = 'keys faint';
  const label = document.createElement('label');
  const on = document.createElement('input');
  on.type = 'checkbox';
  on.checked = localStorage.getItem(kept) !== 'off';
  label.append(on, ' Keys, while you are in the queue: ');
  for (const [key, words] of [
    ['j', ' next, '],
    ['k', ' previous, '],
    ['l', ' leave it, '],
    ['r', ' to the reason'],
  ]) {
    const sign = document.createElement('kbd');
    sign.textContent = key;
    label.append(sign, words);
  }
  box.append(label);
  queue.after(box);
  on.addEventListener('change', () => localStorage.setItem(kept, on.checked ? 'on' : 'off'));

  const acts = {
    j: (at) => things[Math.min(things.length - 1, at + 1)].focus(),
    k: (at) => things[Math.max(0, at - 1)].focus(),
    l: (at) => things[at].querySelector('button[value=leave]').click(),
    r: (at) => things[at].querySelector('textarea')?.focus(),
  };
  queue.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, altKey, metaKey, repeat } = event;
    if (!on.checked || ctrlKey || altKey || metaKey || repeat) return;
    if (target.matches('input, textarea, select') || !Object.hasOwn(acts, key)) return;
    event.preventDefault();
    acts[key](things.indexOf(target.closest('.reported')));
  });
}
