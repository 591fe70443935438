// The attributes that the script for uploads (upload.js) reads from a form with files.

import type { UploadLimiter } from '#rest/upload-limiter.ts';
import { mediaLimits } from '../../../core/files/stored-files.ts';
import { formatBytes } from '../../../core/texts/format-bytes.ts';
import type { Translator } from '../../../core/texts/translator.ts';

type SizeLimit = Pick<UploadLimiter, 'maxBytes'>;

export const describeTooLarge = (language: Translator, { maxBytes }: SizeLimit): string =>
  language.t('upload.tooLarge', { size: formatBytes(language, maxBytes) });

/** `count` is the number of files that the project has. */
export function uploadAttributes(language: Translator, uploads: SizeLimit, count = 0) {
  const max = mediaLimits.files;
  return {
    'data-file-count': String(count),
    'data-max-files': String(max),
    'data-count': language.t('files.count', { number: '#', max }),
    'data-camera': language.t('upload.camera'),
    'data-too-many': language.t('files.limit', { count: max }),
    'data-max-bytes': String(uploads.maxBytes),
    'data-too-large': describeTooLarge(language, uploads),
    'data-bad-kind': language.t('upload.badKind', { name: '#' }),
    'data-interrupted': language.t('upload.interrupted'),
  };
}

/** The same for the script that adds pictures to a text (text-pictures.js). A new project has no page of files yet: its form sends them. */
export const textUploadAttributes = ({ t }: Translator, filesUrl = '') => ({
  'data-files-url': filesUrl,
  'data-sending': t('upload.sending'),
  'data-interrupted': t('upload.interrupted'),
  'data-choose-again': t('edit.chooseAgain'),
});
