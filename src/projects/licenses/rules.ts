// Which licence a project may have: one that the site offers, and that goes with the licence of its source.

import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { isWork } from '../../core/content-types.ts';
import { aboutLicense, type License, licensesOfRemix } from '../../core/licenses.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { ProjectRow } from '../project.ts';
import type { ProjectValues } from '../project-fields.ts';

type Licensed = Pick<ProjectRow, 'license' | 'source_license' | 'content_type'>;

/** Of a work that is made without one: its maker's choice, or the site's. */
export const defaultLicense = (
  { license }: Viewer,
  { content_type = 'text' }: Pick<ProjectValues, 'content_type'>,
): License | null => (isWork(content_type) ? (license ?? null) : null);

/** The licences that the viewer can choose for a project, or for a new one; null: not stated. */
export const choosableLicenses = (
  { offeredLicenses }: Viewer,
  project?: Pick<ProjectRow, 'license' | 'source_license'>,
): readonly (License | null)[] =>
  licensesOfRemix(project?.source_license ?? null).filter(
    (license) =>
      license === null ||
      license === project?.license ||
      license === project?.source_license ||
      (offeredLicenses?.includes(license) ?? true),
  );

/** Throws unless the project may have its licence. One that it has already stays. */
export function requireLicense(viewer: Viewer, before: Licensed | undefined, after: Licensed): void {
  const { license, source_license: source, content_type } = after;
  if (before && before.license === license) return;
  if (license !== null && content_type === 'comment') throw new Invalid({ license: [apiText('noLicense')] });
  const allowed = licensesOfRemix(source);
  if (!allowed.includes(license))
    throw new Invalid({
      license: [
        apiText('licenseOfSource', {
          source: source === null ? '' : aboutLicense(source).name,
          allowed: allowed.flatMap((name) => name ?? []).join(', '),
        }),
      ],
    });
  if (!choosableLicenses(viewer, { ...after, license: before?.license ?? null }).includes(license))
    throw new Invalid({ license: [apiText('notChoice', { value: String(license) })] });
}
