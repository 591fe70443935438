import type { Database } from '#sql';
import type { FileStore } from '../files/store.ts';
import type { Viewer } from '../viewer/viewer.ts';

/** The dependencies of an import of projects with their files. */
export interface UploadDependencies {
  readonly database: Database;
  readonly files: FileStore;
  /** Makes the new uuids, by which a project that was brought is recognized. */
  readonly importSecret: string;
  readonly maxFileBytes: number;
  /** Counts bytes as an upload of the viewer, or throws TooManyRequests if there were too many in a day. */
  readonly spendUpload: (viewer: Viewer, bytes: number) => void;
}
