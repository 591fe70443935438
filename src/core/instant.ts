// Times as the gallery stores them: whole microseconds since 1970 in a number, from the database to the API.
// JavaScript's Date would lose the last three digits.

export type Instant = number;

export const microsecondsPerSecond = 1_000_000;
const microsecondsPerDay = 24 * 60 * 60 * microsecondsPerSecond;

export const addDays = (at: Instant, days: number): Instant => at + days * microsecondsPerDay;

/** The whole centuries in which a number is exact to the microsecond. */
const earliest: Instant = Date.UTC(1700, 0, 1) * 1000;
const latest: Instant = Date.UTC(2200, 0, 1) * 1000 - 1;

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * Parses an ISO 8601 date-time. Without an offset it is in the given time zone; a date alone is its midnight.
 * Undefined if it is invalid or not between `earliest` and `latest`.
 */
export function parseInstant(text: string, timeZone: string): Instant | undefined {
  const match = isoPattern.exec(text);
  if (!match) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', offset] = match;
  const [monthNumber, dayNumber] = [Number(month), Number(day)];
  if (Number(year) < 1000 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return undefined;
  let milliseconds = Date.UTC(
    Number(year),
    monthNumber - 1,
    dayNumber,
    Number(hour),
    Number(minute),
    Number(second),
  );
  // Date.UTC turns 31 February into 3 March, and a thirteenth month into January.
  if (new Date(milliseconds).getUTCDate() !== dayNumber || monthNumber < 1 || monthNumber > 12)
    return undefined;
  if (offset === undefined) {
    if (timeZone !== 'UTC') {
      const local = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
      milliseconds = Temporal.PlainDateTime.from(local).toZonedDateTime(timeZone).epochMilliseconds;
    }
  } else if (offset.toUpperCase() !== 'Z') {
    const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2));
    if (Number(offset.slice(-2)) > 59 || minutes > 24 * 60 - 1) return undefined;
    milliseconds += (offset.startsWith('-') ? minutes : -minutes) * 60_000;
  }
  const instant = milliseconds * 1000 + Number(fraction.padEnd(6, '0'));
  return instant >= earliest && instant <= latest ? instant : undefined;
}

/** A local time of a form. `skipped`: the clocks of the zone are put forward over it. */
export function readLocalTime(text: string, timeZone: string): Instant | 'skipped' | undefined {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d)?$/.test(text)) return undefined;
  try {
    const local = Temporal.PlainDateTime.from(text);
    const zoned = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
    if (!zoned.toPlainDateTime().equals(local)) return 'skipped';
    return zoned.epochMilliseconds * 1000;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Offsets change only on whole quarters of an hour, so one lookup serves fifteen minutes. */
const quarterHour = 15 * 60_000;
const offsets = new Map<string, number>();

/** The offset from UTC in milliseconds; 0 for historical local mean times, which no numeric offset can express. */
function offsetAt(milliseconds: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const block = Math.floor(milliseconds / quarterHour);
  const key = `${timeZone} ${block}`;
  let offset = offsets.get(key);
  if (offset === undefined) {
    const nanoseconds = Temporal.Instant.fromEpochMilliseconds(block * quarterHour).toZonedDateTimeISO(
      timeZone,
    ).offsetNanoseconds;
    offset = nanoseconds % 60_000_000_000 === 0 ? nanoseconds / 1_000_000 : 0;
    if (offsets.size >= 10_000) offsets.clear();
    offsets.set(key, offset);
  }
  return offset;
}

/** Always with six decimals and a numeric offset: 2014-05-20T14:24:25.123456+00:00. */
export function formatInstant(instant: Instant, timeZone: string): string {
  const milliseconds = Math.floor(instant / 1000);
  const offset = offsetAt(milliseconds, timeZone);
  // With a digit before the three, nothing is to be padded.
  const micros = String(1000 + instant - milliseconds * 1000).slice(1);
  const local = new Date(milliseconds + offset).toISOString().slice(0, 23);
  return `${local}${micros}${formatOffset(offset / 60_000)}`;
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return '+00:00';
  const absolute = Math.abs(minutes);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.floor(absolute / 60))}:${twoDigits(absolute % 60)}`;
}

export const now = (): Instant => Number(Temporal.Now.instant().epochNanoseconds / 1000n);
