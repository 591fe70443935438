// The settings of the limits for each client.

import { defineSetting } from './define-setting.ts';
import { parseInteger, parseLimit } from './setting-values.ts';

export const limitSettings = {
  readLimit: defineSetting({
    flag: 'read-limit',
    placeholder: 'NUMBER|off',
    variable: 'VITRINE_READ_LIMIT',
    fallback: '6000',
    help: 'The maximum number of requests per minute from one person, or from one address without an account.',
    parse: parseLimit,
  }),
  writeLimit: defineSetting({
    flag: 'write-limit',
    placeholder: 'NUMBER|off',
    variable: 'VITRINE_WRITE_LIMIT',
    fallback: '600',
    help: 'The maximum number of changes per minute by one person.',
    parse: parseLimit,
  }),
  streamLimit: defineSetting({
    flag: 'stream-limit',
    placeholder: 'NUMBER|off',
    variable: 'VITRINE_STREAM_LIMIT',
    fallback: '100',
    help: 'The maximum number of open streams of one person, or of one address without an account.',
    parse: parseLimit,
  }),
  signInLimit: defineSetting({
    flag: 'sign-in-limit',
    placeholder: 'NUMBER',
    variable: 'VITRINE_SIGN_IN_LIMIT',
    fallback: '10',
    help: 'The maximum number of wrong passwords for one name from one address in 15 minutes.',
    parse: parseInteger(1, 1_000_000),
  }),
};
