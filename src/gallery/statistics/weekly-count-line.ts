import { InvalidValue } from '../../common/fields.ts';
import { defineLine, type LineOf, type Member } from '../line-format.ts';
import { count, instant, oneOf } from '../line-members.ts';
import { contentTypes } from '../projects/project.ts';
import { activities, startOfWeek, weekOf } from './weekly-counts.ts';

/** A week, as the moment when it begins. */
const week: Member<number> = {
  read(value) {
    const begins = instant.read(value);
    if (startOfWeek(weekOf(begins)) !== begins)
      throw new InvalidValue('must be the start of a Monday in UTC');
    return weekOf(begins);
  },
  write: (value) => instant.write?.(startOfWeek(value)),
  schema: instant.schema,
};

export const weeklyCountLine = defineLine('weekly_count', {
  week,
  activity: oneOf(activities),
  content_type: oneOf(contentTypes),
  count,
});

export type WeeklyCountLine = LineOf<typeof weeklyCountLine>;
