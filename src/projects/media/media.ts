import type { Row } from '#sql';
import type { MediaType, Size } from '../../core/files/stored-files.ts';
import type { mediaTable } from '../tables.ts';

/** A file of a project. `origin` is null for one that was uploaded to this project. */
export interface Media extends Readonly<Row<typeof mediaTable>> {
  readonly type: MediaType;
  /** Smallest first. */
  readonly sizes: readonly Size[];
}

/** Position 0 is that of a file which is kept for later: see features/kept-changes. */
export const isShown = ({ position }: Pick<Media, 'position'>): boolean => position > 0;
