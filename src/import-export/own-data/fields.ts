import { apiText } from '../../common/api-text.ts';
import { type Field, type Fields, InvalidValue } from '../../common/fields.ts';
import { StoredFile } from '../../common/stored-file.ts';

const archiveField: Field<StoredFile, true> = {
  label: 'ZIP',
  help: 'The ZIP that you downloaded, in a multipart form.',
  required: true,
  schema: { type: 'array', maxItems: 1, items: { type: 'string', format: 'binary' } },
  accept: '.zip,application/zip',
  read(value) {
    const [file, another] = [value].flat();
    if (!(file instanceof StoredFile) || another !== undefined)
      throw new InvalidValue('Send one ZIP in a multipart form.');
    if (file.size === 0) throw new InvalidValue(apiText('noFile'));
    return file;
  },
};

export const importFields = { file: archiveField } satisfies Fields;
