// The settings of the program, besides those of the server.

import { InvalidValue } from '../../packages/common/src/inputs.ts';
import {
  defineSetting,
  defineSwitch,
  defineText,
  parseInteger,
  parseMatch,
} from '../../src/core/settings/setting-values.ts';

/** Headers of a request, one a line. */
function parseHeaders(text: string): [name: string, value: string][] {
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const [, name, value] = /^([\w!#$%&'*+.^`|~-]+):[ \t]*([\x20-\x7e]*)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) return [name, value];
      throw new InvalidValue('must be a name, a colon and a value, such as `Cookie: a=b`');
    });
}

/** A percentage, as a fraction. */
const parsePercentage = (text: string) => {
  const value = /^\d{1,3}(\.\d{1,6})?%$/.test(text) ? Number(text.slice(0, -1)) / 100 : Number.NaN;
  if (value > 0 && value <= 1) return value;
  throw new InvalidValue('must be a percentage such as 10%, more than 0% and up to 100%');
};

/** How the old site is asked. */
export const requestSettings = {
  rate: defineSetting({
    flag: 'rate',
    placeholder: 'NUMBER',
    variable: 'VITRINE_ADOPT_RATE',
    fallback: '5',
    help: 'With `adopt` and `shadow`: the maximum number of requests per second.',
    read: parseInteger(1, 1000),
  }),
  token: defineSetting({
    flag: 'token',
    placeholder: 'TOKEN',
    variable: 'VITRINE_ADOPT_TOKEN',
    help: 'With `adopt` and `shadow`: a key of the old site, sent as `Authorization: Token`.',
    read: parseMatch(/^[\x21-\x7e]*$/, 'a key without spaces'),
  }),
  login: defineSetting({
    flag: 'user',
    placeholder: 'NAME:PASSWORD',
    variable: 'VITRINE_ADOPT_USER',
    help: 'With `adopt` and `shadow`: a name and a password for the old site (HTTP Basic).',
    read: parseMatch(/^([^:\p{Cc}]+:\P{Cc}*)?$/u, 'a name, a colon and a password'),
  }),
  requestHeaders: defineSetting({
    flag: 'header',
    placeholder: "'NAME: VALUE'",
    variable: 'VITRINE_ADOPT_HEADERS',
    help: 'With `adopt` and `shadow`: a header for every request, such as a cookie; in the variable, one a line.',
    repeatable: true,
    separator: '\n',
    read: parseHeaders,
  }),
};

export const adoptSettings = {
  ...requestSettings,
  readsAll: defineSwitch(
    'all',
    'With `adopt`: read every record again, also those whose `modified` is old.',
    'VITRINE_ADOPT_ALL',
  ),
};

export const shadowSettings = {
  ...requestSettings,
  oldSite: defineText({
    flag: 'old',
    placeholder: 'URL',
    variable: 'VITRINE_SHADOW_OLD',
    help: 'With `shadow`: the address of the old API, such as https://old.example.org/api/v1/.',
  }),
  sample: defineSetting({
    flag: 'sample',
    placeholder: 'PERCENT',
    variable: 'VITRINE_SHADOW_SAMPLE',
    fallback: '100%',
    help: 'With `shadow`: how many of the requests are compared, as far as the rate allows.',
    read: parsePercentage,
  }),
  report: defineText({
    flag: 'report',
    placeholder: 'FILE',
    variable: 'VITRINE_SHADOW_REPORT',
    help: 'With `shadow`: the file for the differences; by default the database’s path with .shadow-report.ndjson.',
  }),
};
