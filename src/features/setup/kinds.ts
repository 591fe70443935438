// The kinds of galleries, and the settings that suit each. All can be changed afterwards.

import type { ShownName } from '../../core/contributors/contributor.ts';
import type { looks, ratingStyles, reviewScopes, SignUpPolicy } from '../../core/site/site-fields.ts';
import type { SiteKind } from '../../core/site/site-kinds.ts';

interface KindSettings {
  readonly sign_up: SignUpPolicy;
  readonly names: ShownName;
  readonly review: (typeof reviewScopes)[number];
  readonly ratings: (typeof ratingStyles)[number];
  readonly look: (typeof looks)[number];
  readonly types?: string;
}

/** Without `types`, all are offered. */
export const siteKinds: Record<SiteKind, KindSettings> = {
  /** Pupils, whom a teacher invites. */
  class: {
    sign_up: 'invitation',
    names: 'username',
    review: 'first',
    ratings: 'heart',
    look: 'playground',
  },
  /** Anybody who comes in. */
  makerspace: { sign_up: 'open', names: 'username', review: 'first', ratings: 'stars', look: 'dusk' },
  /** Finished works of people who are known. */
  showcase: {
    sign_up: 'closed',
    names: 'full',
    review: 'off',
    ratings: 'heart',
    look: 'daylight',
    types: 'text,photo,link,video,document',
  },
  /** Colleagues. */
  company: {
    sign_up: 'invitation',
    names: 'full',
    review: 'off',
    ratings: 'stars',
    look: 'daylight',
    types: 'text,photo,question,link,video,document',
  },
};
