// The types of what can be made, in the words of whoever makes one.

import type { Field, Fields } from '../../fields.ts';
import { newFiles } from '../../gallery/media/fields.ts';
import { projectFields } from '../../gallery/projects/fields.ts';
import type { ContentType, Made } from '../../gallery/projects/project.ts';

interface Kind {
  /** What the maker sees of it before they choose. */
  readonly about: string;
  /** As in "A new …". */
  readonly noun: string;
  readonly title?: Partial<Field>;
  readonly text?: Partial<Field>;
  readonly link?: Partial<Field>;
  /** What is asked, beside the title. */
  readonly asks: readonly ('text' | 'link' | 'tags')[];
  /** What its file is called, and may be, where it lives by one. */
  readonly file?: { readonly label: string; readonly help: string };
}

export const kinds: Readonly<Record<Made, Kind>> = {
  text: {
    about: 'Something to read: a story, instructions, a report.',
    noun: 'text',
    asks: ['text', 'tags'],
  },
  photo: {
    about: 'A picture, and what there is to say about it.',
    noun: 'photo',
    file: { label: 'The photo', help: 'JPEG, PNG, GIF or WebP. Where it was taken is not kept.' },
    text: { label: 'About it' },
    asks: ['text', 'tags'],
  },
  question: {
    about: 'Something you would like to know: others answer.',
    noun: 'question',
    title: { label: 'Your question', help: 'In one sentence.' },
    text: { label: 'More about it' },
    asks: ['text', 'tags'],
  },
  link: {
    about: 'Something on another site that is worth seeing.',
    noun: 'link',
    link: { label: 'Where it leads' },
    text: { label: 'Why it is worth seeing' },
    asks: ['link', 'text', 'tags'],
  },
  video: {
    about: 'A film: a file of yours, or the address of one elsewhere.',
    noun: 'video',
    file: { label: 'The film', help: 'MP4, QuickTime, WebM or Ogg.' },
    link: { label: 'Where it can be seen', help: 'If it is on another site: an http or https address.' },
    text: { label: 'About it' },
    asks: ['link', 'text', 'tags'],
  },
  quote: {
    about: 'Words of somebody’s, and whose they are.',
    noun: 'quote',
    title: { label: 'Title', help: 'Whose words, or what they are about.' },
    text: { label: 'The quote', help: 'Begin its lines with >, and say below who said it.' },
    asks: ['text', 'tags'],
  },
  document: {
    about: 'A paper, a plan, a hand-out.',
    noun: 'document',
    file: { label: 'The document', help: 'PDF, text, office, EPUB or ZIP.' },
    text: { label: 'About it' },
    asks: ['text', 'tags'],
  },
};

/** One at a time, so that each has its words. */
export const oneFile = {
  file: {
    ...newFiles.file,
    required: false,
    label: 'A file',
    help: 'A picture (JPEG, PNG, GIF, WebP), a video (MP4, QuickTime, WebM, Ogg) or a document (PDF, text, office, EPUB, ZIP).',
    schema: { ...newFiles.file.schema, maxItems: 1 },
  },
  alt: { ...newFiles.alt, label: 'What it shows', help: 'If it is a picture: for those who do not see it.' },
} satisfies Fields;

export const isMade = (type: string): type is Made => Object.hasOwn(kinds, type);

const aboutText = 'Markdown: *emphasis*, **strong**, [words](address), # heading, - list.';

/** What a form asks for, but for who may see it. */
export function fieldsOf(type: ContentType): Fields {
  if (type === 'comment') {
    const { title, text } = projectFields;
    return { title, text: { ...text, label: 'Comment', required: true, help: aboutText } };
  }
  const { title, text, link, asks } = kinds[type];
  const all = {
    link: { ...projectFields.link, ...link },
    text: { ...projectFields.text, help: aboutText, ...text },
    tags: {
      ...projectFields.tags,
      schema: { type: 'string' },
      help: 'Parted by commas: what others would look for.',
    },
  };
  return {
    title: { ...projectFields.title, ...title },
    ...Object.fromEntries(asks.map((name) => [name, all[name]])),
  };
}

/** The same of something new, whose file may come along. */
export function newFieldsOf(type: Made) {
  const { file } = kinds[type];
  const { title, ...others } = fieldsOf(type);
  const asked = file && { file: { ...oneFile.file, ...file }, ...(type === 'photo' && { alt: oneFile.alt }) };
  return { ...(title && { title }), ...asked, ...others };
}

export const visibilityWords = {
  public: { label: 'Everyone', help: 'It stands in lists and feeds, and is found by searching.' },
  unlisted: {
    label: 'Whoever has the address',
    help: 'It stands in no list and no feed; you pass the address on.',
  },
  private: { label: 'Only you', help: 'You see it, and the people who look after this site.' },
} as const;
