/**
 * How many milliseconds a request waits for its work, or for a part of it that it can go without. Everything else follows
 * from what the work does and finds: only here does it matter how busy the machine is, so tests have other limits.
 */
export const timeLimits = {
  /** Less than the server's own timeout. A page of a stream and a part of a list have the same. */
  request: 8000,
  /** After this time, no further matches are looked for. */
  search: 2000,
  /** Then the database searches. */
  searchEngine: 1000,
  /** A text is shown as it is. */
  text: 2000,
  /** The differences of a page are left out. */
  comparison: 500,
  /** Less than that of a request, so that the client learns the reason. */
  metadata: 5000,
  preview: 5000,
  /** The projects of somebody with a new name are updated. The rest is done after the response. */
  update: 2000,
  /** A download that nobody has begun to read by then gives up its place, as after a HEAD request. */
  unreadDownload: 5000,
  /** The site where people sign in responds. Less than that of a request, for two responses. */
  signInService: 3000,
  /** An SMTP server accepts a connection. It may be silent for twice as long. */
  smtp: 10_000,
  /** A receiver of webhooks answers. */
  webhook: 10_000,
  /** A process that sends to webhooks shows that it works; after that another one sends. */
  webhookLease: 8000,
  /** A write waits for a lock of another connection. */
  lock: 5000,
  /** A server waits for its port: workers whose supervisor was killed leave it within a moment. */
  port: 1000,
  /** PostgreSQL's change log is read. */
  changeLog: 5000,
  /** A bucket responds, or sends the next bytes. */
  bucket: 10_000,
  /** Redis counts limits. Only the opening of a stream waits for it, and only if it has responded before. */
  redis: 100,
  /** A database, or Redis, shows that it works. */
  probe: 2000,
  /** A shared cache takes what it shall purge. */
  purge: 2000,
  /** A worker sends its metrics. */
  metrics: 5000,
  /** A server that stops sends its last traces. */
  traces: 1000,
  /** A server that stops writes the end of its log. */
  log: 5000,
  /** Clients close their connections to a server that stops: otherwise those that keep them open lose requests. */
  drain: 1500,
};
