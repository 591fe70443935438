const longest = 60;

/** What a comment is called that was given no title: by its first words. */
export function headingOf(text: string): string {
  const [line = ''] = text
    .replace(/[#>*_`]/g, '')
    .trim()
    .split('\n');
  const plain = [...line.replace(/\p{Cc}/gu, ' ').trim()];
  if (plain.length === 0) return 'Comment';
  return plain.length > longest ? `${plain.slice(0, longest).join('').trim()}…` : plain.join('');
}
