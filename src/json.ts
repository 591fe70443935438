/** Escapes U+2028 and U+2029 too: some programs read them as line ends. */
export function toJson(data: unknown, indent = 0): string {
  const text = JSON.stringify(data, null, indent);
  return /[\u2028\u2029]/.test(text)
    ? text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    : text;
}

/** A JSON object, or a JavaScript object that becomes one. */
export function isJsonObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
