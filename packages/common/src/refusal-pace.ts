// Slows down refusals when there are very many. Clients that send the next request as soon as one is refused would
// otherwise take the time of the thread from the requests that were accepted.

const windowMs = 10;
const maxPerWindow = 40;

let sent = 0;
let isWindowOpen = false;
const waiting: (() => void)[] = [];

/** Resolves at once for the first refusals of a window; the others wait for a later window. */
export async function waitToRefuse(): Promise<void> {
  if (!isWindowOpen) openWindow();
  if (sent < maxPerWindow) sent++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

function openWindow(): void {
  const next = waiting.splice(0, maxPerWindow);
  sent = next.length;
  isWindowOpen = true;
  setTimeout(() => {
    if (sent > 0) openWindow();
    else isWindowOpen = false;
  }, windowMs);
  for (const resolve of next) resolve();
}
