// Sends the mails of the queue, one after another. No request and no other process waits for it.

import type { Log } from '../common/log.ts';
import { claimMail, deleteMail, isTooOld, type QueuedMail } from '../gallery/mail/queue.ts';
import { composeMail } from './kinds.ts';
import type { MailDependencies } from './message.ts';
import { type FailureScope, MailFailure, Sender } from './transport.ts';

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
  #isFailing = false;

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
    try {
      while (!this.#isStopped) {
        const mail = await claimMail(this.deps.database);
        if (!mail) return !this.#isFailing;
        if (!(await this.#try(mail))) return false;
      }
    } catch (error) {
      // Reported once: the next attempts would repeat it.
      if (!this.#isFailing) this.log.error('-', error);
      this.#isFailing = true;
      return false;
    }
    return true;
  }

  /** False if the next mail would fail too. */
  async #try(mail: QueuedMail): Promise<boolean> {
    try {
      const message = await composeMail(this.deps, mail);
      if (message) {
        await this.#sender.send(message);
        this.counts.sent++;
        this.#reportServer(undefined);
      }
      await deleteMail(this.deps.database, mail);
      return true;
    } catch (error) {
      if (!(error instanceof MailFailure)) throw error;
      await this.#recordFailure(mail, error);
      return error.scope !== 'server';
    }
  }

  async #recordFailure(mail: QueuedMail, { scope, message }: MailFailure): Promise<void> {
    this.counts.failed++;
    if (scope === 'server') this.#reportServer(message);
    else this.#reportServer(undefined);
    if (!isGivenUp(mail, scope)) return;
    this.counts.given_up++;
    this.log.error('-', `A mail (${mail.kind}) was given up: ${message}.`);
    await deleteMail(this.deps.database, mail);
  }

  /** Says once that the server fails, and once that it works again. */
  #reportServer(problem: string | undefined): void {
    if (problem !== undefined && !this.#isFailing)
      this.log.error('-', `Mails cannot be sent, and are tried again: ${problem.replace(/\.$/, '')}.`);
    if (problem === undefined && this.#isFailing) this.log.info('Mails are sent again.');
    this.#isFailing = problem !== undefined;
  }
}

const isGivenUp = (mail: QueuedMail, scope: FailureScope): boolean => scope === 'refused' || isTooOld(mail);
