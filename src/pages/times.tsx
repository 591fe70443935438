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

function dayOf(exact: string): string {
  const [year = '', month = '', day = ''] = exact.slice(0, 10).split('-');
  return `${Number(day)} ${months[Number(month) - 1]} ${year}`;
}
