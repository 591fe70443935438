// The elements of feeds and sitemaps. Bun's parser throws an error if the XML is not well-formed.

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Those of the same name in their order. */
  readonly children: readonly Element[];
  readonly text: string;
}

type Parsed = string | { readonly [name: string]: Parsed | readonly Parsed[] };

export function parseXml(xml: string): Element {
  // We write no comments, CDATA, document types or instructions: a text that became one would not be seen below.
  if (/<[!?](?!xml )/.test(xml)) throw new Error('there is markup that we do not write');
  const [[name, root] = ['', '']] = Object.entries(Bun.XML.parse(xml) as Record<string, Parsed>);
  return toElement(name, root);
}

function toElement(name: string, parsed: Parsed): Element {
  if (typeof parsed === 'string') return { name, attributes: {}, children: [], text: parsed };
  const { '#text': text = '', ...members } = parsed;
  const entries = Object.entries(members);
  const isAttribute = ([key]: readonly [string, unknown]) => key.startsWith('@');
  return {
    name,
    attributes: Object.fromEntries(
      entries.filter(isAttribute).map(([key, value]) => [key.slice(1), String(value)]),
    ),
    children: entries
      .filter((entry) => !isAttribute(entry))
      .flatMap(([key, value]) => [value].flat().map((child) => toElement(key, child as Parsed))),
    text: String(text),
  };
}

export const childrenOf = (element: Element, name: string) =>
  element.children.filter((child) => child.name === name);
