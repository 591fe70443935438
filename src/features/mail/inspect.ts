import { reasonOf } from '#common/errors.ts';
import type { Inspection } from '#sql/open';
import type { MailSettings } from '../../core/mail/message.ts';
import { Sender, sendsMail } from './transport.ts';

/** Connects to the SMTP server and signs in. */
export async function inspectMail(settings: MailSettings): Promise<Inspection> {
  const { smtp, mailFrom } = settings;
  if (!sendsMail(settings) || smtp === undefined) return { facts: [], findings: [] };
  const sender = new Sender(smtp, mailFrom);
  try {
    await sender.verify();
    return { facts: [`the SMTP server takes mails from ${mailFrom}`], findings: [] };
  } catch (error) {
    const problem = `Mails cannot be sent: ${reasonOf(error)}.`;
    return { facts: [], findings: [{ problem, advice: 'Check --smtp, and try it with vitrine mail-test.' }] };
  } finally {
    sender.close();
  }
}
