// A strict parser for the XML of feeds and sitemaps. It throws an error if the XML is not well-formed.

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const piece = /<\?xml[^?]*\?>\s*|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML must not contain these characters
const illegal = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

export function parseXml(text: string): Element {
  if (illegal.test(text)) throw new Error('there is a character that XML cannot hold');
  const top: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  for (let at = 0; at < text.length; ) {
    piece.lastIndex = at;
    const found = piece.exec(text);
    if (!found) throw new Error(`not XML: ${text.slice(at, at + 80)}`);
    const [whole, closing, name, attributes = '', empty, words] = found;
    at += whole.length;
    const within = open.at(-1) as Element;
    if (words !== undefined) within.text += decoded(words);
    else if (closing) {
      if (within.name !== name) throw new Error(`${name} ends ${within.name}`);
      open.pop();
    } else if (name) {
      const element = { name, attributes: attributesOf(attributes), children: [], text: '' };
      within.children.push(element);
      if (!empty) open.push(element);
    }
  }
  const [root, more] = top.children;
  if (open.length !== 1 || !root || more) throw new Error('there is not one whole element');
  return root;
}

function attributesOf(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    decoded(value),
  ]);
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new Error('an attribute stands twice');
  return Object.fromEntries(pairs);
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decoded(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, reference: string) => {
    const number = /^#(\d+)$/.exec(reference)?.[1];
    const character = number ? String.fromCodePoint(Number(number)) : named[reference];
    if (character === undefined || !whole.endsWith(';')) throw new Error(`not a reference: ${whole}`);
    return character;
  });
}

export const childrenOf = (element: Element, name: string) =>
  element.children.filter((child) => child.name === name);
