import { authorizeAny, type Permission } from '../gallery/permissions.ts';
import type { Viewer } from '../gallery/viewer.ts';

/** The check for an operation's `checkPermission`: throws if the viewer has the permission for no project at all. */
export const requirePermission = (permission: Permission) => (viewer: Viewer) =>
  authorizeAny(viewer, permission);
