// Vitrine as tests start it: with the time limits that the test gives to it, because a machine may be busy, and then with
// passwords like those of the process that tests.

import { timeLimits } from '#common/time-limits.ts';
import { hashPasswordsQuickly } from './passwords.ts';

const limits = process.env.TEST_TIME_LIMITS;
if (limits) {
  Object.assign(timeLimits, JSON.parse(limits));
  hashPasswordsQuickly();
}
await import('../../src/main.ts');
