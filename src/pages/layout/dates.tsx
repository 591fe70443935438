import { formatInstant, type Instant } from '../../gallery/instant.ts';
import { useLanguage, useLayout } from './layout-data.ts';

/** HTML allows three digits of a second at most. */
const toDatetime = (iso: string) => iso.replace(/(\.\d{3})\d{3}/, '$1');

/** Of an h-entry, for programs that read pages (microformats). */
type DateProperty = 'dt-published' | 'dt-updated';

/** A date for people, with the time in the `datetime` attribute. */
export function DateText({ instant, property }: { instant: Instant; property?: DateProperty }) {
  const iso = formatInstant(instant, useLayout().timeZone);
  return (
    <time class={property} datetime={toDatetime(iso)}>
      {useLanguage().formatDate(iso)}
    </time>
  );
}

/** A date with the time of day. */
export function DateTimeText({ instant }: { instant: Instant }) {
  const iso = formatInstant(instant, useLayout().timeZone);
  return (
    <time datetime={toDatetime(iso)}>
      {useLanguage().formatDate(iso)}, {iso.slice(11, 16)}
    </time>
  );
}
