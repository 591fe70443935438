// Sends the mails of the queue, several at a time. No request and no other process waits for it.

import type { Log } from '#common/log.ts';
import { Outage } from '#common/outage.ts';
import { readWithinTimeLimit } from '#common/request-lifetime.ts';
import type { Database } from '#sql';
import { doJobs, isTooOld, type Job } from '../../core/jobs/jobs.ts';
import type { MailDependencies } from '../../core/mail/message.ts';
import { loadQueueState, type QueuedMail, readMail } from '../../core/mail/queue.ts';
import type { CreateWork, Metric } from '../../projects/background-work.ts';
import { composeMail } from './compose.ts';
import { MailFailure, maxConnections, Sender } from './transport.ts';

const pollMs = 1000;
/** The pause after a failure of the SMTP server. */
const pauseMs = 30_000;

export class Mailer {
  /** Since the start of this process. */
  readonly counts = { sent: 0, failed: 0, given_up: 0 };
  readonly #sender: Sender;
  #timer: Timer | undefined;
  #running: Promise<boolean> | undefined;
  #isStopped = false;
  readonly #outage = new Outage(
    (error) =>
      this.log.error(
        '-',
        error instanceof MailFailure
          ? `Mails cannot be sent, and are tried again: ${error.message.replace(/\.$/, '')}.`
          : error,
      ),
    () => this.log.info('Mails are sent again.'),
  );

  constructor(
    private readonly deps: MailDependencies & { readonly smtp: string },
    private readonly log: Pick<Log, 'info' | 'error'>,
  ) {
    this.#sender = new Sender(deps.smtp, deps.settings.mailFrom);
  }

  /** Sends what is due, until `stop`. */
  start(): void {
    const run = async () => {
      const works = await this.sendDue();
      if (!this.#isStopped) this.#timer = setTimeout(run, works ? pollMs : pauseMs);
    };
    this.#timer = setTimeout(run, 0);
  }

  /** A mail that is on its way may still arrive; another process or the next start sends it again. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  /** Sends all that is due. False if the SMTP server or the database fails: what is left is tried later. */
  sendDue(): Promise<boolean> {
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = undefined;
      this.#sender.close();
    });
    return this.#running;
  }

  async #sendAll(): Promise<boolean> {
    let hasFailed = false;
    const send = async (job: Job) => {
      const result = await this.#try(job);
      hasFailed ||= result === 'server';
      return result === 'server' ? 'failed' : result;
    };
    try {
      await doJobs(this.deps.database, 'mail', send, {
        // A server that fails gets one try.
        atATime: this.#outage.isOn ? 1 : maxConnections,
        isStopped: () => this.#isStopped || hasFailed,
      });
    } catch (error) {
      this.#outage.begin(error);
      return false;
    }
    return !this.#outage.isOn;
  }

  /** `server`: the next mail would fail too. */
  async #try(job: Job): Promise<'done' | 'failed' | 'given up' | 'server'> {
    const mail = readMail(job);
    try {
      const message = await composeMail(this.deps, mail);
      if (message) {
        await this.#sender.send(message);
        this.counts.sent++;
        this.#outage.end();
      }
      return 'done';
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      return this.#recordFailure(job, mail, error);
    }
  }

  #recordFailure(job: Job, mail: QueuedMail, failure: MailFailure) {
    const { scope, message } = failure;
    this.counts.failed++;
    if (scope === 'server') this.#outage.begin(failure);
    else this.#outage.end();
    if (scope !== 'refused' && !isTooOld(job, 'mail')) return scope === 'server' ? scope : 'failed';
    this.counts.given_up++;
    this.log.error('-', `A mail (${mail.kind}) was given up: ${message}.`);
    return 'given up';
  }
}

export const createMailing: CreateWork = ({ database, settings, attempts, log }) => {
  const { smtp } = settings;
  if (smtp === undefined) return {};
  const mailer = new Mailer({ database, settings, attempts, smtp }, log);
  return {
    start() {
      mailer.start();
      return async () => mailer.stop();
    },
    metrics: listMetrics(database, mailer),
  };
};

const listMetrics = (database: Database, { counts }: Mailer): Metric[] => [
  {
    name: 'vitrine_mails_total',
    help: 'Mails that were sent, tries that failed, and mails that were given up.',
    isCounter: true,
    labelNames: ['result'],
    read(set) {
      for (const [result, count] of Object.entries(counts)) set(count, { result });
    },
  },
  {
    name: 'vitrine_mails_waiting',
    help: 'Mails that are to be sent.',
    async read(set) {
      const state = await readWithinTimeLimit(() => loadQueueState(database));
      if (state) set(state.count);
    },
  },
  {
    name: 'vitrine_mails_oldest_timestamp_seconds',
    help: 'When the oldest of them was queued.',
    async read(set) {
      const state = await readWithinTimeLimit(() => loadQueueState(database));
      if (state?.oldest) set(state.oldest / 1_000_000);
    },
  },
];
