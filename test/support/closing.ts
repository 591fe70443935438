// Closes the resources that a test opens, at the end of the test or of the tests that share them.

type Close = () => Promise<unknown>;

/** From the scope of the whole file to the scope of the running test. A new resource belongs to the innermost. */
const scopes: Close[][] = [[]];

export function closeLater(close: Close): void {
  scopes.at(-1)?.push(close);
}

export function beginScope(): void {
  scopes.push([]);
}

/** Closes the resources of the innermost scope, the last opened first. */
export async function endScope(): Promise<void> {
  const scope = scopes.length > 1 ? scopes.pop() : scopes[0];
  for (let close = scope?.pop(); close; close = scope?.pop()) await close();
}
