import { expect, test } from 'bun:test';
import { Unavailable } from '#common/errors.ts';
import { createLog } from '#common/log.ts';

function logLine(error: unknown): string {
  let text = '';
  const write = (written: string) => {
    text += written;
  };
  const log = createLog({ isTTY: true, write });
  log.error('7', error);
  log.flush();
  return text;
}

test('the cause of an outage is logged with its code', () => {
  const cause = Object.assign(new Error('terminating connection due to administrator command'), {
    code: 'ERR_POSTGRES_SERVER_ERROR',
    errno: '57P01',
  });
  expect(logLine(new Unavailable(cause))).toBe(
    'fault in 7: Service temporarily unavailable, try again later. Cause: ERR_POSTGRES_SERVER_ERROR 57P01 terminating connection due to administrator command\n',
  );
});

test.each([
  'connect ECONNREFUSED 10.1.2.3:5432',
  'connect ECONNREFUSED 10.1.2.3.',
  'connect ECONNREFUSED ::1',
  'connect ECONNREFUSED [2001:db8::7]:443',
])('the log has no network address: %s', (message) => {
  expect(logLine(new Unavailable(new Error(message)))).toMatch(
    /Cause: connect ECONNREFUSED \[?\(address\)\]?\S*\n$/,
  );
});

test('the log has no password of a URL, and keeps times', () => {
  const cause = new Error('postgres://vitrine:secret@db.example/gallery failed at 12:30:45');
  expect(logLine(new Unavailable(cause))).toEndWith(
    'Cause: postgres://db.example/gallery failed at 12:30:45\n',
  );
});

/** What a request and an event write. */
function logAll(isTTY: boolean): string {
  const written: string[] = [];
  const log = createLog({ isTTY, write: (text: string) => written.push(text) });
  log.request('a-1', 'GET', '/', 200, 1.5, 7);
  log.request('a-2', 'GET', '/', 200, 1.5);
  log.event({ event: 'signed in', actor: 7, contributor: 7 });
  log.flush();
  return written.join('');
}

test('a line for a log collector is JSON and names the sender', () => {
  const time = expect.any(Number);
  const request = { time, level: 'info', method: 'GET', path: '/', status: 200, us: 1500 };
  const lines = logAll(false).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { ...request, id: 'a-1', actor: 7 },
    { ...request, id: 'a-2' },
    { time, level: 'info', event: 'signed in', actor: 7, contributor: 7 },
  ]);
});

test('a line on a terminal says the same', () => {
  expect(logAll(true)).toBe(
    '200 GET / 1.5 ms a-1 by 7\n200 GET / 1.5 ms a-2\nsigned in actor=7 contributor=7\n',
  );
});
