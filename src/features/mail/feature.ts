import type { Feature } from '../../core/feature.ts';
import { deleteOldJobs } from '../../core/jobs/jobs.ts';
import { mailTestCommand } from './command.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';
import { sendsMail } from './transport.ts';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    mail: typeof en;
  }
}

export const mail: Feature = {
  name: 'mail',
  does: 'The server sends the mails that wait, by the SMTP server of the operator.',
  neededBecause: 'people confirm addresses and get new passwords by mail',
  tasks: {
    old_mails: {
      everyMs: 3600_000,
      async run(database, _, logError) {
        const old = await deleteOldJobs(database, 'mail');
        if (old > 0)
          logError(`No server has taken the mails of more than three days ago: ${old} were dropped.`);
      },
    },
  },
  work: async () => (await import('./mailer.ts')).createMailing,
  checkSettings: sendsMail,
  inspections: { Mail: async (settings) => (await import('./inspect.ts')).inspectMail(settings) },
  commands: [{ after: 'doctor', name: 'mail-test', command: mailTestCommand }],
  texts: { en, de, es, ar },
};
