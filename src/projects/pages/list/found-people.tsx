// The people whom a search of projects finds.

import { searchContributors } from '../../../core/contributors/search.ts';
import { ContributorLink } from '../../../core/pages/layout/components.tsx';
import type { PageContext } from '../../../core/pages/page.ts';

const maxPeople = 6;

/** Undefined if there is nobody. */
export async function findPeople({ database, viewer, t }: PageContext, search: string) {
  const people = await searchContributors(database, viewer, search, maxPeople);
  if (people.length === 0) return undefined;
  return (
    <section aria-labelledby="people">
      <h2 id="people" class="visually-hidden">
        {t('layout.people')}
      </h2>
      <ul class="tags found-people">
        {people.map((person) => (
          <li>
            <ContributorLink project={person} hasAvatar hasUsername />
          </li>
        ))}
      </ul>
    </section>
  );
}
