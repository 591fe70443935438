// Fields for files: see ../../fields.ts. A multipart form sends them; JSON cannot.

import { apiText } from '#common/api-text.ts';
import { InvalidValue } from '#common/inputs.ts';
import { choiceField, type Field, type Fields, integerField, textField } from '#rest/fields.ts';
import { acceptedFiles, mediaLimits } from '../../core/files/stored-files.ts';
import { type Focus, focuses } from './focus.ts';

const fileField: Field<File[]> = {
  label: 'Files',
  help: `Pictures, videos or documents, at most ${mediaLimits.files}, in a multipart form.`,
  schema: { type: 'array', maxItems: mediaLimits.files, items: { type: 'string', format: 'binary' } },
  accept: acceptedFiles.all,
  read(value) {
    const files = Array.isArray(value) ? value : [value];
    // A form sends an empty file input as a file without name and content.
    return files.filter((file): file is File => {
      if (!(file instanceof Blob)) throw new InvalidValue(apiText('notFile'));
      return file.size > 0 || Boolean((file as File).name);
    });
  },
};

const altText = textField({
  label: 'Alternative text',
  help: 'What the picture shows, for people who cannot see it.',
  maxLength: mediaLimits.alt,
  allowsBlank: true,
});

const altTexts: Field<string[]> = {
  label: altText.label,
  isForFiles: true,
  help: `${altText.help} One for each file, in the same order.`,
  schema: {
    anyOf: [
      { type: 'string', maxLength: mediaLimits.alt },
      { type: 'array', maxItems: mediaLimits.files, items: { type: 'string', maxLength: mediaLimits.alt } },
    ],
  },
  read: (value) => (Array.isArray(value) ? value : [value]).map((text) => altText.read(text)),
};

/** Sent along with the fields of a project. */
export const projectFileFields = { file: fileField, alt: altTexts } satisfies Fields;

const requiredFile: Field<File[], true> = {
  ...fileField,
  required: true,
  read(value) {
    const files = fileField.read(value);
    if (files.length === 0) throw new InvalidValue(apiText('noFile'));
    return files;
  },
};

export const newFileFields = { file: requiredFile, alt: altTexts } satisfies Fields;

export const mediaFields = {
  alt: altText,
  focus: choiceField(
    'Focus',
    Object.fromEntries(focuses.map((focus) => [focus, focus])) as Record<Focus, Focus>,
    { help: 'The part of a picture that covers in lists show.' },
  ),
  position: integerField({ label: 'Position', help: '1 is the first.', min: 1, max: mediaLimits.files }),
} satisfies Fields;

/** With an action, which is not stored. */
export const changedFileFields = {
  ...mediaFields,
  turn: choiceField(
    'Turn',
    { 90: '90°', 180: '180°', 270: '270°' },
    { help: 'Turns a picture clockwise, by 90, 180 or 270 degrees.' },
  ),
} satisfies Fields;
