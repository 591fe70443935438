import type { Migration } from './migration.ts';

export const identities: Migration = {
  from: 55,
  to: 56,
  name: 'accounts at sign-in services elsewhere, and courses of learning platforms',
  steps: ({ identity, integer, text }) => [
    {
      kind: 'expand',
      locks: ['account', 'project'],
      statements: [
        `create table identity (
          id ${identity},
          contributor ${integer} not null references account (contributor),
          subject ${text} not null unique,
          created ${integer} not null,
          last_used ${integer}
        )`,
        'create index identity_by_contributor on identity (contributor)',
        `create table course (
          name ${text} primary key,
          collection ${integer} not null references project (id),
          consent ${text} not null
        )`,
        'create index course_by_collection on course (collection)',
      ],
    },
  ],
};
