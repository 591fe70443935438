// /admin/statistics/: what was created, commented, rated and viewed in each of the last weeks. The counts are of weeks and
// types: nobody was tracked for them.

import { projectContentTypes } from '../../core/content-types.ts';
import { formatInstant, now } from '../../core/instant.ts';
import { adminStylesheet } from '../../core/pages/assets.ts';
import { Page } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { type PageContext, page, type Sections } from '../../core/pages/page.ts';
import { pageViewsOf } from './page-views.ts';
import { type Activity, firstWeek, loadWeeklyCounts, shownWeeks, startOfWeek } from './weekly-counts.ts';

/** A count for each week, the earliest first. */
interface Series {
  readonly label: string;
  readonly values: readonly number[];
  readonly total: number;
}

async function showStatisticsPage(context: PageContext) {
  const { database, t } = context;
  await pageViewsOf(database).save();
  const at = now();
  const first = firstWeek(at);
  const counts = await loadWeeklyCounts(database, at);
  const seriesOf = (label: string, activity: Activity, types: readonly string[]): Series => {
    const values = Array<number>(shownWeeks).fill(0);
    for (const { week, activity: counted, content_type, count } of counts)
      if (counted === activity && types.includes(content_type))
        values[week - first] = (values[week - first] ?? 0) + count;
    return { label, values, total: values.reduce((sum, value) => sum + value, 0) };
  };
  const byType = (activity: Activity) =>
    projectContentTypes.map((type) => seriesOf(t(`type.${type}.many`), activity, [type]));
  const projects = seriesOf(t('statistics.projects'), 'created', projectContentTypes);
  const comments = seriesOf(t('statistics.comments'), 'created', ['comment']);
  const ratings = seriesOf(t('statistics.ratings'), 'rated', [...projectContentTypes, 'comment']);
  const read = seriesOf(t('statistics.views'), 'viewed', [...projectContentTypes, 'comment']);
  const weeks = Array.from({ length: shownWeeks }, (_, index) => startOfWeek(first + index));
  return context.render(
    <Page title={t('statistics.title')} stylesheets={[adminStylesheet]}>
      <h1>{t('statistics.title')}</h1>
      <p class="narrow faint">{t('statistics.explanation')}</p>
      <div class="statistics">
        {[projects, read, comments, ratings].map((series) => (
          <Figure series={series} weeks={weeks} />
        ))}
      </div>
      <ByType heading={t('statistics.projectsByType')} series={byType('created')} />
      <ByType heading={t('statistics.viewsByType')} series={byType('viewed')} />
      <FigureTable weeks={weeks} series={[projects, read, comments, ratings]} />
    </Page>,
  );
}

function Figure({ series, weeks }: { series: Series; weeks: readonly number[] }) {
  const { t, formatNumber } = useLanguage();
  const max = Math.max(0, ...series.values);
  return (
    <section class="statistic">
      <h2>{series.label}</h2>
      <p class="total">
        {formatNumber(series.total)}{' '}
        {max > 0 && <small>{t('statistics.most', { count: formatNumber(max) })}</small>}
      </p>
      <Chart values={series.values} max={max} />
      <p class="weeks">
        <WeekText week={weeks[0] ?? 0} />
        <WeekText week={weeks.at(-1) ?? 0} />
      </p>
    </section>
  );
}

/** One chart for each type, all with the same scale. */
function ByType({ heading, series }: { heading: string; series: readonly Series[] }) {
  const { formatNumber } = useLanguage();
  const max = Math.max(1, ...series.flatMap(({ values }) => values));
  return (
    <section>
      <h2>{heading}</h2>
      <ul class="statistics small">
        {series.map(({ label, values, total }) => (
          <li class="statistic">
            <p>
              <span>{label}</span> <b>{formatNumber(total)}</b>
            </p>
            <Chart values={values} max={max} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function FigureTable({ weeks, series }: { weeks: readonly number[]; series: readonly Series[] }) {
  const { t, formatNumber } = useLanguage();
  return (
    <details>
      <summary>{t('statistics.table')}</summary>
      <section class="wide figures-table" aria-label={t('statistics.table')} tabindex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('statistics.week')}</th>
              {series.map(({ label }) => (
                <th scope="col">{label}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeks
              .map((week, index) => (
                <tr>
                  <th scope="row">
                    <WeekText week={week} />
                  </th>
                  {series.map(({ values }) => (
                    <td>{formatNumber(values[index] ?? 0)}</td>
                  ))}
                </tr>
              ))
              .toReversed()}
          </tbody>
        </table>
      </section>
    </details>
  );
}

/** The Monday with which the week begins. */
function WeekText({ week }: { week: number }) {
  const iso = formatInstant(week, 'UTC');
  return <time datetime={iso.slice(0, 10)}>{useLanguage().formatDate(iso)}</time>;
}

// Bars for the weeks, drawn on the server. They are hidden from screen readers: the page has the figures in a table.

interface ChartProps {
  readonly values: readonly number[];
  /** The height of the highest bar; charts that are compared have the same. */
  readonly max: number;
}

const [barWidth, gap, height] = [10, 3, 60];
/** A week with anything at all has a bar that can be seen. */
const minBar = 2;

function Chart({ values, max }: ChartProps) {
  const width = values.length * (barWidth + gap) - gap;
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {values.map((value, index) => {
        const bar = value === 0 ? 0 : Math.max(minBar, (value / max) * height);
        return <rect x={index * (barWidth + gap)} y={height - bar} width={barWidth} height={bar} />;
      })}
      <path d={`M0 ${height}H${width}`} />
    </svg>
  );
}

export const routes = [page('/admin/statistics/', 'seeStatistics', showStatisticsPage)];

export const sections: Sections = {
  'project.sent':
    async ({ database }, { content_type }) =>
    (headers) =>
      pageViewsOf(database).add(content_type, headers),
};
