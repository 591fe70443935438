// What the kinds of mails are written from, and what they become.

import type { Database } from '../database/database.ts';
import type { SignInAttempts } from '../gallery/accounts/sign-in-attempts.ts';
import type { QueuedMail } from '../gallery/mail/queue.ts';
import type { Translator } from '../pages/messages/translator.ts';
import type { Paragraph } from './message.ts';
import type { MailSettings } from './transport.ts';

export interface MailDependencies {
  readonly database: Database;
  readonly settings: MailSettings;
  readonly attempts: SignInAttempts;
}

export interface MailContext extends MailDependencies {
  readonly mail: QueuedMail;
  readonly content: Readonly<Record<string, string>>;
  /** The name of the site. */
  readonly site: string;
  readonly linkTo: (path: string) => string;
}

export interface ComposedMail {
  readonly to: string;
  readonly language: Translator;
  readonly subject: string;
  readonly paragraphs: readonly Paragraph[];
  readonly headers?: Readonly<Record<string, string>>;
}
