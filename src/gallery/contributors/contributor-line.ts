import { defineLine, type LineOf } from '../line-format.ts';
import { id, instant, text } from '../line-members.ts';
import { contributorLimits, usernamePattern } from './contributor.ts';

const name = text({ maxLength: contributorLimits.name, isSingleLine: true });

export const contributorLine = defineLine('contributor', {
  id,
  username: text({
    minLength: 1,
    maxLength: contributorLimits.username,
    pattern: [usernamePattern, 'letters, digits and @ . + - _'],
  }),
  first_name: name,
  last_name: name,
  created: instant,
});

export type ContributorLine = LineOf<typeof contributorLine>;
