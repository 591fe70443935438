/** Compact UTF-8 text. U+2028 and U+2029 are escaped, as some programs take them for the ends of lines. */
export function toJson(data: unknown, indent = 0): string {
  const text = JSON.stringify(data, null, indent);
  return /[\u2028\u2029]/.test(text)
    ? text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    : text;
}
