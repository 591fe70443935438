// The filters of a list that neither its heading nor its other controls show, each with a link to the list without it.

import { urlWithParameters } from '#rest/request-url.ts';
import { displayName } from '../../../core/contributors/contributor.ts';
import { findContributor } from '../../../core/contributors/find-contributors.ts';
import { parseId } from '../../../core/ids.ts';
import { freeLicenses } from '../../../core/licenses.ts';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../../core/pages/page.ts';
import type { Project } from '../../project.ts';
import { findIfVisible } from '../project/find-project.ts';
import type { ListQuery } from './list-query.ts';

interface ChosenFilter {
  readonly name: string;
  readonly href: string;
}

/** The filters that a heading can name: it names the first of them. */
const inHeading = ['search', 'tags', 'collection', 'copied_from'] as const;

export async function loadChosenFilters(
  context: PageContext,
  { filters, query }: ListQuery,
  collection: Project | undefined,
): Promise<ChosenFilter[]> {
  const named = inHeading.find((name) => filters.has(name));
  const names = [...filters.keys()].filter((name) => name !== named && name !== 'content_type');
  return Promise.all(
    names.map(async (name) => ({
      name: await describeFilter(context, name, filters.get(name)?.text ?? '', collection),
      href: urlWithParameters('/', query, { [name]: '' }),
    })),
  );
}

async function describeFilter(
  { database, viewer, t }: PageContext,
  name: string,
  text: string,
  collection: Project | undefined,
): Promise<string> {
  if (name === 'tags') return text;
  if (name === 'copied_from') return t('home.remixes');
  if (name === 'collection' && collection) return collection.title;
  if (name === 'license__in' && text === freeLicenses.join()) return t('home.freeToReuse');
  if (name === 'license' || name === 'license__in') return text.replaceAll(',', ', ');
  const id = name === 'contributor' ? parseId(text) : undefined;
  const person = id === undefined ? undefined : await findIfVisible(findContributor(database, viewer, id));
  return person ? displayName(person) : `${name}: ${text}`;
}

export function ChosenFilters({ filters }: { filters: readonly ChosenFilter[] }) {
  const { t } = useLanguage();
  if (filters.length === 0) return null;
  return (
    <ul class="tags chosen">
      {filters.map(({ name, href }) => (
        <li>
          <a href={href} aria-label={t('home.removeFilter', { name })}>
            <bdi>{name}</bdi> <span aria-hidden="true">×</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
