import { OperatorError } from '#common/errors.ts';
import { emailPattern } from '#common/text-rules.ts';
import { defineCommand } from '../../core/commands/command.ts';
import { MailFailure, Sender, sendsMail } from './transport.ts';

export const mailTestCommand = defineCommand({
  usage: 'mail-test ADDRESS',
  help: 'Sends a mail to an address, to try the settings of mails; takes those of serve.',
  examples: ['vitrine mail-test me@example.org'],
  settings: ['smtp', 'mailFrom', 'publicUrl'],
  operand: 'one email address',
  async run(settings, to) {
    if (!emailPattern.test(to))
      throw new OperatorError(`ADDRESS must be an email address; it was ${JSON.stringify(to)}.`);
    const { smtp, mailFrom, publicUrl } = settings;
    if (!sendsMail(settings) || smtp === undefined)
      throw new OperatorError('mail-test needs --smtp: the server that takes mails.');
    const text = `${publicUrl} can send mails.\n`;
    const sender = new Sender(smtp, mailFrom);
    try {
      const html = `<p>${Bun.escapeHTML(text)}</p>`;
      await sender.send({ to, from: 'Vitrine', subject: 'A test', text, html });
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      throw new OperatorError(`The mail was not sent: ${error.message.replace(/\.$/, '')}.`);
    } finally {
      sender.close();
    }
    console.log(`The server has taken the mail for ${to}.`);
    return 0;
  },
});
