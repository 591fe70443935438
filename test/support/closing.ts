// Closes the resources that a test opens, at the end of the test or of the tests that share them.

type Close = () => Promise<unknown>;

/** From the scope of the whole file to the scope of the running test. A new resource belongs to the innermost. */
const scopes: { readonly first: Close[]; readonly others: Close[] }[] = [{ first: [], others: [] }];

export function closeLater(close: Close): void {
  scopes.at(-1)?.others.push(close);
}

/** Before what was opened since. */
export function closeFirst(close: Close): void {
  scopes.at(-1)?.first.push(close);
}

export function beginScope(): void {
  scopes.push({ first: [], others: [] });
}

/** Closes the resources of the innermost scope, the last opened first. */
export async function endScope(): Promise<void> {
  const scope = scopes.length > 1 ? scopes.pop() : scopes[0];
  const next = () => scope?.first.pop() ?? scope?.others.pop();
  for (let close = next(); close; close = next()) await close();
}
