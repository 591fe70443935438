// The controls above a list: types, filters and orders. Each is a link, or a field of one form, and keeps the rest of the list.

import { urlWithParameters } from '#rest/request-url.ts';
import { contentTypes } from '../../../core/content-types.ts';
import { aboutLicense, freeLicenses, licenseNames } from '../../../core/licenses.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { LinkItem } from '../../../core/pages/layout/components.tsx';
import { type LayoutData, useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import { isTypeOffered } from '../../../core/site/site-fields.ts';

/** Collections of the viewer's to which they may narrow a list. */
export interface CollectionChoice {
  readonly label: string;
  readonly collections: readonly { readonly id: number; readonly title: string }[];
}

interface ListFiltersProps {
  /** Has the filters and the order of the list. */
  readonly search: string;
  readonly choices: readonly CollectionChoice[];
  /** In the time zone of the site. */
  readonly today: string;
}

interface PartProps extends ListFiltersProps {
  readonly query: URLSearchParams;
}

export function ListFilters(listed: ListFiltersProps) {
  const query = new URLSearchParams(listed.search);
  const props = { ...listed, query };
  const { language, site } = useLayout();
  const { t } = language;
  const type = query.get('content_type') ?? '';
  const types = contentTypes.filter((name) => name === type || isTypeOffered(site.types, name));
  return (
    <div class="list-filters">
      <nav aria-label={t('home.types')}>
        <ul class="types">
          {(['', ...types] as const).map((name) => (
            <LinkItem
              href={urlWithParameters('/', query, { content_type: name })}
              current={name === type && 'true'}
            >
              {t(name === '' ? 'home.everything' : `type.${name}.many`)}
            </LinkItem>
          ))}
        </ul>
      </nav>
      <details class="menu filters">
        <summary>{t('filters.title')}</summary>
        <div>
          <Periods {...props} />
          <FilterForm {...props} />
        </div>
      </details>
      <Orders {...props} />
    </div>
  );
}

export const VisitorListFilters = cached(ListFilters);

const periods = [
  ['filters.week', { days: 7 }],
  ['filters.month', { days: 30 }],
  ['filters.year', { months: 12 }],
] as const;

function Periods({ query, today }: PartProps) {
  const { t } = useLanguage();
  const date = Temporal.PlainDate.from(today);
  return (
    <nav aria-label={t('filters.when')}>
      <ul class="tags">
        {periods.map(([label, length]) => {
          const created__gte = date.subtract(length).toString();
          const isCurrent = query.get('created__gte') === created__gte && !query.has('created__lt');
          return (
            <LinkItem
              href={urlWithParameters('/', query, { created__gte, created__lt: '' })}
              current={isCurrent && 'true'}
            >
              {t(label)}
            </LinkItem>
          );
        })}
      </ul>
    </nav>
  );
}

function FilterForm({ query, choices }: PartProps) {
  const { viewer, site, language } = useLayout();
  const { t } = language;
  const value = (name: string) => query.get(name) ?? '';
  const hasLicenses = query.has('license__in') || Boolean(site.license || site.licenses);
  const offersMine = viewer.contributor !== null && ['', 'me'].includes(value('contributor'));
  const shownChoices = choices.filter(({ collections }) =>
    ['', ...collections.map(({ id }) => String(id))].includes(value('collection')),
  );
  const fields = [
    ...['created__gte', 'created__lt', 'tags'],
    ...(hasLicenses ? ['license__in'] : []),
    ...(offersMine ? ['contributor'] : []),
    ...(shownChoices.length > 0 ? ['collection'] : []),
  ];
  return (
    <form action="/">
      {[...query].map(
        ([name, text]) => !fields.includes(name) && <input type="hidden" name={name} value={text} />,
      )}
      <div class="dates">
        {(['created__gte', 'created__lt'] as const).map((name) => (
          <label class="form-field">
            <b>{t(name === 'created__gte' ? 'filters.from' : 'filters.before')}</b>
            <input type="date" name={name} value={value(name).slice(0, 10)} />
          </label>
        ))}
      </div>
      <label class="form-field">
        <b>{t('filters.tags')}</b>
        <input type="text" name="tags" value={value('tags')} dir="auto" />
      </label>
      {hasLicenses && (
        <Choice
          name="license__in"
          label={t('project.license')}
          chosen={value('license__in')}
          options={listLicenses(value('license__in'), site, t('home.freeToReuse'))}
        />
      )}
      {shownChoices.map(({ label, collections }) => (
        <Choice
          name="collection"
          label={label}
          chosen={value('collection')}
          options={collections.map(({ id, title }) => [String(id), title])}
        />
      ))}
      {offersMine && (
        <label>
          <input type="checkbox" name="contributor" value="me" checked={value('contributor') === 'me'} />{' '}
          {t('filters.onlyMine')}
        </label>
      )}
      <button type="submit">{t('filters.show')}</button>
    </form>
  );
}

type Option = readonly [value: string, label: string];

function listLicenses(chosen: string, { licenses }: LayoutData['site'], free: string): Option[] {
  const options: Option[] = [
    [freeLicenses.join(), free],
    ...(licenses ?? licenseNames).map((name): Option => [name, aboutLicense(name).name]),
  ];
  return chosen === '' || options.some(([value]) => value === chosen)
    ? options
    : [[chosen, chosen], ...options];
}

interface ChoiceProps {
  readonly name: string;
  readonly label: string;
  readonly chosen: string;
  readonly options: readonly Option[];
}

const Choice = ({ name, label, chosen, options }: ChoiceProps) => (
  <label class="form-field">
    <b>{label}</b>
    <select name={name}>
      <option value="">{useLanguage().t('filters.any')}</option>
      {options.map(([value, text]) => (
        <option value={value} selected={value === chosen}>
          {text}
        </option>
      ))}
    </select>
  </label>
);

/** Newest first is the order of a list that has none of its own. */
function listOrders(query: URLSearchParams, site: LayoutData['site']) {
  const own = query.has('search')
    ? 'home.bestMatch'
    : query.has('collection')
      ? 'home.collectionOrder'
      : undefined;
  return [
    ...(own ? ([['', own]] as const) : []),
    [own ? '-created' : '', 'home.newest'],
    ['created', 'home.oldest'],
    ['-rating_sum', site.ratings === 'heart' ? 'home.mostHearts' : 'home.topRated'],
    ['title', 'home.byTitle'],
  ] as const;
}

function Orders({ query }: PartProps) {
  const ordering = query.get('ordering') ?? '';
  const { language, site } = useLayout();
  const { t } = language;
  const orders = listOrders(query, site);
  const [, current = 'home.sort'] = orders.find(([name]) => name === ordering) ?? [];
  return (
    <details class="menu">
      <summary>{t(current)}</summary>
      <nav aria-label={t('home.sortBy')}>
        <ul>
          {orders.map(([name, label]) => (
            <LinkItem
              href={urlWithParameters('/', query, { ordering: name })}
              current={name === ordering && 'true'}
            >
              {t(label)}
            </LinkItem>
          ))}
        </ul>
      </nav>
    </details>
  );
}
