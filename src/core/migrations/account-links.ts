import type { Migration } from '#sql/open';

/** Links that set a password or confirm an address stood among the invitations: those that are on their way end. */
export const accountLinks: Migration = {
  from: 45,
  to: 46,
  name: 'account links',
  statements: ({ integer, text }) => [
    `create table account_link (
      hash ${text} primary key,
      contributor ${integer} not null references contributor (id),
      created_by ${integer},
      expires ${integer} not null
    )`,
    'create index account_link_by_contributor on account_link (contributor)',
  ],
};
