import type { Dialect, Migration } from '#sql/open';

/** The linked account that began a session. */
export const addBeginningOfSessions = ({ integer }: Dialect) =>
  `alter table session add column linked_account ${integer}`;

export const linkedAccounts: Migration = {
  from: 55,
  to: 56,
  name: 'linked accounts, and courses of learning platforms',
  steps: (dialect) => [
    {
      kind: 'expand',
      locks: ['account', 'project', 'session'],
      statements: [
        `create table linked_account (
          id ${dialect.identity},
          contributor ${dialect.integer} not null references account (contributor),
          subject ${dialect.text} not null unique,
          created ${dialect.integer} not null,
          last_used ${dialect.integer}
        )`,
        'create index linked_account_by_contributor on linked_account (contributor)',
        addBeginningOfSessions(dialect),
        `create table course (
          name ${dialect.text} primary key,
          collection ${dialect.integer} not null references project (id),
          consent ${dialect.text} not null
        )`,
        'create index course_by_collection on course (collection)',
      ],
    },
  ],
};
