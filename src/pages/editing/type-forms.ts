// The forms for projects by content type: which fields each has, with their labels and help.

import type { Field, Fields } from '../../common/fields.ts';
import { projectFileFields } from '../../gallery/media/fields.ts';
import { acceptedFiles } from '../../gallery/media/media.ts';
import { projectFields } from '../../gallery/projects/fields.ts';
import type { ContentType, ProjectContentType } from '../../gallery/projects/project.ts';
import type { PlainKey, Translator } from '../messages/translator.ts';

interface FieldTexts {
  readonly label: PlainKey;
  readonly help?: PlainKey;
}

interface TypeForm {
  readonly title?: FieldTexts;
  readonly text?: FieldTexts;
  readonly link?: FieldTexts;
  /** The fields besides the title. */
  readonly fields: readonly ('text' | 'link' | 'tags')[];
  /** For types that consist of a file. */
  readonly file?: FieldTexts & { readonly accepts: keyof typeof acceptedFiles };
}

const typeForms: Readonly<Record<ProjectContentType, TypeForm>> = {
  text: { fields: ['text', 'tags'] },
  photo: {
    file: { label: 'edit.photoFile', help: 'edit.photoFileHelp', accepts: 'pictures' },
    text: { label: 'edit.photoText' },
    fields: ['text', 'tags'],
  },
  question: {
    title: { label: 'edit.question', help: 'edit.questionHelp' },
    text: { label: 'edit.details' },
    fields: ['text', 'tags'],
  },
  link: {
    link: { label: 'edit.link', help: 'edit.linkHelp' },
    text: { label: 'edit.linkText' },
    fields: ['link', 'text', 'tags'],
  },
  video: {
    file: { label: 'edit.videoFile', help: 'edit.videoFileHelp', accepts: 'videos' },
    link: { label: 'edit.videoLink', help: 'edit.videoLinkHelp' },
    text: { label: 'edit.videoText' },
    fields: ['link', 'text', 'tags'],
  },
  quote: {
    title: { label: 'edit.quoteTitle', help: 'edit.quoteTitleHelp' },
    text: { label: 'edit.quote', help: 'edit.quoteHelp' },
    fields: ['text', 'tags'],
  },
  document: {
    file: { label: 'edit.documentFile', help: 'edit.documentFileHelp', accepts: 'all' },
    text: { label: 'edit.documentText' },
    fields: ['text', 'tags'],
  },
};

const translateTexts = ({ t }: Translator, { label, help }: FieldTexts) => ({
  label: t(label),
  ...(help && { help: t(help) }),
});

/** The description is that of the first file. The page of the files has one for each. */
export const getFileFields = ({ t }: Translator) =>
  ({
    file: { ...projectFileFields.file, label: t('files.file'), help: t('files.fileHelp') },
    alt: { ...projectFileFields.alt, label: t('edit.alt'), help: t('edit.altHelp') },
  }) satisfies Fields;

export const hasTypeForm = (type: string): type is ProjectContentType => Object.hasOwn(typeForms, type);

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
export function getEditFields(type: ContentType, language: Translator): FormFields {
  const { t } = language;
  const markdownHelp = t('edit.markdownHelp');
  if (type === 'comment') {
    const { title, text } = projectFields;
    return { title, text: { ...text, label: t('edit.comment'), required: true, help: markdownHelp } };
  }
  const { title, text, link, fields } = typeForms[type];
  const allFields = {
    link: { ...projectFields.link, ...(link && translateTexts(language, link)), read: readLink },
    text: {
      ...projectFields.text,
      help: `${markdownHelp} ${t('edit.pictureHelp')}`,
      ...(text && translateTexts(language, text)),
    },
    tags: { ...projectFields.tags, schema: { type: 'string' }, help: t('edit.tagsHelp') },
  };
  return {
    title: { ...projectFields.title, ...(title && translateTexts(language, title)) },
    ...Object.fromEntries(fields.map((name) => [name, allFields[name]])),
  };
}

/** A new project can be sent together with its file. */
export function getNewFields(type: ProjectContentType, language: Translator): FormFields {
  const { file: texts } = typeForms[type];
  const { title, ...others } = getEditFields(type, language);
  const { file, alt } = getFileFields(language);
  const fileFields = texts && {
    file: { ...file, ...translateTexts(language, texts), accept: acceptedFiles[texts.accepts] },
    ...(type === 'photo' && { alt }),
  };
  return { ...(title && { title }), ...fileFields, ...others };
}
