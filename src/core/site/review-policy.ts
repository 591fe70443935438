// Which works wait until a moderator has looked at them. The settings are those of all hosts: every host shows the same
// projects.

import { defaultReviewedWorks, type SiteSettings } from './site-fields.ts';

export interface ReviewPolicy {
  /** Undefined for all works; otherwise those of a person until so many of theirs were approved. */
  readonly works: number | undefined;
}

/** Of people whom others look after. */
export const reviewOfEverything: ReviewPolicy = { works: undefined };

/** Of copies of what was made for a group: nobody is trusted with them. */
export const reviewOfCopies: ReviewPolicy = { works: undefined };

export function findReviewPolicy({
  review = 'off',
  review_works = defaultReviewedWorks,
}: Pick<SiteSettings, 'review' | 'review_works'>): ReviewPolicy | undefined {
  return review === 'off' ? undefined : { works: review === 'first' ? review_works : undefined };
}
