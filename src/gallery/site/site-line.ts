import { defineLine, type LineOf } from '../line-format.ts';
import { oneOf, text } from '../line-members.ts';
import { settingNames } from './fields.ts';

/** Of a host with settings; empty for all hosts. */
export const hostPattern = /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]+\])?$/;

/** One setting of one host; an empty host is the default for all. */
export const siteLine = defineLine('site', {
  host: text({ maxLength: 253, pattern: [hostPattern, 'a host name in lower case'] }),
  name: oneOf(settingNames),
  value: text({ minLength: 1, maxLength: 20_000 }),
});

export type SiteLine = LineOf<typeof siteLine>;
