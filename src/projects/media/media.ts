import type { Row } from '#sql';
import type { MediaType, Size } from '../../core/files/stored-files.ts';
import type { mediaTable } from '../tables.ts';

/** A file of a project. `origin` is null for one that was uploaded to this project. */
export interface Media extends Readonly<Row<typeof mediaTable>> {
  readonly type: MediaType;
  /** Smallest first. */
  readonly sizes: readonly Size[];
}
