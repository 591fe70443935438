// A real SMTP server in the process of the test, which keeps what it gets.

import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { SignInAttempts } from '../../src/core/accounts/sign-in-attempts.ts';
import { pickSettings, readSettings } from '../../src/core/settings/settings.ts';
import { Mailer } from '../../src/features/mail/mailer.ts';
import { closeLater } from './closing.ts';
import type { Kind } from './databases.ts';
import { emptyGallery } from './galleries.ts';
import { type Site, siteAt } from './site.ts';

export interface ReceivedMail {
  readonly to: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly html: string;
  readonly isEncrypted: boolean;
  /** The path and query of the links in the text. */
  readonly links: readonly string[];
}

export interface Smtp {
  readonly port: number;
  /** In the order in which they were queued: several are sent at a time. */
  readonly mails: ReceivedMail[];
  /** Answers recipients with this code from now on; 0 takes them. */
  refuseWith(code: number): void;
  stop(): Promise<void>;
}

export async function startSmtp({ port = 0, startTls = false, user = '' } = {}): Promise<Smtp> {
  const mails: ReceivedMail[] = [];
  let code = 0;
  const server = new SMTPServer({
    logger: false,
    authOptional: user === '',
    disabledCommands: startTls ? [] : ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username }, _, done) => done(null, { user: username }),
    onRcptTo: (_, __, done) => (code ? done(Object.assign(new Error('no'), { responseCode: code })) : done()),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const [to] = session.envelope.rcptTo;
        mails.push(readMail(to?.address ?? '', Buffer.concat(chunks).toString(), session.secure));
        mails.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
        done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  let stopping: Promise<void> | undefined;
  const stop = () => {
    stopping ??= new Promise((resolve) => server.close(resolve));
    return stopping;
  };
  closeLater(stop);
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    refuseWith(refusal) {
      code = refusal;
    },
    stop,
  };
}

/** Ids grow. */
const idOf = ({ headers }: ReceivedMail) => headers.get('message-id') ?? '';

function readMail(to: string, source: string, isEncrypted: boolean): ReceivedMail {
  const { headers, body } = splitPart(source);
  const boundary = /boundary="(.+?)"/.exec(headers.get('content-type') ?? '')?.[1];
  const parts = body.split(`--${boundary}`).map((part) => splitPart(part.trimStart()));
  const bodyOf = (type: string) =>
    decodeBody(parts.find((part) => part.headers.get('content-type')?.startsWith(type)));
  const text = bodyOf('text/plain');
  const links = [...text.matchAll(/^https?:\/\/[^/]+(\/\S*)$/gm)].map(([, path = '']) => path);
  return { to, headers, text, html: bodyOf('text/html'), isEncrypted, links };
}

interface Part {
  readonly headers: Map<string, string>;
  readonly body: string;
}

function splitPart(source: string): Part {
  const [head = '', ...rest] = source.split('\r\n\r\n');
  const lines = head.replaceAll(/\r\n[ \t]+/g, ' ').split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), decodeWords(value.join(': '))];
  });
  return { headers: new Map(headers), body: rest.join('\r\n\r\n') };
}

const decodeQuoted = (text: string) =>
  Buffer.from(
    text
      .replaceAll(/=\r\n/g, '')
      .replaceAll(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

const decodeWords = (text: string) =>
  text
    .replaceAll(/\?= =\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?(Q|B)\?(.*?)\?=/gi, (_, encoding, word) =>
      encoding.toUpperCase() === 'Q'
        ? decodeQuoted(word.replaceAll('_', ' '))
        : Buffer.from(word, 'base64').toString(),
    );

function decodeBody(part: Part | undefined): string {
  if (!part) return '';
  const encoding = part.headers.get('content-transfer-encoding');
  const { body } = part;
  const text =
    encoding === 'quoted-printable'
      ? decodeQuoted(body)
      : encoding === 'base64'
        ? Buffer.from(body, 'base64').toString()
        : body;
  return text.replaceAll('\r\n', '\n').trimEnd();
}

export interface MailSite {
  readonly site: Site;
  readonly smtp: Smtp;
  /** Sends what is due; false if the server failed. */
  readonly sendDue: () => Promise<boolean>;
  readonly mailer: Mailer;
  /** Another process that sends mails of the same gallery. */
  readonly anotherMailer: () => Mailer;
}

/** A site that sends its mails to a server of the test. */
export async function mailSite(
  kind: Kind,
  {
    dump = '',
    environment = {},
    address,
    peer,
    smtp: options = {},
  }: {
    dump?: string;
    /** Of a gallery that exists. */
    address?: string;
    environment?: Record<string, string>;
    /** The address from which requests come. */
    peer?: string;
    smtp?: Parameters<typeof startSmtp>[0];
  } = {},
): Promise<MailSite> {
  const smtp = await startSmtp(options);
  const variables = {
    VITRINE_SMTP: `smtp://${options.user ? `${options.user}:secret@` : ''}127.0.0.1:${smtp.port}`,
    VITRINE_MAIL_FROM: 'gallery@example.org',
    VITRINE_PUBLIC_URL: 'https://gallery.example',
    VITRINE_SIGN_UP: 'open',
    ...environment,
  };
  const site = await siteAt(address ?? (await emptyGallery(kind)), {
    dump,
    environment: variables,
    ...(peer && { peer }),
  });
  const { settings } = readSettings(
    pickSettings(['smtp', 'mailFrom', 'publicUrl', 'timeZone']),
    [],
    variables,
  );
  const attempts = new SignInAttempts(site.database, 'signed in tests', {
    signInLimit: 100,
    sharedNetworks: [],
  });
  const log = {
    info: (message: string) => void site.logged.push(message),
    error: (_: string, error: unknown) => void site.logged.push(String(error)),
  };
  const createMailer = () =>
    new Mailer(
      { database: site.database, settings, attempts, smtp: settings.smtp ?? 'smtp://localhost' },
      log,
    );
  const mailer = createMailer();
  return { site, smtp, mailer, sendDue: () => mailer.sendDue(), anotherMailer: createMailer };
}
