// The forms for projects by content type: which fields each has, with their labels and help.

import type { Field, Fields } from '../../fields.ts';
import { newFileFields } from '../../gallery/media/fields.ts';
import { projectFields } from '../../gallery/projects/fields.ts';
import type { ContentType, ProjectContentType } from '../../gallery/projects/project.ts';

type FieldTexts = Partial<Pick<Field, 'label' | 'help' | 'required'>>;

interface TypeForm {
  /** Shown where the viewer chooses a type. */
  readonly description: string;
  /** As in "A new …". */
  readonly noun: string;
  readonly title?: FieldTexts;
  readonly text?: FieldTexts;
  readonly link?: FieldTexts;
  /** The fields besides the title. */
  readonly fields: readonly ('text' | 'link' | 'tags')[];
  /** For types that consist of a file: the label and help of the file field. */
  readonly file?: { readonly label: string; readonly help: string };
}

export const typeForms: Readonly<Record<ProjectContentType, TypeForm>> = {
  text: {
    description: 'Something to read: a story, instructions, a report.',
    noun: 'text',
    fields: ['text', 'tags'],
  },
  photo: {
    description: 'A picture, and what there is to say about it.',
    noun: 'photo',
    file: { label: 'The photo', help: 'JPEG, PNG, GIF or WebP. Where it was taken is not kept.' },
    text: { label: 'About it' },
    fields: ['text', 'tags'],
  },
  question: {
    description: 'Something you would like to know: others answer.',
    noun: 'question',
    title: { label: 'Your question', help: 'In one sentence.' },
    text: { label: 'More about it' },
    fields: ['text', 'tags'],
  },
  link: {
    description: 'Something on another site that is worth seeing.',
    noun: 'link',
    link: { label: 'Where it leads' },
    text: { label: 'Why it is worth seeing' },
    fields: ['link', 'text', 'tags'],
  },
  video: {
    description: 'A film: a file of yours, or the address of one elsewhere.',
    noun: 'video',
    file: { label: 'The film', help: 'MP4, QuickTime, WebM or Ogg.' },
    link: { label: 'Where it can be seen', help: 'If it is on another site: an http or https address.' },
    text: { label: 'About it' },
    fields: ['link', 'text', 'tags'],
  },
  quote: {
    description: 'Words of somebody’s, and whose they are.',
    noun: 'quote',
    title: { label: 'Title', help: 'Whose words, or what they are about.' },
    text: { label: 'The quote', help: 'Begin its lines with >, and say below who said it.' },
    fields: ['text', 'tags'],
  },
  document: {
    description: 'A paper, a plan, a hand-out.',
    noun: 'document',
    file: { label: 'The document', help: 'PDF, text, office, EPUB or ZIP.' },
    text: { label: 'About it' },
    fields: ['text', 'tags'],
  },
};

/** Forms take one file at a time, so that each has its own description. */
export const singleFileFields = {
  file: {
    ...newFileFields.file,
    required: false,
    label: 'A file',
    help: 'A picture (JPEG, PNG, GIF, WebP), a video (MP4, QuickTime, WebM, Ogg) or a document (PDF, text, office, EPUB, ZIP).',
    schema: { ...newFileFields.file.schema, maxItems: 1 },
  },
  alt: {
    ...newFileFields.alt,
    label: 'What it shows',
    help: 'If it is a picture: for those who do not see it.',
  },
} satisfies Fields;

export const hasTypeForm = (type: string): type is ProjectContentType => Object.hasOwn(typeForms, type);

const markdownHelp = 'Markdown: *emphasis*, **strong**, [words](address), # heading, - list.';

/** The type decides which of these a form has. */
type FormFields = Fields & {
  readonly title?: Field<string>;
  readonly text?: Field<string>;
  readonly tags?: Field<string[]>;
  readonly link?: Field<string | null>;
  readonly file?: Field<File[]>;
  readonly alt?: Field<string[]>;
};

/** All fields except the visibility, which the form shows as a radio group. */
export function getEditFields(type: ContentType): FormFields {
  if (type === 'comment') {
    const { title, text } = projectFields;
    return { title, text: { ...text, label: 'Comment', required: true, help: markdownHelp } };
  }
  const { title, text, link, fields } = typeForms[type];
  const allFields = {
    link: { ...projectFields.link, ...link },
    text: { ...projectFields.text, help: markdownHelp, ...text },
    tags: {
      ...projectFields.tags,
      schema: { type: 'string' },
      help: 'Parted by commas: what others would look for.',
    },
  };
  return {
    title: { ...projectFields.title, ...title },
    ...Object.fromEntries(fields.map((name) => [name, allFields[name]])),
  };
}

/** A new project can be sent together with its file. */
export function getNewFields(type: ProjectContentType): FormFields {
  const { file } = typeForms[type];
  const { title, ...others } = getEditFields(type);
  const fileFields = file && {
    file: { ...singleFileFields.file, ...file },
    ...(type === 'photo' && { alt: singleFileFields.alt }),
  };
  return { ...(title && { title }), ...fileFields, ...others };
}

export const visibilityTexts = {
  public: { label: 'Everyone', help: 'It stands in lists and feeds, and is found by searching.' },
  unlisted: {
    label: 'Whoever has the address',
    help: 'It stands in no list and no feed; you pass the address on.',
  },
  private: { label: 'Only you', help: 'You see it, and the people who look after this site.' },
} as const;
