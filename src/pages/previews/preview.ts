// The content of a preview image, and the elements that are drawn: the posters of posters.tsx above a label.

import type { Node } from '@takumi-rs/wasm';
import type { ContentType } from '../../gallery/content-types.ts';
import { firstLetter } from '../contributor/avatar.tsx';
import { colours } from '../home/posters.tsx';
import { keepDrawable } from './drawable.ts';

export interface Preview {
  readonly kind: ContentType | 'contributor' | 'site';
  readonly colour: string;
  /** The largest text. */
  readonly words: string;
  readonly person?: { readonly name: string; readonly colour: string };
  readonly site: string;
}

const box = (className: string, children: Node[] = []): Node => ({
  type: 'container',
  tagName: 'div',
  className,
  children,
});
const line = (className: string, text: string): Node => ({ type: 'text', tagName: 'div', className, text });

const marks: Partial<Record<Preview['kind'], string>> = { text: '¶', comment: '…', quote: '“' };

/** Words that cannot be drawn are left out: then the object is drawn alone. */
export function toElements({ kind, colour, words, person, site }: Preview): Node {
  const text = keepDrawable(words);
  const direction = /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text) ? ' from-right' : '';
  const surface = box('surface', text ? [line(`words${direction}`, text)] : []);
  const sign = kind === 'contributor' ? firstLetter(text) : marks[kind];
  const mark = sign ? line('mark', sign) : box('mark');
  const size = text.length < 50 ? ' few-words' : '';
  return box(`preview of-${kind} ${colour}${size}`, [
    box('object', kind === 'site' ? [surface, shelf()] : [surface, mark]),
    label(person, site),
  ]);
}

const shelf = () =>
  box(
    'shelf',
    colours.map((colour) => box(`shelf-object ${colour}`)),
  );

function label(person: Preview['person'], site: string): Node {
  const name = keepDrawable(person?.name ?? '');
  const author =
    person && name ? [line(`letter ${person.colour}`, firstLetter(name)), line('name', name)] : [];
  return box('label', [box('person', author), line('site', keepDrawable(site))]);
}
