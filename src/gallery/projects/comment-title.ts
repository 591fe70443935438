const maxLength = 60;

/** The title of a comment that was sent without one: the beginning of its text. */
export function titleFromText(text: string): string {
  const [line = ''] = text
    .replace(/[#>*_`]/g, '')
    .trim()
    .split('\n');
  const characters = [...line.replace(/\p{Cc}/gu, ' ').trim()];
  if (characters.length === 0) return 'Comment';
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength).join('').trim()}…`
    : characters.join('');
}
