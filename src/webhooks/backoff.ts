// When an event that could not be delivered is tried again: after 5 seconds, then after three times as long each time, up
// to six hours.

const firstSeconds = 5;
const factor = 3;
const maxSeconds = 6 * 60 * 60;

/** Microseconds after the attempt. Endpoints that failed together are not tried together again. */
export function chooseDelay(failures: number): number {
  const seconds = Math.min(maxSeconds, firstSeconds * factor ** (failures - 1));
  return Math.round(seconds * (0.8 + 0.4 * Math.random()) * 1_000_000);
}
