import { mediaPath } from '../../files/stored-files.ts';
import { colourOf } from './colours.ts';

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export function firstLetter(text: string): string {
  const [first] = graphemes.segment(text);
  return first?.segment.toLocaleUpperCase() ?? '';
}

interface AvatarProps {
  readonly person: {
    readonly contributor: number;
    readonly name: string;
    /** The hash of their picture. */
    readonly avatar?: string | null;
  };
}

/**
 * A contributor's picture, or their first letter, in a circle of their colour. It stands beside the name, which says the
 * same.
 */
export function Avatar({ person: { contributor, name, avatar } }: AvatarProps) {
  const className = `avatar ${colourOf(contributor)}`;
  if (avatar)
    return (
      <img
        class={className}
        src={mediaPath('image/webp', { hash: avatar })}
        width={64}
        height={64}
        alt=""
        loading="lazy"
        decoding="async"
      />
    );
  return (
    <span class={className} aria-hidden="true">
      {firstLetter(name)}
    </span>
  );
}
