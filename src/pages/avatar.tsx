import { colourOf } from './posters.tsx';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function firstLetter(text: string): string {
  const [first] = graphemes.segment(text);
  return first?.segment.toLocaleUpperCase() ?? '';
}

interface AvatarProps {
  readonly person: { readonly contributor: number; readonly name: string };
}

/** A contributor's first letter in a circle of their colour. It stands beside the name, which says the same. */
export function Avatar({ person: { contributor, name } }: AvatarProps) {
  return (
    <span class={`avatar ${colourOf(contributor)}`} aria-hidden="true">
      {firstLetter(name)}
    </span>
  );
}
