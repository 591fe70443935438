export type { ChangeFilters, FollowOptions } from './changes.ts';
export type { Collection } from './collection.ts';
export type { CallOptions, ConnectionOptions, GalleryRequest } from './connection.ts';
export { Conflict, ConnectionLost, GalleryError, Gone } from './errors.ts';
export { Gallery } from './gallery.ts';
export type { Page } from './list.ts';
export type { Files, UploadOptions, UploadProgress } from './media.ts';
export type { KnownProject } from './projects.ts';
export type {
  Change,
  Comment,
  Contributor,
  CreateComment,
  CreateProject,
  Me,
  Media,
  Project,
  ProjectQuery,
  Rating,
  Tag,
  UpdateMedia,
  UpdateProject,
} from './types.ts';
