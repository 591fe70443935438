// What is asked of whoever makes a key to the API.

import { choiceField, type Field, type Fields, Refused, textField } from '../../fields.ts';
import { type Instant, now, parseInstant } from '../instant.ts';
import { daysAfter, keyLimits } from './keys.ts';

type Expiry = (made: Instant) => Instant | null;

export const aYear: Expiry = (made) => daysAfter(made, 365);

const expiresField = (zone: string): Field<Expiry> => ({
  label: 'Expires',
  help: 'A number of days, a date-time, or null for never; a year unless given.',
  schema: { type: ['integer', 'string', 'null'] },
  read(value) {
    if (value === null || value === '') return () => null;
    const days = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
    if (typeof days === 'number') {
      if (!Number.isInteger(days) || days < 1 || days > keyLimits.days)
        throw new Refused(`Ensure this is a whole number of days from 1 to ${keyLimits.days}.`);
      return (made) => daysAfter(made, days);
    }
    const at = typeof days === 'string' ? parseInstant(days, zone) : undefined;
    if (at === undefined) throw new Refused('A number of days, a date-time or null is required.');
    if (at <= now()) throw new Refused('This is in the past.');
    return () => at;
  },
});

export const keyFields = (zone: string) =>
  ({
    name: textField({
      label: 'Name',
      help: 'What it is for.',
      required: true,
      most: keyLimits.name,
      oneLine: true,
    }),
    access: choiceField('Access', { Read: 'read', Write: 'write' }, { help: 'Read unless given.' }),
    expires: expiresField(zone),
  }) satisfies Fields;
