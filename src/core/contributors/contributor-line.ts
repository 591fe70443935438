import { defineLine, id, instant, type LineOf, oneOf, optional, text } from '../dump/line-format.ts';
import { contributorLimits, type FullContributor, shownNames, usernamePattern } from './contributor.ts';

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
  shown_name: optional(oneOf(shownNames)),
});

export type ContributorLine = LineOf<typeof contributorLine>;

/** With the full name, also if it is hidden. */
export function formatContributorLine(
  contributor: Omit<FullContributor, 'first_name' | 'last_name'>,
): string {
  const { full_first_name, full_last_name, shown_name, ...rest } = contributor;
  return contributorLine.stringify({
    ...rest,
    first_name: full_first_name,
    last_name: full_last_name,
    shown_name: shown_name === 'full' ? null : shown_name,
  });
}
