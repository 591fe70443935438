// The forms for projects by content type: which fields each has, with their labels and help.

import type { Field, Fields } from '../../fields.ts';
import { projectFileFields } from '../../gallery/media/fields.ts';
import { projectFields } from '../../gallery/projects/fields.ts';
import type { ContentType, ProjectContentType } from '../../gallery/projects/project.ts';

type FieldTexts = Partial<Pick<Field, 'label' | 'help' | 'required'>>;

interface TypeForm {
  /** Shown where the viewer chooses a type. */
  readonly description: string;
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
    description: 'Something to read: a story, a how-to, a report.',
    fields: ['text', 'tags'],
  },
  photo: {
    description: 'A picture and the story behind it.',
    file: { label: 'Photo', help: 'JPEG, PNG, GIF or WebP. We don’t keep where it was taken.' },
    text: { label: 'About the photo' },
    fields: ['text', 'tags'],
  },
  question: {
    description: 'Something you’d like to know. Others can answer.',
    title: { label: 'Your question', help: 'In one sentence.' },
    text: { label: 'Details' },
    fields: ['text', 'tags'],
  },
  link: {
    description: 'Something worth seeing on another site.',
    link: { label: 'Link', help: 'It starts with https:// or http://.' },
    text: { label: 'Why is it worth seeing?' },
    fields: ['link', 'text', 'tags'],
  },
  video: {
    description: 'Your own video, or a link to one on another site.',
    file: { label: 'Video', help: 'MP4, QuickTime, WebM or Ogg.' },
    link: {
      label: 'Link to the video',
      help: 'If it’s on another site. It starts with https:// or http://.',
    },
    text: { label: 'About the video' },
    fields: ['link', 'text', 'tags'],
  },
  quote: {
    description: 'Words worth remembering, and who said them.',
    title: { label: 'Title', help: 'Who said it, or what it’s about.' },
    text: { label: 'Quote', help: 'Start each line with >. Below it, add who said it.' },
    fields: ['text', 'tags'],
  },
  document: {
    description: 'A paper, a plan, a handout.',
    file: { label: 'Document', help: 'PDF, text, Office, EPUB, ZIP, a program or a model.' },
    text: { label: 'About the document' },
    fields: ['text', 'tags'],
  },
};

export const altTexts = { label: 'Describe the picture (for people who can’t see it)', help: undefined };

/** Forms take one file at a time, so that each has its own description. */
export const singleFileFields = {
  file: {
    ...projectFileFields.file,
    label: 'File',
    help: 'A picture (JPEG, PNG, GIF, WebP), a video (MP4, QuickTime, WebM, Ogg), a sound (MP3, Ogg, WAV, M4A, FLAC), a document (PDF, text, Office, EPUB, ZIP), a program or a model.',
    schema: { ...projectFileFields.file.schema, maxItems: 1 },
  },
  alt: {
    ...projectFileFields.alt,
    ...altTexts,
  },
} satisfies Fields;

export const hasTypeForm = (type: string): type is ProjectContentType => Object.hasOwn(typeForms, type);

const markdownHelp = 'You can use Markdown: *emphasis*, **strong**, [text](link), # heading, - list.';

/** The type decides which of these a form has. */
type FormFields = Fields & {
  readonly title?: Field<string>;
  readonly text?: Field<string>;
  readonly tags?: Field<string[]>;
  readonly link?: Field<string | null>;
  readonly file?: Field<File[]>;
  readonly alt?: Field<string[]>;
};

/** People leave out the scheme of an address, as browsers do. */
function readLink(value: unknown): string | null {
  const hasNoScheme = typeof value === 'string' && /^[^\s:/@]+\.[^\s:/@]+(:\d+)?([/?#]|$)/.test(value.trim());
  return projectFields.link.read(hasNoScheme ? `https://${value.trim()}` : value);
}

/** All fields except the visibility, which the form shows as a radio group. */
export function getEditFields(type: ContentType): FormFields {
  if (type === 'comment') {
    const { title, text } = projectFields;
    return { title, text: { ...text, label: 'Comment', required: true, help: markdownHelp } };
  }
  const { title, text, link, fields } = typeForms[type];
  const allFields = {
    link: { ...projectFields.link, ...link, read: readLink },
    text: { ...projectFields.text, help: markdownHelp, ...text },
    tags: {
      ...projectFields.tags,
      schema: { type: 'string' },
      help: 'Separate with commas. What would people search for?',
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
  public: { label: 'Everyone', help: 'It appears in the gallery, in feeds and in search results.' },
  unlisted: { label: 'Anyone with the link', help: 'Not listed or searchable.' },
  private: { label: 'Only me', help: 'The site’s moderators can see it too.' },
} as const;
