import { formatInstant, type Instant } from '../gallery/instant.ts';
import { useLayout } from './layout-data.ts';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A date for people, with the exact time in the `datetime` attribute. */
export function DateText({ instant }: { instant: Instant }) {
  const iso = formatInstant(instant, useLayout().timeZone);
  return <time datetime={iso}>{formatDate(iso)}</time>;
}

/** A date with the time of day. */
export function DateTimeText({ instant }: { instant: Instant }) {
  const iso = formatInstant(instant, useLayout().timeZone);
  return (
    <time datetime={iso}>
      {formatDate(iso)}, {iso.slice(11, 16)}
    </time>
  );
}

function formatDate(iso: string): string {
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-');
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}
