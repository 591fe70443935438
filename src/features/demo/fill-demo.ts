import type { OpenGallery } from '../../core/commands/open-files.ts';
import { importIntoEmptyGallery } from '../export-import/import.ts';
import files from './files.ndjson' with { type: 'text' };
import demo from './gallery.ndjson' with { type: 'text' };

export const fillWithDemo = (gallery: OpenGallery) =>
  importIntoEmptyGallery(gallery.database, gallery.files, 'the demo', demo + files);
