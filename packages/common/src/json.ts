/** Escapes U+2028 and U+2029 too: some programs read them as line ends. */
export function toJson(data: unknown, indent = 0): string {
  const text = JSON.stringify(data, null, indent);
  return /[\u2028\u2029]/.test(text)
    ? text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    : text;
}

/** Undefined if it is not JSON in UTF-8. */
export function parseJson(content: string | Uint8Array): unknown {
  try {
    return JSON.parse(
      typeof content === 'string' ? content : new TextDecoder('utf-8', { fatal: true }).decode(content),
    );
  } catch {
    return undefined;
  }
}

/** A JSON object, or a JavaScript object that becomes one. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object with the same names and other values. */
export const mapValues = <From, To>(
  values: Readonly<Record<string, From>>,
  map: (value: From, name: string) => To,
): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value, name)]));

const usualMaxValues = 10_000;
/** The browsable page shows JSON again, and JSON.stringify would overflow the stack on very deep data. */
const maxDepth = 100;
const [quote, backslash, comma] = ['"', '\\', ','].map((character) => character.charCodeAt(0));
const opening = ['[', '{'].map((character) => character.charCodeAt(0));
const closing = [']', '}'].map((character) => character.charCodeAt(0));

/**
 * Why JSON would take long to parse: hundreds of thousands of small values take far longer than one long text. Counts
 * outside of texts only. Whether the JSON is valid, the parser finds out.
 */
export function findExcess(json: Uint8Array, maxValues = usualMaxValues): string | undefined {
  let [depth, values, isInText] = [0, 1, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (isInText) {
      if (byte === backslash) at++;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === comma) values++;
    else if (byte === opening[0] || byte === opening[1]) {
      values++;
      depth++;
    } else if (byte === closing[0] || byte === closing[1]) depth--;
    if (depth > maxDepth) return 'it is nested too deeply.';
    if (values > maxValues) return `there are more than ${maxValues} values.`;
  }
  return undefined;
}
