// A strict parser for the XML of feeds and sitemaps. It throws an error if the XML is not well-formed.

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** The declaration, a tag (slash, name, attributes, slash) or text. */
const token = /<\?xml[^?]*\?>\s*|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: XML must not contain these characters
const forbiddenCharacter = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|\p{Surrogate}/u;

export function parseXml(xml: string): Element {
  if (forbiddenCharacter.test(xml)) throw new Error('there is a character that XML must not contain');
  const document: Element = { name: '', attributes: {}, children: [], text: '' };
  /** The elements around the current position, the innermost last. */
  const openElements = [document];
  for (let position = 0; position < xml.length; ) {
    token.lastIndex = position;
    const match = token.exec(xml);
    if (!match) throw new Error(`not XML: ${xml.slice(position, position + 80)}`);
    const [whole, isEndTag, name, attributes = '', isEmptyElement, text] = match;
    position += whole.length;
    const parent = openElements.at(-1) as Element;
    if (text !== undefined) parent.text += decodeReferences(text);
    else if (isEndTag) {
      if (parent.name !== name) throw new Error(`the end tag of ${name} ends ${parent.name}`);
      openElements.pop();
    } else if (name) {
      const element = { name, attributes: parseAttributes(attributes), children: [], text: '' };
      parent.children.push(element);
      if (!isEmptyElement) openElements.push(element);
    }
  }
  const [root, second] = document.children;
  if (openElements.length !== 1 || !root || second) throw new Error('there is not one complete element');
  return root;
}

function parseAttributes(text: string): Record<string, string> {
  const pairs = [...text.matchAll(/([\w:.-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name,
    decodeReferences(value),
  ]);
  if (new Set(pairs.map(([name]) => name)).size !== pairs.length)
    throw new Error('an element has two attributes of the same name');
  return Object.fromEntries(pairs);
}

const namedCharacters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeReferences(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, reference: string) => {
    const number = /^#(\d+)$/.exec(reference)?.[1];
    const character = number ? String.fromCodePoint(Number(number)) : namedCharacters[reference];
    if (character === undefined || !whole.endsWith(';')) throw new Error(`not a reference: ${whole}`);
    return character;
  });
}

export const childrenOf = (element: Element, name: string) =>
  element.children.filter((child) => child.name === name);
