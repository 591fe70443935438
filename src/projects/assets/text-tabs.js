// On narrow screens, the text and its preview are two tabs. On wide ones the preview stands beside the form. The button
// below the form, which is then hidden, still opens and closes the preview: see project-form.js.

const form = document.querySelector('form.project-form');
const { text } = form.elements;
const section = document.getElementById('preview');
const button = form.querySelector('button[name=preview]');
const place = document.createComment('');
section.before(place);

const panel = document.createElement('div');
Object.assign(panel, { id: 'write', className: 'write' });
text.before(panel);
panel.append(...[form.querySelector('.text-tools'), text].filter(Boolean));

const panels = [panel, section];
const tabs = [section.dataset.write, button.textContent].map((label, index) => {
  const tab = document.createElement('button');
  Object.assign(tab, { type: 'button', id: `tab-${panels[index].id}`, role: 'tab', textContent: label });
  tab.setAttribute('aria-controls', panels[index].id);
  tab.addEventListener('click', () => select(index));
  return tab;
});
const list = document.createElement('div');
Object.assign(list, { className: 'text-tabs', role: 'tablist', ariaLabel: section.dataset.tabs });
list.append(...tabs);
panel.before(list);

function select(selected) {
  // As high as the text, so that nothing below moves.
  if (selected === 1 && panel.offsetHeight) section.style.minHeight = `${panel.offsetHeight}px`;
  for (const [index, tab] of tabs.entries()) {
    tab.ariaSelected = String(index === selected);
    tab.tabIndex = index === selected ? 0 : -1;
  }
  panel.hidden = selected === 1;
  if (section.hidden === panel.hidden) button.click();
}

list.addEventListener('keydown', (event) => {
  const index = { ArrowLeft: 1 - tabs.indexOf(event.target), Home: 0, End: 1 }[
    event.key.replace('Right', 'Left')
  ];
  if (index === undefined) return;
  event.preventDefault();
  select(index);
  tabs[index].focus();
});
// Browsers show what is wrong with a field only where it is seen.
text.addEventListener('invalid', () => list.hidden || select(0));

const wide = matchMedia('(min-width: 75rem)');
function arrange() {
  list.hidden = wide.matches;
  button.hidden = !wide.matches;
  for (const [index, { id }] of tabs.entries()) {
    if (wide.matches) panels[index].removeAttribute('role');
    else panels[index].role = 'tabpanel';
    panels[index].setAttribute('aria-labelledby', wide.matches ? '' : id);
  }
  section.tabIndex = wide.matches ? -1 : 0;
  section.style.minHeight = '';
  if (wide.matches) {
    panel.hidden = false;
    place.after(section);
  } else {
    panel.after(section);
    select(section.hidden ? 0 : 1);
  }
}
wide.addEventListener('change', arrange);
arrange();
