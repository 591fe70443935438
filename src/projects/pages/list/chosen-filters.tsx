// The filters of a list that neither its heading nor its other controls show, each with a link to the list without it.

import { urlWithParameters } from '#rest/request-url.ts';
import type { ContentType } from '../../../core/content-types.ts';
import { displayName } from '../../../core/contributors/contributor.ts';
import { findContributor, listContributors } from '../../../core/contributors/find-contributors.ts';
import { parseId } from '../../../core/ids.ts';
import { formatInstant, type Instant } from '../../../core/instant.ts';
import { aboutLicense, freeLicenses, type License } from '../../../core/licenses.ts';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../../core/pages/page.ts';
import { type Status, statusNames } from '../../../core/project-status.ts';
import type { Project } from '../../project.ts';
import type { AppliedFilter } from '../../reading/tagged-projects.ts';
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
  const chosen = [...filters].filter(([name]) => name !== named && name !== 'content_type');
  return Promise.all(
    chosen.map(async ([name, filter]) => ({
      name: await describeFilter(context, name, filter, collection),
      href: urlWithParameters('/', query, { [name]: '' }),
    })),
  );
}

async function describeFilter(
  context: PageContext,
  name: string,
  { text, value }: AppliedFilter,
  collection: Project | undefined,
): Promise<string> {
  const { t, layout } = context;
  if (/^(created|modified)__/.test(name)) return describeTime(context, name as TimeFilter, value as Instant);
  switch (name) {
    case 'copied_from':
      return t('home.remixes');
    case 'collection':
      return collection?.title ?? t('type.collection');
    case 'license':
    case 'license__in':
      return text === freeLicenses.join()
        ? t('home.freeToReuse')
        : describeLicenses([value].flat() as License[]);
    case 'content_type__in':
      return (value as ContentType[]).map((type) => t(`type.${type}.many`)).join(layout.language.comma);
    case 'visibility':
      return t(`visibility.${value as Project['visibility']}`);
    case 'status':
      return t(`status.${statusNames[value as Status]}`);
    case 'contributor':
      return describePerson(context, text);
    case 'id__in':
    case 'uuid':
    case 'slug':
      return t(`filters.${name}`, { text });
    default:
      return text;
  }
}

type TimeFilter = `${'created' | 'modified'}__${'gt' | 'gte' | 'lt' | 'lte'}`;

/** The beginning of a day needs no time of day, unless that moment itself is what counts. */
function describeTime({ t, layout }: PageContext, name: TimeFilter, instant: Instant): string {
  const { formatDate, formatDateTime } = layout.language;
  const iso = formatInstant(instant, layout.timeZone);
  const isWholeDay = /__(gte|lt)$/.test(name) && iso.slice(11, 26) === '00:00:00.000000';
  return t(`filters.${name}`, { date: isWholeDay ? formatDate(iso) : formatDateTime(iso) });
}

const describeLicenses = (licenses: readonly License[]) =>
  licenses.map((license) => aboutLicense(license).name).join(', ');

/** Whom the viewer does not find is called as the address calls them. */
async function describePerson({ database, viewer, t }: PageContext, text: string): Promise<string> {
  if (text === 'me') return t('filters.mine');
  const id = parseId(text);
  const person =
    id === undefined
      ? (await listContributors(database, viewer, text).page(0, 1))[0]
      : await findIfVisible(findContributor(database, viewer, id));
  return person ? displayName(person) : t('filters.contributor', { text });
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
