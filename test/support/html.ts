// The text, fields and forms of a page, read by a parser.

import { type HTMLElement, type Node, NodeType, parse } from 'node-html-parser';

export type FormValues = Readonly<Record<string, string>>;

/** Parses HTML. Only the content of scripts and styles is not parsed. */
export function parseHtml(html: string): HTMLElement {
  return parse(html, { blockTextElements: { script: true, style: true } });
}

export async function readPage(response: Response): Promise<Page> {
  return new Page(await response.text());
}

export class Page {
  readonly document: HTMLElement;

  constructor(readonly html: string) {
    this.document = parseHtml(html);
  }

  /** The text of the page between its header and its footer. */
  get text(): string {
    return textOf(this.#main);
  }

  get heading(): string {
    return this.textsOf('main h1').join(' ');
  }

  /** The list of errors in a submitted form. */
  get errors(): string[] {
    return this.textsOf('.error-summary li');
  }

  get notices(): string[] {
    return this.textsOf('.notice');
  }

  /** The values of all fields between header and footer, by their names. */
  get fields(): FormValues {
    return valuesIn(this.#main);
  }

  get #main(): HTMLElement {
    return this.document.querySelector('main') ?? this.document;
  }

  /** The data for search engines, or null if there is none. */
  get jsonLd(): unknown {
    const script = this.document.querySelector('script[type="application/ld+json"]');
    return script && JSON.parse(script.rawText);
  }

  /** Of what the page shows: a template is for scripts. */
  textsOf(selector: string): string[] {
    const shown = this.document.querySelectorAll(selector).filter((element) => !element.closest('template'));
    return shown.map(textOf);
  }

  /** The values of an attribute, of all elements that have it. */
  attributesOf(selector: string, name: string): string[] {
    return this.document.querySelectorAll(selector).flatMap((element) => element.getAttribute(name) ?? []);
  }

  hasLink(address: string): boolean {
    return this.attributesOf('a', 'href').includes(address);
  }

  hasButton(label: string): boolean {
    return this.#buttons(label).length > 0;
  }

  /** The request of the browser when a button is pressed. `values` may contain labels instead of names and options. */
  press(buttonLabel: string, values: FormValues = {}): { action: string; body: FormValues } {
    const [button] = this.#buttons(buttonLabel);
    const form = button?.closest('form');
    if (!button || !form) throw new Error(`there is no button "${buttonLabel}" on ${this.heading}`);
    const body: Record<string, string> = { ...valuesIn(form) };
    for (const [label, value] of Object.entries(values)) body[nameIn(form, label, value)] = value;
    for (const [name, value] of Object.entries(body)) body[name] = choiceIn(form, name, value);
    const name = button.getAttribute('name');
    if (name) body[name] = button.getAttribute('value') ?? '';
    return { action: button.getAttribute('formaction') ?? form.getAttribute('action') ?? '', body };
  }

  #buttons(label: string): HTMLElement[] {
    return this.document
      .querySelectorAll('button')
      .filter((button) => (button.getAttribute('aria-label') ?? textOf(button)) === label);
  }
}

/** The text of an element and its descendants, with spaces between elements. */
export function textOf(element: HTMLElement): string {
  return textsIn(element).join(' ').replace(/\s+/g, ' ').trim();
}

function textsIn(node: Node): string[] {
  if (node.nodeType === NodeType.TEXT_NODE) return [node.text];
  if (['SCRIPT', 'STYLE'].includes((node as HTMLElement).tagName)) return [];
  return node.childNodes.flatMap(textsIn);
}

/** Files are sent by `upload`, as no page names them. */
const isSent = (field: HTMLElement) => {
  const type = field.getAttribute('type') ?? '';
  const isChosen = !['radio', 'checkbox'].includes(type) || field.hasAttribute('checked');
  return isChosen && type !== 'file' && !field.closest('template');
};

/** The value of every field by its name; for choices, the selected one. */
function valuesIn(element: HTMLElement): FormValues {
  const fields = element.querySelectorAll('input[name], textarea[name], select[name]').filter(isSent);
  return Object.fromEntries(fields.map((field) => [field.getAttribute('name'), fieldValue(field)]));
}

function fieldValue(field: HTMLElement): string {
  // The line break after the tag is not part of the text.
  if (field.tagName === 'TEXTAREA') return field.text.replace(/^\n/, '');
  if (field.tagName === 'SELECT') {
    const option = field.querySelector('option[selected]') ?? field.querySelector('option');
    return option?.getAttribute('value') ?? '';
  }
  return field.getAttribute('value') ?? '';
}

/** The name of the field that has this label or this name. */
function nameIn(form: HTMLElement, label: string, value: string): string {
  const caption = form.querySelectorAll('label, legend').find((found) => textOf(found) === label);
  const field = caption?.closest('.form-field')?.querySelector('[name]');
  const name = field?.getAttribute('name') ?? label;
  if (!form.querySelector(`[name="${name}"]`))
    throw new Error(`there is no field "${label}" for ${JSON.stringify(value)}`);
  return name;
}

/** The value of the choice that has this label. */
function choiceIn(form: HTMLElement, name: string, value: string): string {
  const radio = form
    .querySelectorAll(`input[type="radio"][name="${name}"]`)
    .find(({ id }) => form.querySelectorAll(`label[for="${id}"]`).some((label) => textOf(label) === value));
  return radio?.getAttribute('value') ?? value;
}
