import { formatInstant, type Instant } from '../gallery/instant.ts';

const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
];

/** A day as people say it, with the exact moment for machines. */
export function Day({ at, zone }: { at: Instant; zone: string }) {
  const exact = formatInstant(at, zone);
  return <time datetime={exact}>{dayOf(exact)}</time>;
}

/** The same with the time of day. */
export function Moment({ at, zone }: { at: Instant; zone: string }) {
  const exact = formatInstant(at, zone);
  return (
    <time datetime={exact}>
      {dayOf(exact)}, {exact.slice(11, 16)}
    </time>
  );
}

function dayOf(exact: string): string {
  const [year = '', month = '', day = ''] = exact.slice(0, 10).split('-');
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}
