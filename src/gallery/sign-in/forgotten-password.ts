// Asking for a mail with a link for a new password. Whether there is such an account, and whether it has an address, is
// found when the mail is sent: the request does the same for every text, and takes the same time.

import { apiText } from '../../common/api-text.ts';
import { type Fields, textField, type Values } from '../../common/fields.ts';
import { queueMail } from '../mail/queue.ts';
import { type EmailDependencies, maxEmailLength } from './email.ts';

export const forgottenFields = {
  name: textField({
    label: apiText('nameOrEmail'),
    autocomplete: 'username',
    required: true,
    maxLength: maxEmailLength,
    isSingleLine: true,
  }),
} satisfies Fields;

export async function askForPasswordLink(
  { database, attempts }: EmailDependencies,
  { name: typed }: Values<typeof forgottenFields>,
  clientAddress: string,
): Promise<void> {
  await attempts.countPasswordLink(typed, clientAddress);
  await database.transaction((transaction) =>
    queueMail(transaction, null, { kind: 'forgotten_password', content: { typed } }),
  );
}
