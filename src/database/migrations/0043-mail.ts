import type { Migration } from '../migrate.ts';

/** The email addresses of accounts, and the mails that are to be sent. */
export const mail: Migration = {
  name: 'mail',
  statements: ({ integer, text }) => [
    `create table email (
      contributor ${integer} primary key references contributor (id),
      address ${text},
      address_key ${text},
      pending ${text},
      language ${text} not null
    )`,
    'create index email_by_address on email (address_key)',
    `create table mail (
      uuid ${text} primary key,
      kind ${text} not null,
      contributor ${integer} references contributor (id),
      address ${text} not null,
      content ${text} not null,
      is_bulk ${integer} not null,
      created ${integer} not null,
      attempts ${integer} not null,
      due ${integer} not null
    )`,
    'create index mail_by_due on mail (is_bulk, due)',
    'create index mail_by_contributor on mail (contributor)',
  ],
};
