// Notes the SQL that tests send to PostgreSQL, if RECORD_SQL names a file: `npm run update:on-postgres` chooses by it which
// tests `npm test` runs there, and `npm run test:more` looks whether that choice is still right.

import { appendFileSync } from 'node:fs';

/** Statements for one row and for several, and for one value and for several, are the same. */
const generalize = (text: string) =>
  text
    .replace(/\$\d+/g, '$')
    .replace(/\b(gallery|server)_\w+/g, '$1')
    .replace(/\$(, ?\$)+/g, '$')
    .replace(/\(\$\)(, ?\(\$\))+/g, '($)')
    .replace(/\s+/g, ' ');

/** Those of the running test, in short. */
let statements = new Set<string>();
function watch<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        if (name === 'unsafe') statements.add(Bun.hash(generalize(String(args[0]))).toString(36));
        if (name === 'begin') {
          const work = args.pop() as (client: object) => unknown;
          args.push((client: object) => work(watch(client)));
        }
        return member.apply(target, args);
      };
    },
  });
}

/** Returns what a test calls at its end: it adds a line to the file, with what the test has sent. */
export function recordSql(path: string): () => void {
  Bun.SQL = new Proxy(Bun.SQL, {
    construct: (target, args) => watch(Reflect.construct(target, args)),
  });
  return () => {
    appendFileSync(path, `${[...statements].join(' ')}\n`);
    statements = new Set();
  };
}
