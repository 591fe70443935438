// A mail as plain text and as simple HTML, from the same paragraphs.

import type { Database } from '#sql';
import type { SignInAttempts } from '../accounts/sign-in-attempts.ts';
import type { Settings } from '../settings/settings.ts';
import type { Translator } from '../texts/translator.ts';
import type { QueuedMail } from './queue.ts';

interface MailLink {
  readonly href: string;
  /** In plain text it is before the address; in HTML it is the text of the link. */
  readonly label?: string;
}

type Paragraph = string | MailLink;

export function toPlainText(paragraphs: readonly Paragraph[]): string {
  const texts = paragraphs.map((paragraph) => {
    if (typeof paragraph === 'string') return paragraph;
    const { label, href } = paragraph;
    return label === undefined ? href : `${label}\n${href}`;
  });
  return `${texts.join('\n\n')}\n`;
}

export function toHtml(language: Translator, title: string, paragraphs: readonly Paragraph[]): string {
  const texts = paragraphs.map((paragraph) => {
    if (typeof paragraph === 'string') return `<p>${Bun.escapeHTML(paragraph)}</p>`;
    const { label, href } = paragraph;
    return `<p><a href="${Bun.escapeHTML(href)}">${Bun.escapeHTML(label ?? href)}</a></p>`;
  });
  return `<!doctype html>
<html lang="${language.code}" dir="${language.direction ?? 'ltr'}">
<head><meta charset="utf-8"><title>${Bun.escapeHTML(title)}</title></head>
<body>
${texts.join('\n')}
</body>
</html>
`;
}

// The data and the result of the functions that write mails.

export type MailSettings = Settings<'smtp' | 'mailFrom' | 'publicUrl'>;

export interface MailDependencies {
  readonly database: Database;
  readonly settings: MailSettings & Settings<'timeZone'>;
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

/** As it goes to the server that takes mails. */
export interface Message {
  readonly to: string;
  /** The name of the sender: the site's. */
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly messageId?: string;
}

/** Undefined if there is nothing to send. */
export type Compose = (context: MailContext) => Promise<ComposedMail | undefined>;

declare module '../feature.ts' {
  interface Feature {
    readonly mails?: Readonly<
      Record<
        string,
        {
          /** About an event of an account: the owner gets few of them. */
          readonly isNotice?: true;
          load(): Promise<Compose>;
        }
      >
    >;
  }
}
