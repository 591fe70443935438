// What may be sent of files: see ../../fields.ts. A form in parts brings them; JSON cannot.

import { type Field, type Fields, Refused, textField, wholeField } from '../../fields.ts';
import { limits } from './media.ts';

const file: Field<File[]> = {
  label: 'Files',
  help: `Pictures, videos or documents, at most ${limits.files}, in a form in parts.`,
  schema: { type: 'array', maxItems: limits.files, items: { type: 'string', format: 'binary' } },
  read(value) {
    const files = Array.isArray(value) ? value : [value];
    // A form sends a choice that was not made as a file without name and content.
    return files.filter((each): each is File => {
      if (!(each instanceof Blob))
        throw new Refused('The submitted data was not a file. Check the encoding type on the form.');
      return each.size > 0 || Boolean((each as File).name);
    });
  },
};

const text = textField({
  label: 'Alternative text',
  help: 'What a picture shows, for those who do not see it.',
  most: limits.alt,
  blank: true,
});

const alt: Field<string[]> = {
  label: text.label,
  help: `${text.help} One for each file, in their order.`,
  schema: {
    anyOf: [
      { type: 'string', maxLength: limits.alt },
      { type: 'array', maxItems: limits.files, items: { type: 'string', maxLength: limits.alt } },
    ],
  },
  read: (value) => (Array.isArray(value) ? value : [value]).map((each) => text.read(each)),
};

/** Beside what a project is made of. */
export const filesOfProject = { file, alt } satisfies Fields;

const someFile: Field<File[]> = {
  ...file,
  required: true,
  read(value) {
    const files = file.read(value);
    if (files.length === 0) throw new Refused('No file was submitted.');
    return files;
  },
};

export const newFiles = { file: someFile, alt } satisfies Fields;

export const mediaFields = {
  alt: text,
  position: wholeField({ label: 'Position', help: '1 is the first.', least: 1, most: limits.files }),
} satisfies Fields;
