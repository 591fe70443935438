import { authorizeAny, type Permission } from '../gallery/permissions.ts';
import type { Viewer } from '../gallery/viewer.ts';

/** The permission of an operation, from the table of who may do what. */
export const requirePermission = (permission: Permission) => (viewer: Viewer) =>
  authorizeAny(viewer, permission);
