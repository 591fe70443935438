// Behind a pooler that sends each statement to any connection, and forgets which were prepared on it.

import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { closeLater } from '../support/closing.ts';
import { temporaryPath } from '../support/databases.ts';
import { areMissing, pooledAddress, startPgBouncer } from '../support/engines.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { vitrine } from '../support/server.ts';
import { ada, dump } from '../support/site.ts';

test.skipIf(areMissing('PgBouncer'))(
  'behind PgBouncer, each start and the doctor say what the address lacks',
  async () => {
    const postgres = await PostgresServer.start();
    closeLater(() => postgres.stop());
    const pooled = pooledAddress(await startPgBouncer(postgres));
    const source = temporaryPath('dump.ndjson');
    writeFileSync(source, dump(ada));
    expect(await vitrine('import', source, '--database', pooled)).toMatchObject({ code: 0 });

    const advice = (parameter: string, pooler: string) => ({
      code: 2,
      out: '',
      error: `vitrine: The PostgreSQL server is behind a connection pooler that ${pooler}: add ?${parameter} to its address.\n`,
    });
    const address = pooled.replace(/\?.*/, '');
    for (const command of ['check', 'doctor', 'check', 'doctor']) {
      expect(await vitrine(command, '--database', address)).toEqual(
        advice('statement_timeout=off', 'takes no parameters'),
      );
      expect(await vitrine(command, '--database', `${address}?statement_timeout=off`)).toEqual(
        advice('prepare=false', 'changes connections'),
      );
    }
    expect(await vitrine('check', '--database', pooled)).toEqual({
      code: 0,
      out: 'All is well.\n',
      error: '',
    });
  },
);
