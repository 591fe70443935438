import type { Migration } from '../migrate.ts';

/** The settings of the site for each host name: see gallery/site/settings.ts. An empty host is the default for all. */
export const siteSettings: Migration = {
  name: 'site settings',
  statements: ({ text }) => [
    `create table site_setting (
      host ${text} not null,
      name ${text} not null,
      value ${text} not null,
      primary key (host, name)
    )`,
  ],
};
