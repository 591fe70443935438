/** Compact UTF-8. U+2028 and U+2029 are escaped, as scripts of old took them for the ends of lines. */
export function renderJson(data: unknown, indent = 0): string {
  const text = JSON.stringify(data, null, indent);
  return /[\u2028\u2029]/.test(text)
    ? text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
    : text;
}
