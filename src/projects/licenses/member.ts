import { apiText, type Text } from '#common/api-text.ts';
import { type License, licenseNames } from '../../core/licenses.ts';
import { choiceMember } from '../collection-members.ts';

const choices: Readonly<Record<License, Text>> = {
  'CC0-1.0': apiText('license.cc0'),
  'CC-BY-4.0': apiText('license.by'),
  'CC-BY-SA-4.0': apiText('license.bySa'),
  'CC-BY-NC-4.0': apiText('license.byNc'),
  'CC-BY-NC-SA-4.0': apiText('license.byNcSa'),
  'CC-BY-ND-4.0': apiText('license.byNd'),
  'CC-BY-NC-ND-4.0': apiText('license.byNcNd'),
  MIT: apiText('license.mit'),
  'GPL-3.0-or-later': apiText('license.gpl'),
};

/** See fields.ts. */
export const licenseMember = {
  ...choiceMember(
    apiText('license'),
    choices,
    licenseNames,
    'What others may do with it; null: not stated. A remix keeps what the licence of its source asks for.',
  ),
  isCopied: true,
};
