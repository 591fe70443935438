import { expect, test } from 'bun:test';
import { Unavailable } from '../src/errors.ts';
import { createLog } from '../src/log.ts';

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
