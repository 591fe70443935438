import type { Migration } from '#sql/open';

/** Imports recognized their rows by the secret of the sessions, which can be replaced now. */
export const copySecretForImports =
  "insert into secret (name, value) select 'imports', value from secret where name = 'sessions'";

export const secretOfImports: Migration = {
  from: 58,
  to: 59,
  name: 'a secret for imports',
  steps: () => [{ kind: 'expand', locks: ['secret'], statements: [copySecretForImports] }],
};
