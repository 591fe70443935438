import { emailPattern } from '../../common/text-rules.ts';
import { defineLine, type LineOf } from '../line-format.ts';
import { id, nullable, text } from '../line-members.ts';
import { maxEmailLength } from './email.ts';

const email = text({ maxLength: maxEmailLength, pattern: [emailPattern, 'an email address'] });

/** `pending` is not confirmed yet; `language` is that of the mails, empty for the usual one. */
export const emailLine = defineLine('email', {
  contributor: id,
  address: nullable(email),
  pending: nullable(email),
  language: text({ maxLength: 20 }),
});

export type EmailLine = LineOf<typeof emailLine>;
