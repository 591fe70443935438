import { integer, table, text } from '#sql';

export const weeklyCountTable = table(
  'weekly_count',
  ['week', 'activity', 'content_type'],
  {
    week: integer(),
    activity: text(),
    content_type: text(),
    count: integer(),
  },
  { counts: 'unlimited' },
);
