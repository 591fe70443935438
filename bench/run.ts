// Measures what the README promises, side by side, and writes bench/RESULTS.md. It needs wrk, some minutes and a
// quiet machine: `npm run bench`, or `npm run bench -- record listing` for a part, which is printed only.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { always, compare, creates, fixed, load, median, newRecords, records, wrk } from './load.ts';
import { dump } from './make-dump.ts';
import { type Running, residentMegabytes, run, serve, start, stopAll, vitrine } from './process.ts';

interface Row {
  readonly measured: string;
  readonly figure: string;
  readonly aim: string;
  readonly reached: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
const inFolder = (name: string) => join(folder, name);
const thousands = (rate: number) => `${(rate / 1000).toFixed(1)}k/s`;
const ratio = (value: number) => value.toFixed(2);

const sizes = [10_000, 100_000, 1_000_000];
const dumpOf = (size: number) => inFolder(`${size}.ndjson`);
const databaseOf = (size: number) => inFolder(`${size}.sqlite`);

/** What one of our answers is, for the servers that only repeat it. */
async function repeated(server: Running, address: string): Promise<string> {
  const response = await fetch(`http://localhost:${server.port}${address}`);
  const own = new Set(['content-length', 'date', 'connection']);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !own.has(name)));
  const path = inFolder(`constant-${Bun.hash(address)}.json`);
  writeFileSync(path, JSON.stringify({ headers, body: await response.text() }));
  return path;
}

const parts: Record<string, () => Promise<Row[]>> = {
  async record() {
    const sqlite = await serve(databaseOf(10_000));
    const constant = await repeated(sqlite, '/api/v1/projects/77/');
    const [bun, node, fastify] = [
      await start([process.execPath, 'bench/constant/bun.ts', constant]),
      await start(['node', 'bench/constant/node.mjs', constant]),
      await start(['node', 'bench/constant/fastify.mjs', constant, folder]),
    ];
    const tags = inFolder('tags.txt');
    writeFileSync(tags, (await etags(sqlite)).join('\n'));
    const script = load(folder, 'records', records);
    const unchanged = load(
      folder,
      'unchanged',
      `if not tags then tags = {} for line in io.lines('${tags}') do tags[#tags + 1] = line end end
  local id = math.random(1, 10000)
  return wrk.format('GET', '/api/v1/projects/' .. id .. '/', { ['If-None-Match'] = tags[id] })`,
    );
    const rates = await compare([
      { name: 'bun', port: bun.port, script },
      { name: 'sqlite', port: sqlite.port, script },
      { name: '304', port: sqlite.port, script: unchanged },
      { name: 'node', port: node.port, script },
      { name: 'fastify', port: fastify.port, script },
    ]);
    const {
      sqlite: ours = 0,
      bun: most = 0,
      '304': known = 0,
      node: byNode = 0,
      fastify: byFastify = 0,
    } = rates;
    return [
      against('a record, SQLite, of a constant by Bun.serve', ours, most, 0.8),
      against('the same of a constant by node:http', ours, byNode, 1.2),
      against('the same of a constant by Fastify', ours, byFastify, 1.6),
      against('a record with If-None-Match (304), of the same without', known, ours, 1),
    ];
  },

  async postgres() {
    const server = await PostgresServer.start();
    await run(vitrine('import', '--database', server.address(), dumpOf(10_000)));
    const [sqlite, postgres] = [await serve(databaseOf(10_000)), await serve(server.address())];
    const script = load(folder, 'records', records);
    const rates = await compare([
      { name: 'sqlite', port: sqlite.port, script },
      { name: 'postgres', port: postgres.port, script },
    ]);
    // Only now: what is new pushes out what is remembered.
    const cold = load(folder, 'new-records', newRecords(10_000));
    const coldRates = await compare([
      { name: 'sqlite', port: sqlite.port, script: cold },
      { name: 'postgres', port: postgres.port, script: cold },
    ]);
    await stopAll();
    await server.stop();
    const { sqlite: one = 0, postgres: other = 0 } = rates;
    return [
      against('a record, PostgreSQL, of SQLite, both warm', other, one, 0.75),
      told('a record that was never asked for before, SQLite', thousands(coldRates.sqlite ?? 0)),
      told('a record that was never asked for before, PostgreSQL', thousands(coldRates.postgres ?? 0)),
    ];
  },

  async listing() {
    const address = '/api/v1/projects/?content_type=photo&ordering=-karma';
    const server = await serve(databaseOf(100_000));
    const bun = await start([process.execPath, 'bench/constant/bun.ts', await repeated(server, address)]);
    const script = load(folder, 'listing', fixed(address));
    const cold = load(folder, 'new-listing', always(address));
    const rates = await compare([
      { name: 'bun', port: bun.port, script },
      { name: 'ours', port: server.port, script },
      { name: 'cold', port: server.port, script: cold },
    ]);
    return [
      against(
        'a listing of 20 by -karma of one type, 100,000 projects, of a constant by Bun.serve',
        rates.ours ?? 0,
        rates.bun ?? 0,
        0.5,
      ),
      told('the same, never asked for before', thousands(rates.cold ?? 0)),
    ];
  },

  async pages() {
    const server = await serve(databaseOf(10_000));
    const paths = inFolder('paths.txt');
    writeFileSync(paths, (await pagePaths(server, 1000)).join('\n'));
    const page = (name: string, more: string) =>
      load(
        folder,
        name,
        `if not paths then paths = {} for line in io.lines('${paths}') do paths[#paths + 1] = line end end
  return wrk.format('GET', paths[math.random(1, #paths)]${more})`,
      );
    const rates = await compare([
      { name: 'record', port: server.port, script: load(folder, 'records', records) },
      { name: 'home', port: server.port, script: load(folder, 'home', fixed('/')) },
      { name: 'project', port: server.port, script: page('project', '') },
    ]);
    // Only now: what is new pushes out what is remembered.
    const anew = await compare([
      { name: 'record', port: server.port, script: load(folder, 'new-records', newRecords(10_000)) },
      { name: 'home', port: server.port, script: load(folder, 'new-home', always('/?page=1')) },
      { name: 'project', port: server.port, script: page('new-project', " .. '?n=' .. n") },
    ]);
    return [
      against('the home page, of a record, 10,000 projects', rates.home ?? 0, rates.record ?? 0, 0.25),
      against('a project’s page (1,000 of them), of a record', rates.project ?? 0, rates.record ?? 0, 0.25),
      against(
        'a project’s page, of a record, neither asked for before',
        anew.project ?? 0,
        anew.record ?? 0,
        0.25,
      ),
      told('the home page, with 24 cards, rendered anew', thousands(anew.home ?? 0)),
    ];
  },

  async deep() {
    const server = await serve(databaseOf(1_000_000));
    const rows: Row[] = [];
    for (const ordering of ['-created', '-karma', 'title']) {
      const at = (page: number) =>
        load(folder, `page-${page}`, always(`/api/v1/projects/?ordering=${ordering}&page=${page}`));
      const began = performance.now();
      await fetch(`http://localhost:${server.port}/api/v1/projects/?ordering=${ordering}&page=45000`);
      const first = performance.now() - began;
      const rates = await compare([
        { name: 'first', port: server.port, script: at(1) },
        { name: 'deep', port: server.port, script: at(45_000) },
      ]);
      rows.push(
        atMost(
          `page 45,000 typed in, by ${ordering}, of page 1's time`,
          (rates.first ?? 0) / (rates.deep ?? 1),
          3,
        ),
      );
      rows.push(told('the very first deep visit after a change', `${first.toFixed(0)} ms`));
    }
    const follow = async (page: number) => {
      const times: number[] = [];
      let address: string = `http://localhost:${server.port}/api/v1/projects/?ordering=-karma&page=${page}&m=${Math.random()}`;
      for (let step = 0; step < 100; step++) {
        const began = performance.now();
        const { next } = (await (await fetch(address)).json()) as { next: string };
        times.push(performance.now() - began);
        address = next;
      }
      return median(times);
    };
    const ratios: number[] = [];
    for (let round = 0; round < 5; round++) {
      const early = await follow(1);
      ratios.push((await follow(44_900)) / early);
    }
    rows.push(atMost('100 pages through next up to page 45,000, of the first 100', median(ratios), 3));
    return rows;
  },

  async size() {
    const [small, large] = [await serve(databaseOf(10_000)), await serve(databaseOf(1_000_000))];
    const rows: Row[] = [];
    const compared = async (name: string, few: string, many = few) => {
      const rates = await compare(
        [
          { name: 'small', port: small.port, script: load(folder, 'few', few) },
          { name: 'large', port: large.port, script: load(folder, 'many', many) },
        ],
        5,
        1,
      );
      rows.push(
        atMost(`1,000,000 projects of 10,000: ${name}`, (rates.small ?? 0) / (rates.large ?? 1), 1.3),
      );
    };
    await compared('a record', newRecords(10_000), newRecords(1_000_000));
    for (const field of ['created', 'title', 'karma', 'rating_sum', 'id', 'contributor__last_name']) {
      await compared(`a listing by ${field}`, always(`/api/v1/projects/?ordering=${field}`));
    }
    await compared(
      'a listing of one type by -karma',
      always('/api/v1/projects/?content_type=quote&ordering=-karma'),
    );
    return rows;
  },

  async writes() {
    const server = await PostgresServer.start({ fsync: 'on' });
    await run(vitrine('import', '--database', server.address(), dumpOf(10_000)));
    const [small, large, postgres] = [
      await writing(databaseOf(10_000)),
      await writing(databaseOf(1_000_000)),
      await writing(server.address()),
    ];
    const rates = await compare([
      { name: 'alone', ...small, connections: 1 },
      { name: 'together', ...small },
      { name: 'large', ...large },
      { name: 'postgres alone', ...postgres, connections: 1 },
      { name: 'postgres', ...postgres },
    ]);
    const { alone = 0, together = 0, large: million = 0 } = rates;
    const rows = [
      against('creates by 64 clients, SQLite, of one client alone', together, alone, 8),
      atMost('1,000,000 projects of 10,000: a create', together / million, 1.3),
      told('creates by one client, PostgreSQL', thousands(rates['postgres alone'] ?? 0)),
      told('creates by 64 clients, PostgreSQL', thousands(rates.postgres ?? 0)),
      told('single-row inserts by 64 clients of pgbench, the same PostgreSQL', await pgbench(server)),
    ];
    await stopAll();
    await server.stop();
    return rows;
  },

  async mixed() {
    const rows: Row[] = [];
    const reading = { records, listing: fixed('/api/v1/projects/?content_type=photo&ordering=-karma') };
    const { port, script: write } = await writing(databaseOf(10_000));
    for (const [name, next] of Object.entries(reading)) {
      const read = load(folder, `read-${name}`, next);
      const undisturbed: number[] = [];
      const disturbed: number[] = [];
      let written = 0;
      await wrk(port, read);
      for (let round = 0; round < 5; round++) {
        undisturbed.push(await wrk(port, read));
        const writers = wrk(port, write, 4);
        await Bun.sleep(1000);
        disturbed.push(await wrk(port, read));
        written = await writers;
      }
      rows.push(
        against(
          `reading ${name} while 64 clients write, of without them`,
          median(disturbed),
          median(undisturbed),
          0.7,
        ),
      );
      rows.push(told('creates meanwhile', thousands(written)));
    }
    return rows;
  },

  async lineage() {
    const database = inFolder('family.sqlite');
    const family = inFolder('family.ndjson');
    const lines = [...dump(10_001)].map((line) => {
      const entry = JSON.parse(line) as { type: string; id: number };
      if (entry.type !== 'project') return line;
      const copied_from = entry.id === 1 ? null : Math.ceil((entry.id - 1) / 3);
      return JSON.stringify({
        ...entry,
        content_type: 'text',
        visibility: 'public',
        status: 1,
        copied_from,
        parent: undefined,
      });
    });
    writeFileSync(family, `${lines.join('\n')}\n`);
    await run(vitrine('import', '--database', database, family));
    const { port } = await serve(database);
    const times: number[] = [];
    for (let round = 0; round < 21; round++) {
      const began = performance.now();
      const answer = await fetch(
        `http://localhost:${port}/api/v1/projects/1/lineage/?limit=10000&n=${round}`,
      );
      const { copies } = (await answer.json()) as { copies: unknown[] };
      times.push(performance.now() - began);
      if (copies.length !== 10_000) throw new Error(`the family has ${copies.length} copies`);
    }
    return [atMost('the lineage of a project with 10,000 copies, SQLite, ms', median(times), 50)];
  },

  async dumps() {
    const size = 1_000_000;
    const speeds: { import: number[]; export: number[] } = { import: [], export: [] };
    for (let round = 0; round < 3; round++) {
      const database = inFolder(`round-${round}.sqlite`);
      let began = performance.now();
      await run(vitrine('import', '--database', database, dumpOf(size)));
      speeds.import.push((size / (performance.now() - began)) * 1000);
      began = performance.now();
      await run(vitrine('export', '--database', database, inFolder('out.ndjson')));
      speeds.export.push((size / (performance.now() - began)) * 1000);
      for (const end of ['', '-wal', '-shm']) rmSync(database + end, { force: true });
    }
    return [
      atLeast('import of 1,000,000 projects, SQLite, projects a second', median(speeds.import), 30_000),
      atLeast('export of the same', median(speeds.export), 100_000),
    ];
  },

  async start() {
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      const began = performance.now();
      const server = await serve(databaseOf(1_000_000));
      await (await fetch(`http://localhost:${server.port}/api/v1/projects/500000/`)).text();
      times.push(performance.now() - began);
      await server.stop();
    }
    const server = await serve(databaseOf(1_000_000));
    const script = load(folder, 'million', newRecords(1_000_000));
    for (let asked = 0; asked < 1_000_000; ) asked += (await wrk(server.port, script, 5)) * 5;
    const megabytes = residentMegabytes(server);
    return [
      atMost('start with 1,000,000 projects to the first answer, ms', median(times), 200),
      atMost('memory after a million requests, all for different records, MB', megabytes, 200),
    ];
  },
};

/** A server, and the load of somebody who makes projects there. */
async function writing(database: string): Promise<{ port: number; script: string }> {
  const maker = `maker-${crypto.randomUUID()}`;
  await run(vitrine('user', 'add', maker, '--database', database), `${crypto.randomUUID()}\n`);
  const key = (await run(vitrine('key', 'add', maker, 'bench', 'write', '--database', database))).trim();
  const { port } = await serve(database);
  return { port, script: load(folder, `create-${port}`, creates(key)) };
}

/** The least that a durable write can be. */
async function pgbench(server: PostgresServer): Promise<string> {
  await server.query('create table if not exists least (id bigserial primary key, title text)');
  const script = inFolder('least.sql');
  writeFileSync(script, "insert into least (title) values ('A lamp that blinks');\n");
  const command = ['pgbench', '-n', '-c', '64', '-j', '1', '-T', '5', '-M', 'prepared', '-f', script];
  const said = await run([
    ...command,
    '-h',
    '127.0.0.1',
    '-p',
    String(server.port),
    '-U',
    'vitrine',
    'postgres',
  ]);
  return thousands(Number(/tps = ([\d.]+)/.exec(said)?.[1]));
}

async function etags(server: Running): Promise<string[]> {
  const found: string[] = [];
  for (let id = 1; id <= 10_000; id++) {
    const response = await fetch(`http://localhost:${server.port}/api/v1/projects/${id}/`);
    await response.text();
    found.push(response.headers.get('ETag') ?? '"none"');
  }
  return found;
}

async function pagePaths(server: Running, most: number): Promise<string[]> {
  const found: string[] = [];
  for (let page = 1; found.length < most; page++) {
    const address = `http://localhost:${server.port}/api/v1/projects/?fields=html_url&page_size=100&page=${page}`;
    const { results } = (await (await fetch(address)).json()) as { results: { html_url: string }[] };
    found.push(...results.map(({ html_url }) => new URL(html_url).pathname));
  }
  return found;
}

function against(measured: string, ours: number, theirs: number, least: number): Row {
  const value = ours / theirs;
  return {
    measured,
    figure: `${ratio(value)} (${thousands(ours)} of ${thousands(theirs)})`,
    aim: `at least ${least}`,
    reached: value >= least,
  };
}

function atLeast(measured: string, value: number, least: number): Row {
  return {
    measured,
    figure: Math.round(value).toLocaleString('en'),
    aim: `at least ${least.toLocaleString('en')}`,
    reached: value >= least,
  };
}

function atMost(measured: string, value: number, most: number): Row {
  return {
    measured,
    figure: value < 10 ? ratio(value) : value.toFixed(0),
    aim: `at most ${most}`,
    reached: value <= most,
  };
}

function told(measured: string, figure: string): Row {
  return { measured, figure, aim: '', reached: true };
}

function table(rows: Row[]): string {
  const lines = rows.map(
    ({ measured, figure, aim, reached }) =>
      `| ${measured} | ${figure} | ${aim} | ${aim && (reached ? 'yes' : 'no')} |`,
  );
  return ['| Measured | Figure | Aim | Reached |', '|---|---|---|---|', ...lines].join('\n');
}

async function prepare(): Promise<void> {
  await run(['npm', 'install', '--silent', '--no-save', '--prefix', folder, 'fastify@5.12.8']);
  for (const size of sizes) {
    const file = Bun.file(dumpOf(size)).writer();
    for (const line of dump(size)) file.write(`${line}\n`);
    await file.end();
    await run(vitrine('import', '--database', databaseOf(size), dumpOf(size)));
  }
}

const asked = process.argv.slice(2);
const chosen = asked.length ? asked : Object.keys(parts);
try {
  console.error('making galleries of 10,000, 100,000 and 1,000,000 projects …');
  await prepare();
  const rows: Row[] = [];
  for (const name of chosen) {
    console.error(`measuring ${name} …`);
    const found = (await parts[name]?.()) ?? [];
    await stopAll();
    console.log(table(found));
    rows.push(...found);
  }
  if (asked.length === 0) {
    const machine = `${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}, Node ${(await Bun.$`node --version`.text()).trim().slice(1)}`;
    const text = await Bun.file(join(import.meta.dir, 'RESULTS.md'))
      .text()
      .catch(() => '');
    const [, changeSet = ''] = text.split('\n## Notes\n');
    await Bun.write(
      join(import.meta.dir, 'RESULTS.md'),
      `# Results\n\nBy \`npm run bench\` on ${machine}. Medians of at least five rounds in which all took turns (import and export: three);\nwrk with 64 connections on the same machine. Read the ratios, not the absolutes.\n\n${table(rows)}\n\n## Notes\n${changeSet}`,
    );
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
