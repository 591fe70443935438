import type { Dialect, Migration } from '#sql/open';
import { listed } from './following.ts';

export const licenseIndex = `project_by_license (license, created, id) where license is not null and ${listed}`;

export const addLicenses = ({ text }: Dialect) => [
  `alter table project add column license ${text}`,
  `alter table project add column source_license ${text}`,
];

export const licenses: Migration = {
  from: 54,
  to: 55,
  name: 'licences',
  steps: (dialect) => [
    {
      kind: 'expand',
      locks: ['project', 'profile'],
      statements: [...addLicenses(dialect), `alter table profile add column license ${dialect.text}`],
    },
    { kind: 'index', table: 'project', index: licenseIndex },
  ],
};
