import '../../src/features/index.ts';
import { describeAllowed, listPermissions, type Permission } from '../../src/core/viewer/permissions.ts';

/** The rows of the table in docs/api/permissions.md. */
export function listPermissionRows(): string[][] {
  const permissions = listPermissions();
  return (Object.keys(permissions) as Permission[]).map((name) => {
    const { description, allowsReadOnlyKeys } = permissions[name];
    return [description, describeAllowed(name), allowsReadOnlyKeys ? 'reads' : 'writes'];
  });
}
