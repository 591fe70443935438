import { defineLine, type LineOf } from '../line-format.ts';
import { id, list, text } from '../line-members.ts';
import { profileLimits } from './profile.ts';

export const profileLine = defineLine('profile', {
  contributor: id,
  about: text({ maxLength: profileLimits.about }),
  links: list({
    maxItems: profileLimits.links,
    member: text({
      maxLength: profileLimits.link,
      pattern: [/^https:\/\/\S+$/, 'an address that begins with https://'],
    }),
    uniqueBy: (link) => link,
  }),
  pinned: list({
    maxItems: profileLimits.pinned,
    member: text({ maxLength: 40, pattern: [/^[A-Za-z0-9]+$/, 'the uuid of a project'] }),
    uniqueBy: (uuid) => uuid,
  }),
});

export type ProfileLine = LineOf<typeof profileLine>;
