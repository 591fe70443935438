import { OperatorError } from '#common/errors.ts';
import { emailPattern } from '#common/text-rules.ts';
import { inspectDatabase } from '#sql/open';
import { defineCommand } from '../../core/commands/command.ts';
import { schema } from '../../core/schema.ts';
import { MailFailure, Sender, sendsMail } from '../../features/mail/transport.ts';
import { inspectFiles, inspectMachine, inspectMail, inspectRedis, inspectSettings } from './inspections.ts';
import { scheduleSettings } from './scheduled-commands.ts';
import { serverSettings } from './serve.ts';

export const doctorCommand = defineCommand({
  usage: 'doctor',
  help: 'Looks at settings, database, disk, memory and clock, also while a server runs, and says what to do; takes the options of serve. Exit code 1 if something is wrong, 2 if it cannot look.',
  examples: ['vitrine doctor', 'vitrine doctor --host 0.0.0.0 --allowed-host gallery.example.org'],
  settings: [...serverSettings, ...scheduleSettings, 'json'],
  async run(settings) {
    const inspections = {
      Settings: { facts: [], findings: inspectSettings(settings) },
      Database: await inspectDatabase(settings.database, { schema, ...settings }),
      Files: await inspectFiles(settings),
      Mail: await inspectMail(settings),
      ...(settings.redis && { Redis: await inspectRedis(settings) }),
      Machine: inspectMachine(settings),
    };
    const findings = Object.values(inspections).flatMap(({ findings }) => findings);
    if (settings.json) {
      console.log(JSON.stringify(inspections, null, 2));
      return findings.length === 0 ? 0 : 1;
    }
    for (const [name, { facts }] of Object.entries(inspections))
      if (facts.length > 0) console.log(`${name}: ${facts.join(', ')}.`);
    for (const { problem, advice } of findings) console.log(`- ${problem}\n  ${advice}`);
    if (findings.length === 0) console.log('All is well.');
    return findings.length === 0 ? 0 : 1;
  },
});

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
