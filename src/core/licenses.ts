// The licences that a project can have, by their SPDX names, and what remixes of it may have. Nobody breaks one by accident: a
// remix begins with the licence of its source, and only those that go with it can be chosen later.

const creativeCommons = (code: string) => ({
  name: `CC ${code.toUpperCase()} 4.0`,
  url: `https://creativecommons.org/licenses/${code}/4.0/`,
});

const licenses = {
  'CC0-1.0': { name: 'CC0 1.0', url: 'https://creativecommons.org/publicdomain/zero/1.0/' },
  'CC-BY-4.0': creativeCommons('by'),
  'CC-BY-SA-4.0': creativeCommons('by-sa'),
  'CC-BY-NC-4.0': creativeCommons('by-nc'),
  'CC-BY-NC-SA-4.0': creativeCommons('by-nc-sa'),
  'CC-BY-ND-4.0': creativeCommons('by-nd'),
  'CC-BY-NC-ND-4.0': creativeCommons('by-nc-nd'),
  MIT: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  'GPL-3.0-or-later': { name: 'GPL 3.0+', url: 'https://www.gnu.org/licenses/gpl-3.0.html' },
} as const;

export type License = keyof typeof licenses;
export const licenseNames = Object.keys(licenses) as License[];

/** For people: a short name, and the address of its text. */
export const aboutLicense = (license: License) => licenses[license];

export const allowsRemixes = (license: License | null): boolean => !license?.includes('-ND');

const isNonCommercial = (license: License) => license.includes('-NC');
const staysItself = (license: License) => license.includes('-SA') || license.startsWith('GPL');

/** Those that may be changed and used for any purpose. */
export const freeLicenses = licenseNames.filter(
  (license) => allowsRemixes(license) && !isNonCommercial(license),
);

/** The licences that a remix of a work with this one may have; null: not stated. */
export function licensesOfRemix(source: License | null): readonly (License | null)[] {
  if (source === null || source === 'CC0-1.0') return [null, ...licenseNames];
  if (staysItself(source) || !allowsRemixes(source)) return [source];
  if (isNonCommercial(source)) return licenseNames.filter(isNonCommercial);
  // Its maker wants to be named.
  return [null, ...licenseNames.filter((license) => license !== 'CC0-1.0')];
}
