// Hands mails to the SMTP server of the operator.

import { errorMessage, OperatorError } from '#common/errors.ts';
import { withoutBrackets } from '#common/networks.ts';
import { timeLimits } from '#common/time-limits.ts';
import { mailRetry } from '../../core/jobs/jobs.ts';
import type { MailSettings, Message } from '../../core/mail/message.ts';

/** `server`: it fails for all mails. `mail`: only for this one, for now. `refused`: this one will never be taken. */
export type FailureScope = 'server' | 'mail' | 'refused';

export class MailFailure extends Error {
  constructor(
    readonly scope: FailureScope,
    message: string,
  ) {
    super(message);
  }
}

/** Throws if settings are missing; false if the server sends no mails. */
export function sendsMail({ smtp, mailFrom, publicUrl }: MailSettings): boolean {
  if (smtp === undefined) return false;
  if (mailFrom === '')
    throw new OperatorError('--smtp needs --mail-from: the email address that mails come from.');
  if (publicUrl === '') throw new OperatorError('--smtp needs --public-url: the address for links in mails.');
  return true;
}

/** An attempt ends before another process may begin the next one. */
const tryMs = (mailRetry.first * 1000) / 2;
/** How many mails are sent at a time. */
export const maxConnections = 5;

const isThisMachine = (host: string) => /^(localhost|127\.[\d.]+|\[::1\])$/.test(host);

export class Sender {
  #transport: ReturnType<typeof connect> | undefined;

  constructor(
    private readonly smtp: string,
    private readonly address: string,
  ) {}

  /** Throws a MailFailure. Mails that follow each other share a connection. */
  async send({ from, headers, ...message }: Message): Promise<void> {
    try {
      this.#transport ??= connect(this.smtp);
      const transport = await this.#transport;
      await transport.sendMail({
        ...message,
        from: { name: from, address: this.address },
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        signal: AbortSignal.timeout(tryMs),
      });
    } catch (error) {
      const failure = toFailure(error);
      if (failure.scope === 'server') this.close();
      throw failure;
    }
  }

  /** Connects and signs in, without a mail. Throws a MailFailure. */
  async verify(): Promise<void> {
    this.#transport ??= connect(this.smtp);
    await (await this.#transport).verify().catch((error) => {
      throw toFailure(error);
    });
  }

  /** Ends the connection; the next mail begins another one. */
  close(): void {
    void this.#transport?.then((transport) => transport.close());
    this.#transport = undefined;
  }
}

async function connect(smtp: string) {
  const { protocol, hostname, port, username, password } = new URL(smtp);
  const isEncrypted = protocol === 'smtps:';
  // Most servers send no mails.
  const { createTransport } = await import('nodemailer');
  return createTransport({
    pool: true,
    maxConnections,
    host: withoutBrackets({ hostname }),
    port: Number(port) || (isEncrypted ? 465 : 587),
    secure: isEncrypted,
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    // A password is never sent in plain text.
    requireTLS: username !== '' && !isEncrypted,
    tls: { rejectUnauthorized: username !== '' || isEncrypted || !isThisMachine(hostname) },
    connectionTimeout: timeLimits.smtp,
    greetingTimeout: timeLimits.smtp,
    dnsTimeout: timeLimits.smtp,
    socketTimeout: 2 * timeLimits.smtp,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** The words of the server about one mail may name its recipient, and stay out of the log. */
function toFailure(error: unknown): MailFailure {
  const { code, command, responseCode } = error as { code?: string; command?: string; responseCode?: number };
  const isAboutMail =
    responseCode !== undefined && (code === 'EMESSAGE' || (code === 'EENVELOPE' && command === 'RCPT TO'));
  if (isAboutMail)
    return new MailFailure(responseCode >= 500 ? 'refused' : 'mail', `the server answered ${responseCode}`);
  const reason = errorMessage(error).replaceAll(/\s+/g, ' ').slice(0, 300);
  return new MailFailure('server', code ? `${code}: ${reason}` : reason);
}
