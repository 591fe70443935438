// The fields of the forms for projects, by content type, and what a form needs before it publishes a project.

import { Invalid } from '#common/errors.ts';
import { type Field, type Fields, textField } from '#rest/fields.ts';
import { type ContentType, isWork, type ProjectContentType } from '../../../core/content-types.ts';
import { acceptedFiles } from '../../../core/files/stored-files.ts';
import type { License } from '../../../core/licenses.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import { projectFileFields } from '../../media/file-fields.ts';
import { projectLimits } from '../../project.ts';
import { projectFields } from '../../project-fields.ts';
import { type Content, type FieldTexts, formOf, onPages } from '../content-types.ts';

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
  if (type === 'comment') {
    const { title, text } = projectFields;
    return { title, text: { ...text, label: t('edit.comment'), required: true, help: undefined } };
  }
  const { title, text, link, fields } = formOf(type);
  const allFields: Fields = {
    ...projectFields,
    link: { ...projectFields.link, ...(link && translateTexts(language, link)), read: readLink },
    text: { ...projectFields.text, help: undefined, ...(text && translateTexts(language, text)) },
    // One is always chosen.
    offers: { ...projectFields.offers, required: true, help: undefined },
    tags: { ...projectFields.tags, schema: { type: 'string' }, help: t('edit.tagsHelp') },
  };
  return {
    title: { ...projectFields.title, ...(title && translateTexts(language, title)) },
    ...Object.fromEntries(fields.map((name) => [name, allFields[name]])),
    ...(isWork(type) && { license: projectFields.license }),
  };
}

/** The fields of a quote that are one text in the end: see `joinQuote`. Older texts may say more. */
export function withQuoteFields(
  { t }: Translator,
  { text, ...fields }: Fields,
  { note = '' }: { readonly note?: unknown },
): Fields {
  const { title, ...others } = fields;
  const said_by = textField({ label: t('edit.saidBy'), maxLength: 300, allowsBlank: true });
  return {
    ...(title && { title }),
    ...(text && { text: { ...text, help: t('edit.quoteHelp') } }),
    said_by,
    ...(note !== '' && {
      note: textField({ label: t('edit.quoteNote'), maxLength: projectLimits.text, allowsBlank: true }),
    }),
    ...others,
  };
}

/** The field with the licences that can be chosen, without its help, which is for programs. */
export function withLicenseChoices(field: Field<License | null>, licenses: readonly (License | null)[]) {
  const choices = field.choices?.filter(({ value }) => licenses.includes(value as License));
  return { ...field, help: undefined, required: !licenses.includes(null), choices };
}

/** Whether the form for a new project asks for files. */
export const takesFiles = (type: ContentType): boolean =>
  type !== 'comment' && formOf(type).file !== undefined;

/** A new project can be sent together with its files. Those that it consists of come first. */
export function getNewFields(
  type: ProjectContentType,
  language: Translator,
  { mustDescribe }: Viewer,
): FormFields {
  const { file: texts } = formOf(type);
  const { title, ...others } = getEditFields(type, language);
  const { file, alt } = getFileFields(language);
  return {
    ...(texts && {
      file: { ...file, ...translateTexts(language, texts), accept: acceptedFiles[texts.accepts] },
    }),
    ...(title && { title }),
    ...((type === 'photo' || (isWork(type) && mustDescribe)) && { alt }),
    ...(texts || !isWork(type) ? others : withFileOfText(others, { ...file, accept: acceptedFiles.all })),
  };
}

/** Pictures of the text stand below it. */
const withFileOfText = (fields: Fields, file: Field): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap((entry) => (entry[0] === 'text' ? [entry, ['file', file]] : [entry])),
  );

/** The fields that the form for a new project folds: they describe a file or a link. */
export function getFoldedFields(type: ContentType): readonly string[] {
  const { requirement } = onPages(type);
  if (!requirement || requirement.field === 'text') return [];
  return ['text', 'tags', 'license', ...(takesFiles(type) ? [] : ['file'])];
}

/** Messages by field; empty if the project is complete. Drafts may lack something, and the API asks for a title only. */
export function findMissing(
  { t }: Translator,
  type: ContentType,
  content: Content,
): Record<string, string[]> {
  const { requirement } = onPages(type);
  return !requirement || requirement.isMet(content) ? {} : { [requirement.field]: [t(requirement.message)] };
}

export function requireContent(translator: Translator, type: ContentType, content: Content): void {
  const missing = findMissing(translator, type, content);
  if (Object.keys(missing).length > 0) throw new Invalid(missing);
}
