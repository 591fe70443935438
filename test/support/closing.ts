// Whatever a test opens is closed for it: at the end of the test, or of the tests that share it.

type Close = () => Promise<unknown>;

/** From the whole file to the one test that runs: what is opened belongs to the innermost. */
const scopes: Close[][] = [[]];

export function closeLater(close: Close): void {
  scopes.at(-1)?.push(close);
}

export function beginScope(): void {
  scopes.push([]);
}

/** Closes what was opened in the innermost scope, the last first. */
export async function endScope(): Promise<void> {
  const scope = scopes.length > 1 ? scopes.pop() : scopes[0];
  for (let close = scope?.pop(); close; close = scope?.pop()) await close();
}
