// A site's logo: an uploaded picture that is checked, converted and stored like the pictures of projects.

import { apiText } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import type { Database } from '../../database/database.ts';
import type { FileStore } from '../../files/store.ts';
import type { ServedFile } from '../media/media.ts';
import { encodeSizes } from '../media/picture.ts';
import { preparePicture } from '../media/prepare.ts';
import type { Viewer } from '../viewer.ts';
import { formatLogo } from './fields.ts';
import { findLogo } from './settings.ts';

const maxBytes = 4 * 1024 * 1024;
/** Three times as high as it is shown. */
const minHeight = 120;

/** Stores the picture in its sizes, and returns the text of the setting: the smallest size that is sharp. */
export async function prepareLogo(
  deps: { readonly database: Database; readonly files: FileStore },
  viewer: Viewer,
  file: File,
): Promise<string> {
  if (file.size > maxBytes) throw new Invalid({ logo: [apiText('site.bigLogo')] });
  const sizes = await preparePicture(deps, viewer, 'logo', file, encodeSizes);
  const size = sizes.find(({ height }) => height >= minHeight) ?? sizes.at(-1);
  return size ? formatLogo(size) : '';
}

/** The file that is served for a logo; everybody may see it. */
export async function findLogoFile(database: Database, hash: string): Promise<ServedFile | undefined> {
  const logo = await findLogo(database, hash);
  return logo && { type: 'image/webp', name: 'logo.webp', bytes: logo.bytes, openness: 'public' };
}
