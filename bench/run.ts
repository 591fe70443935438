// `npm run bench` compares the speed of Vitrine with its aims, and writes bench/RESULTS.md. It needs wrk, a few minutes
// and a machine without other load. `npm run bench -- record listing` only prints the named measurements.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../test/support/postgres-server.ts';
import { measureAnswers } from './answers.ts';
import { startDirectus } from './directus/start.ts';
import {
  buildCreateRequest,
  buildRecordRequest,
  buildRequest,
  buildUncachedRecordRequest,
  buildUncachedRequest,
  type Cost,
  measureCosts,
  measureRates,
  median,
  readLines,
  runWrk,
  writeScript,
} from './load.ts';
import { generateDump } from './make-dump.ts';
import {
  buildVitrineCommand,
  readResidentMegabytes,
  runCommand,
  type ServerProcess,
  startProcess,
  startServer,
  stopAll,
} from './process.ts';
import { startSlowNetwork } from './slow-network.ts';
import { openStreams, percentile } from './streams.ts';

interface Row {
  readonly label: string;
  readonly figure: string;
  readonly aim: string;
  readonly isReached: boolean;
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'));
const temporaryPath = (name: string) => join(folder, name);
const formatRate = (rate: number) => `${(rate / 1000).toFixed(1)}k/s`;
const formatMs = (value: number) => value.toFixed(1);
const formatRatio = (value: number) => value.toFixed(2);

/** The ids of the projects that visitors may see, out of 10,000. */
const visibleIds: number[] = [];
const visibleIdsPath = temporaryPath('visible-ids.txt');
const recordRequest = buildRecordRequest(visibleIdsPath);

/** Saves a response of Vitrine to a file, for the servers in bench/constant/, and returns the path of the file. */
async function saveResponse(server: ServerProcess, path: string): Promise<string> {
  const response = await fetch(`http://localhost:${server.port}${path}`);
  const automatic = new Set(['content-length', 'date', 'connection']);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !automatic.has(name)));
  const file = temporaryPath(`constant-${Bun.hash(path)}.json`);
  writeFileSync(file, JSON.stringify({ headers, body: await response.text() }));
  return file;
}

const measurements: Record<string, () => Promise<Row[]>> = {
  async record() {
    const sqlite = await startServer(await sqliteGallery(10_000));
    const records = await fetchRecords(sqlite);
    const constantFile = await saveResponse(sqlite, findAverageRecord(records).path);
    await runCommand(['npm', 'install', '--silent', '--no-save', '--prefix', folder, 'fastify@5.12.8']);
    const [bun, node, fastify] = [
      await startProcess([process.execPath, 'bench/constant/bun.ts', constantFile]),
      await startProcess(['node', 'bench/constant/node.mjs', constantFile]),
      await startProcess(['node', 'bench/constant/fastify.mjs', constantFile, folder]),
    ];
    const tags = temporaryPath('tags.txt');
    writeFileSync(tags, records.map(({ etag }) => etag).join('\n'));
    const script = writeScript(folder, 'records', recordRequest);
    const unchanged = writeScript(
      folder,
      'unchanged',
      `${readLines('ids', visibleIdsPath)}
  ${readLines('tags', tags)}
  local index = math.random(1, #ids)
  return wrk.format('GET', '/api/v1/projects/' .. ids[index] .. '/', { ['If-None-Match'] = tags[index] })`,
    );
    const rates = await measureRates([
      { name: 'bun', server: bun, script },
      { name: 'sqlite', server: sqlite, script },
      { name: '304', server: sqlite, script: unchanged },
      { name: 'node', server: node, script },
      { name: 'fastify', server: fastify, script },
    ]);
    const {
      sqlite: record = 0,
      bun: bunConstant = 0,
      '304': notModified = 0,
      node: nodeConstant = 0,
      fastify: fastifyConstant = 0,
    } = rates;
    return [
      buildRatioRow(
        'a record on SQLite, compared with a constant response of Bun.serve',
        record,
        bunConstant,
        0.8,
      ),
      buildRatioRow('the same, compared with a constant response of node:http', record, nodeConstant, 1.2),
      buildRatioRow('the same, compared with a constant response of Fastify', record, fastifyConstant, 1.6),
      buildRatioRow('a record with If-None-Match (304), compared with one without', notModified, record, 1),
    ];
  },

  async remembered() {
    const server = await startServer(await sqliteGallery(10_000));
    const records = await fetchRecords(server);
    const file = temporaryPath('remembered.ndjson');
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
    const constantFile = await saveResponse(server, findAverageRecord(records).path);
    const script = writeScript(folder, 'records', recordRequest);
    const bare = [process.execPath, 'bench/bare/remembered.ts', file];
    const costs = await measureCosts([
      { name: 'record', server, script },
      { name: 'bare', server: await startProcess(bare), script },
      { name: 'log', server: await startProcess([...bare, '--log']), script },
      {
        name: 'constant',
        server: await startProcess([process.execPath, 'bench/constant/bun.ts', constantFile]),
        script,
      },
    ]);
    return [
      buildCostRow('a remembered record', costs.record),
      buildCostRow('the same 10,000 bodies in a Map, with their headers, by a bare server', costs.bare),
      buildCostRow('the same, which writes a log', costs.log),
      buildCostRow('a constant response of Bun.serve', costs.constant),
    ];
  },

  async first() {
    const gallery = await sqliteGallery(10_000);
    const server = await startServerForCreates(gallery);
    const script = writeScript(folder, 'first', buildUncachedRecordRequest(10_000));
    const costs = await measureCosts([
      { name: 'record', server, script },
      {
        name: 'key',
        server,
        script: writeScript(folder, 'first-with-key', buildUncachedRecordRequest(10_000, server.key)),
      },
      {
        name: 'bare',
        server: await startProcess([process.execPath, 'bench/bare/sqlite.ts', gallery]),
        script,
      },
      ...(await startDjango(gallery)).map((django) => ({ name: 'django', server: django, script })),
    ]);
    return [
      buildCostRow('a record that nobody has asked for', costs.record),
      buildCostRow('the same with a key', costs.key),
      buildCostRow('the same by one prepared statement of bun:sqlite and JSON.stringify, bare', costs.bare),
      buildCostRow('the same by Django REST framework with gunicorn, two processes', costs.django),
    ];
  },

  async postgres() {
    const server = await PostgresServer.start();
    await runCommand(buildVitrineCommand('import', '--database', server.address(), await dump(10_000)));
    const [sqlite, postgres] = [
      await startServer(await sqliteGallery(10_000)),
      await startServer(server.address()),
    ];
    const script = writeScript(folder, 'records', recordRequest);
    const rates = await measureRates([
      { name: 'sqlite', server: sqlite, script },
      { name: 'postgres', server: postgres, script },
    ]);
    // Measured last, because new responses displace the cached ones.
    const uncached = writeScript(folder, 'uncached-records', buildUncachedRecordRequest(10_000));
    const uncachedRates = await measureRates([
      { name: 'sqlite', server: sqlite, script: uncached },
      { name: 'postgres', server: postgres, script: uncached },
    ]);
    await stopAll();
    await server.stop();
    const { sqlite: sqliteRate = 0, postgres: postgresRate = 0 } = rates;
    return [
      buildRatioRow(
        'a record on PostgreSQL, compared with SQLite, both cached',
        postgresRate,
        sqliteRate,
        0.75,
      ),
      buildFigureRow('an uncached record on SQLite', formatRate(uncachedRates.sqlite ?? 0)),
      buildFigureRow('an uncached record on PostgreSQL', formatRate(uncachedRates.postgres ?? 0)),
    ];
  },

  async answers() {
    const server = await PostgresServer.start();
    await runCommand(buildVitrineCommand('import', '--database', server.address(), await dump(10_000)));
    const galleries = { folder, sqlite: await sqliteGallery(10_000), postgres: server.address() };
    const answers = await measureAnswers(galleries);
    await stopAll();
    await server.stop();
    return answers.map(({ label, cost }) => buildCostRow(label, cost));
  },

  async listing() {
    const path = '/api/v1/projects/?content_type=photo&ordering=-karma';
    const server = await startServer(await sqliteGallery(100_000));
    const bun = await startProcess([
      process.execPath,
      'bench/constant/bun.ts',
      await saveResponse(server, path),
    ]);
    const script = writeScript(folder, 'listing', buildRequest(path));
    const uncached = writeScript(folder, 'uncached-listing', buildUncachedRequest(path));
    const rates = await measureRates([
      { name: 'bun', server: bun, script },
      { name: 'vitrine', server: server, script },
      { name: 'uncached', server: server, script: uncached },
    ]);
    return [
      buildRatioRow(
        'a listing of 20 projects of one type by -karma, out of 100,000, compared with a constant response of Bun.serve',
        rates.vitrine ?? 0,
        rates.bun ?? 0,
        0.8,
      ),
      buildFigureRow('the same, uncached', formatRate(rates.uncached ?? 0)),
    ];
  },

  async pages() {
    const server = await startServer(await sqliteGallery(10_000));
    const paths = temporaryPath('paths.txt');
    writeFileSync(paths, (await fetchPagePaths(server, 1000)).join('\n'));
    const writePageScript = (name: string, query: string) =>
      writeScript(
        folder,
        name,
        `${readLines('paths', paths)}
  return wrk.format('GET', paths[math.random(1, #paths)]${query})`,
      );
    const rates = await measureRates([
      { name: 'record', server: server, script: writeScript(folder, 'records', recordRequest) },
      { name: 'home', server: server, script: writeScript(folder, 'home', buildRequest('/')) },
      { name: 'project', server: server, script: writePageScript('project', '') },
    ]);
    // Measured last, because new responses displace the cached ones.
    const uncachedRates = await measureRates([
      {
        name: 'record',
        server: server,
        script: writeScript(folder, 'uncached-records', buildUncachedRecordRequest(10_000)),
      },
      {
        name: 'home',
        server: server,
        script: writeScript(folder, 'uncached-home', buildUncachedRequest('/?page=1')),
      },
      { name: 'project', server: server, script: writePageScript('uncached-project', " .. '?n=' .. n") },
    ]);
    return [
      buildRatioRow(
        'the home page, compared with a record, 10,000 projects',
        rates.home ?? 0,
        rates.record ?? 0,
        0.25,
      ),
      buildRatioRow(
        'a project’s page (one of 1,000), compared with a record',
        rates.project ?? 0,
        rates.record ?? 0,
        0.25,
      ),
      buildRatioRow(
        'a project’s page, compared with a record, both uncached',
        uncachedRates.project ?? 0,
        uncachedRates.record ?? 0,
        0.3,
      ),
      buildFigureRow('the home page with 24 cards, uncached', formatRate(uncachedRates.home ?? 0)),
    ];
  },

  async deep() {
    const server = await startServerForCreates(await sqliteGallery(1_000_000));
    const rows: Row[] = [];
    const timeDeepPage = async (ordering: string, page = 45_000) => {
      const startedAt = performance.now();
      const path = `/api/v1/projects/?ordering=${ordering}&page=${page}`;
      await (await fetch(`http://localhost:${server.port}${path}`)).text();
      return performance.now() - startedAt;
    };
    for (const ordering of ['-created', '-karma', 'title']) {
      const writePageScript = (page: number) =>
        writeScript(
          folder,
          `page-${page}`,
          buildUncachedRequest(`/api/v1/projects/?ordering=${ordering}&page=${page}`),
        );
      const firstTime = await timeDeepPage(ordering);
      const timesAfterChanges: number[] = [];
      for (let round = 0; round < 9; round++) {
        await server.create();
        timesAfterChanges.push(await timeDeepPage(ordering));
      }
      const rates = await measureRates([
        { name: 'first', server: server, script: writePageScript(1) },
        { name: 'deep', server: server, script: writePageScript(45_000) },
      ]);
      rows.push(
        buildMaximumRow(
          `page 45,000 by ${ordering}, requested by number, time compared with page 1`,
          (rates.first ?? 0) / (rates.deep ?? 1),
          3,
        ),
      );
      rows.push(
        buildFigureRow('the same page, first request after a start, ms', firstTime.toFixed(0)),
        buildMaximumRow('the same page, first request after a change, ms', median(timesAfterChanges), 20),
      );
    }
    // Rows that tie in the first term are sorted for each page.
    const firstTime = await timeDeepPage('-rating_sum,title');
    const farTimes: number[] = [];
    for (let page = 2000; page < 45_000; page += 4000)
      farTimes.push(await timeDeepPage('-rating_sum,title', page));
    rows.push(
      buildFigureRow(
        'page 45,000 by -rating_sum,title, first request after a start, ms',
        firstTime.toFixed(0),
      ),
      buildFigureRow('pages that are far from each other in this order, ms', median(farTimes).toFixed(0)),
    );
    const timeNextLinks = async (page: number) => {
      const times: number[] = [];
      let url: string = `http://localhost:${server.port}/api/v1/projects/?ordering=-karma&page=${page}&m=${Math.random()}`;
      for (let step = 0; step < 100; step++) {
        const startedAt = performance.now();
        const { next } = (await (await fetch(url)).json()) as { next: string };
        times.push(performance.now() - startedAt);
        url = next;
      }
      return median(times);
    };
    const ratios: number[] = [];
    for (let round = 0; round < 5; round++) {
      const earlyTime = await timeNextLinks(1);
      ratios.push((await timeNextLinks(44_900)) / earlyTime);
    }
    rows.push(
      buildMaximumRow(
        '100 next links up to page 45,000, time compared with the first 100 pages',
        median(ratios),
        3,
      ),
    );
    return rows;
  },

  async size() {
    const [small, large] = [
      await startServer(await sqliteGallery(10_000)),
      await startServer(await sqliteGallery(1_000_000)),
    ];
    const rows: Row[] = [];
    const compareSizes = async (name: string, smallRequest: string, largeRequest = smallRequest) => {
      const rates = await measureRates(
        [
          { name: 'small', server: small, script: writeScript(folder, 'small', smallRequest) },
          { name: 'large', server: large, script: writeScript(folder, 'large', largeRequest) },
        ],
        5,
        1,
      );
      rows.push(
        buildMaximumRow(
          `time with 1,000,000 projects, compared with 10,000: ${name}`,
          (rates.small ?? 0) / (rates.large ?? 1),
          1.3,
        ),
      );
    };
    await compareSizes('a record', buildUncachedRecordRequest(10_000), buildUncachedRecordRequest(1_000_000));
    for (const field of ['created', 'title', 'karma', 'rating_sum', 'id', 'contributor__last_name']) {
      await compareSizes(
        `a listing by ${field}`,
        buildUncachedRequest(`/api/v1/projects/?ordering=${field}`),
      );
    }
    await compareSizes(
      'a listing of one type by -karma',
      buildUncachedRequest('/api/v1/projects/?content_type=quote&ordering=-karma'),
    );
    return rows;
  },

  async writes() {
    const server = await PostgresServer.start({ fsync: 'on' });
    await runCommand(buildVitrineCommand('import', '--database', server.address(), await dump(10_000)));
    const slowAddress = new URL(server.address());
    slowAddress.port = String(await startSlowNetwork(server.port, 2));
    const [small, large, postgres, remote] = [
      await startServerForCreates(await sqliteGallery(10_000)),
      await startServerForCreates(await sqliteGallery(1_000_000)),
      await startServerForCreates(server.address()),
      await startServerForCreates(slowAddress.href),
    ];
    const rates = await measureRates([
      { name: 'one client', server: small, script: small.script, connections: 1 },
      { name: '64 clients', server: small, script: small.script },
      { name: 'large', server: large, script: large.script },
      { name: 'postgres, one client', server: postgres, script: postgres.script, connections: 1 },
      { name: 'postgres, 64 clients', server: postgres, script: postgres.script },
      { name: 'remote, one client', server: remote, script: remote.script, connections: 1 },
    ]);
    const { 'one client': oneClient = 0, '64 clients': manyClients = 0, large: largeGallery = 0 } = rates;
    const rows = [
      buildRatioRow('creates by 64 clients on SQLite, compared with one client', manyClients, oneClient, 6),
      buildMaximumRow(
        'time with 1,000,000 projects, compared with 10,000: a create',
        manyClients / largeGallery,
        1.3,
      ),
      buildFigureRow(
        'a create by one client on PostgreSQL, over a network of 2 ms, ms',
        (1000 / (rates['remote, one client'] ?? 0)).toFixed(1),
      ),
      buildRatioRow(
        'creates by 64 clients on PostgreSQL, compared with one client',
        rates['postgres, 64 clients'] ?? 0,
        rates['postgres, one client'] ?? 0,
        6,
      ),
      buildRatioRow(
        'creates by 64 clients on PostgreSQL, compared with SQLite',
        rates['postgres, 64 clients'] ?? 0,
        manyClients,
        0.5,
      ),
      buildFigureRow(
        'single-row inserts by 64 clients of pgbench on the same PostgreSQL',
        await measurePgbench(server),
      ),
    ];
    await stopAll();
    await server.stop();
    return rows;
  },

  async mixed() {
    const rows: Row[] = [];
    const readRequests = {
      records: recordRequest,
      listings: buildRequest('/api/v1/projects/?content_type=photo&ordering=-karma'),
    };
    const { port, script: createScript } = await startServerForCreates(await sqliteGallery(10_000));
    for (const [name, request] of Object.entries(readRequests)) {
      const readScript = writeScript(folder, `read-${name}`, request);
      const ratesWithoutWrites: number[] = [];
      const ratesDuringWrites: number[] = [];
      let createRate = 0;
      await runWrk(port, readScript);
      for (let round = 0; round < 5; round++) {
        ratesWithoutWrites.push((await runWrk(port, readScript)).rate);
        const creates = runWrk(port, createScript, 4);
        await Bun.sleep(1000);
        ratesDuringWrites.push((await runWrk(port, readScript)).rate);
        createRate = (await creates).rate;
      }
      rows.push(
        buildRatioRow(
          `reads of ${name} while 64 clients write, compared with reads alone`,
          median(ratesDuringWrites),
          median(ratesWithoutWrites),
          0.8,
        ),
      );
      rows.push(buildFigureRow('creates during these reads', formatRate(createRate)));
    }
    return rows;
  },

  async streams() {
    const server = await startServerForCreates(await sqliteGallery(10_000));
    const script = writeScript(folder, 'records-beside-streams', recordRequest);
    const { own: megabytesBefore } = readResidentMegabytes(server);
    const idle = await openStreams(server.port, 10_000);
    const { own: megabytes } = readResidentMegabytes(server);
    await idle.stop();
    const streams = await openStreams(server.port, 1000);
    const { latencies, writeTimes } = await streams.timeEvents(server.create, 200);
    const rate = await streams.countEvents(server.create, 5000);
    const alone: number[] = [];
    const beside: number[] = [];
    for (let round = 0; round < 5; round++) {
      const writes = setInterval(() => void server.create(), 200);
      beside.push((await runWrk(server.port, script)).rate);
      clearInterval(writes);
      alone.push((await runWrk(server.port, script)).rate);
    }
    await streams.stop();
    return [
      buildMaximumRow('memory with 10,000 idle streams, MB', megabytes, 300),
      buildFigureRow('memory before, MB', megabytesBefore.toFixed(0)),
      buildFigureRow(
        'a create until its response, while 1,000 stream: median, ms',
        formatMs(median(writeTimes)),
      ),
      buildMaximumRow('a create until 1,000 streams have its event: median, ms', median(latencies), 50),
      buildMaximumRow('the same, 99th percentile, ms', percentile(latencies, 0.99), 100),
      buildFigureRow('events to 1,000 streams while 8 clients create without a pause', formatRate(rate)),
      buildRatioRow(
        'reads of records while 1,000 stream and five projects are created in a second, compared with streams at rest',
        median(beside),
        median(alone),
        0.8,
      ),
    ];
  },

  async lineage() {
    const database = temporaryPath('lineage.sqlite');
    const dumpFile = temporaryPath('lineage.ndjson');
    const lines = [...generateDump(10_001)].map((line) => {
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
    writeFileSync(dumpFile, `${lines.join('\n')}\n`);
    await runCommand(buildVitrineCommand('import', '--database', database, dumpFile));
    const { port } = await startServer(database);
    const times: number[] = [];
    for (let round = 0; round < 21; round++) {
      const startedAt = performance.now();
      const response = await fetch(
        `http://localhost:${port}/api/v1/projects/1/lineage/?limit=10000&n=${round}`,
      );
      const { copies } = (await response.json()) as { copies: unknown[] };
      times.push(performance.now() - startedAt);
      if (copies.length !== 10_000) throw new Error(`the lineage has ${copies.length} copies`);
    }
    return [buildMaximumRow('the lineage of a project with 10,000 copies on SQLite, ms', median(times), 50)];
  },

  async dumps() {
    const size = 1_000_000;
    const speeds: { import: number[]; export: number[] } = { import: [], export: [] };
    for (let round = 0; round < 3; round++) {
      const database = temporaryPath(`round-${round}.sqlite`);
      let startedAt = performance.now();
      await runCommand(buildVitrineCommand('import', '--database', database, await dump(size)));
      speeds.import.push((size / (performance.now() - startedAt)) * 1000);
      startedAt = performance.now();
      await runCommand(buildVitrineCommand('export', '--database', database, temporaryPath('out.ndjson')));
      speeds.export.push((size / (performance.now() - startedAt)) * 1000);
      for (const suffix of ['', '-wal', '-shm']) rmSync(database + suffix, { force: true });
    }
    const postgres = await PostgresServer.start({ fsync: 'on' });
    const startedAt = performance.now();
    await runCommand(buildVitrineCommand('import', '--database', postgres.address(), await dump(size)));
    const postgresSpeed = (size / (performance.now() - startedAt)) * 1000;
    await postgres.stop();
    return [
      buildMinimumRow(
        'import of 1,000,000 projects on SQLite, projects per second',
        median(speeds.import),
        30_000,
      ),
      buildMinimumRow('the same on PostgreSQL (one round)', postgresSpeed, 30_000),
      buildMinimumRow('export of the same, projects per second', median(speeds.export), 100_000),
    ];
  },

  async directus() {
    const postgres = await PostgresServer.start();
    await runCommand(buildVitrineCommand('import', '--database', postgres.address(), await dump(20_000)));
    const vitrine = await startServer(postgres.address());
    const rows: Row[] = [];
    try {
      const directus = await startDirectus(postgres, temporaryPath('directus'));
      const ids = temporaryPath('directus-ids.txt');
      writeFileSync(ids, (await postgres.query('select id from item')).map(({ id }) => id).join('\n'));
      const formatRequest = (path: string) => `${readLines('ids', ids)}
  return wrk.format('GET', string.format('${path}', ids[math.random(1, #ids)], n))`;
      const projects = '/api/v1/projects/';
      const items = '/items/item?limit=20&meta=filter_count';
      for (const [label, request, requestOfDirectus] of [
        ['a record', formatRequest(`${projects}%s/?n=%d`), formatRequest('/items/item/%s?n=%d')],
        ['20 projects by -karma with their number', `${projects}?ordering=-karma`, `${items}&sort=-karma`],
        ['page 400 by title', `${projects}?ordering=title&page=400`, `${items}&sort=title&page=400`],
      ] as const) {
        const write = (name: string, text: string) =>
          writeScript(folder, name, text.startsWith('/') ? buildUncachedRequest(text) : text);
        const rates = await measureRates([
          { name: 'vitrine', server: vitrine, script: write('vitrine', request) },
          { name: 'directus', server: directus, script: write('directus', requestOfDirectus) },
        ]);
        for (const [name, rate] of Object.entries(rates))
          rows.push(buildFigureRow(`${label} on PostgreSQL, uncached, by ${name}`, `${rate.toFixed(0)}/s`));
      }
    } catch (error) {
      console.error(`Directus does not run here: ${error}`);
    }
    await stopAll();
    await postgres.stop();
    return rows;
  },

  async start() {
    const times: number[] = [];
    for (let round = 0; round < 7; round++) {
      const startedAt = performance.now();
      const server = await startServer(await sqliteGallery(1_000_000));
      await (await fetch(`http://localhost:${server.port}/api/v1/projects/500000/`)).text();
      times.push(performance.now() - startedAt);
      await server.stop();
    }
    const server = await startServer(await sqliteGallery(1_000_000));
    const script = writeScript(folder, 'million', buildUncachedRecordRequest(1_000_000));
    for (let sent = 0; sent < 1_000_000; ) sent += (await runWrk(server.port, script, 5)).requests;
    const { own, mapped } = readResidentMegabytes(server);
    return [
      buildMaximumRow('start with 1,000,000 projects until the first response, ms', median(times), 200),
      buildMaximumRow('memory after a million requests for different records, MB', own, 300),
      buildFigureRow('the same, of files that are mapped into the process, MB', mapped.toFixed(0)),
    ];
  },
};

interface ServerForCreates extends ServerProcess {
  readonly key: string;
  /** For wrk. */
  readonly script: string;
  create(): Promise<void>;
}

/** Starts a server on which projects are created with the key of a new account. */
async function startServerForCreates(database: string): Promise<ServerForCreates> {
  const username = `creator-${crypto.randomUUID()}`;
  await runCommand(
    buildVitrineCommand('user', 'add', username, '--database', database),
    `${crypto.randomUUID()}\n`,
  );
  const key = (
    await runCommand(buildVitrineCommand('key', 'add', username, 'bench', 'write', '--database', database))
  ).trim();
  const server = await startServer(database);
  const { port } = server;
  return {
    ...server,
    key,
    script: writeScript(folder, `create-${port}`, buildCreateRequest(key)),
    async create() {
      const response = await fetch(`http://localhost:${port}/api/v1/projects/`, {
        method: 'POST',
        headers: { Authorization: `Token ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ title: 'A lamp', visibility: 'public', status: 1 }),
      });
      if (response.status !== 201) throw new Error(`a create got ${response.status}`);
    },
  };
}

/** The rate of durable inserts of one row each: an upper limit for creates. */
async function measurePgbench(server: PostgresServer): Promise<string> {
  await server.query('create table if not exists pgbench_insert (id bigserial primary key, title text)');
  const script = temporaryPath('insert.sql');
  writeFileSync(script, "insert into pgbench_insert (title) values ('A lamp that blinks');\n");
  const command = ['pgbench', '-n', '-c', '64', '-j', '1', '-T', '5', '-M', 'prepared', '-f', script];
  const output = await runCommand([
    ...command,
    '-h',
    '127.0.0.1',
    '-p',
    String(server.port),
    '-U',
    'vitrine',
    'postgres',
  ]);
  return formatRate(Number(/tps = ([\d.]+)/.exec(output)?.[1]));
}

/** None where Debian's packages gunicorn and python3-djangorestframework are not installed. */
async function startDjango(gallery: string): Promise<ServerProcess[]> {
  const modules = Bun.spawnSync(['/usr/bin/python3', '-c', 'import gunicorn, rest_framework']);
  if (modules.exitCode !== 0) return [];
  const options = '--workers 2 --threads 4 --bind 127.0.0.1:0 --chdir bench/drf --log-file -';
  // It writes its log to the standard error output.
  const command = ['sh', '-c', `exec /usr/bin/python3 -m gunicorn ${options} gallery:application 2>&1`];
  return [await startProcess(command, { GALLERY: gallery })];
}

interface FetchedRecord {
  readonly path: string;
  readonly etag: string;
  readonly modified: string;
  readonly body: string;
  readonly bytes: number;
}

async function fetchRecords(server: ServerProcess): Promise<FetchedRecord[]> {
  const records: FetchedRecord[] = [];
  for (const id of visibleIds) {
    const path = `/api/v1/projects/${id}/`;
    const response = await fetch(`http://localhost:${server.port}${path}`);
    const body = await response.text();
    const { headers } = response;
    records.push({
      ...{ path, body, bytes: Buffer.byteLength(body) },
      ...{ etag: headers.get('ETag') ?? '', modified: headers.get('Last-Modified') ?? '' },
    });
  }
  return records;
}

/** The record whose response is closest to the average size: the constant sends as many bytes as the others do. */
function findAverageRecord(records: readonly FetchedRecord[]): FetchedRecord {
  const average = records.reduce((sum, { bytes }) => sum + bytes, 0) / records.length;
  const distance = ({ bytes }: FetchedRecord) => Math.abs(bytes - average);
  return records.reduce((best, record) => (distance(record) < distance(best) ? record : best));
}

async function fetchPagePaths(server: ServerProcess, minCount: number): Promise<string[]> {
  const paths: string[] = [];
  for (let page = 1; paths.length < minCount; page++) {
    const url = `http://localhost:${server.port}/api/v1/projects/?fields=html_url&page_size=100&page=${page}`;
    const { results } = (await (await fetch(url)).json()) as { results: { html_url: string }[] };
    paths.push(...results.map(({ html_url }) => new URL(html_url).pathname));
  }
  return paths;
}

function buildRatioRow(label: string, rate: number, referenceRate: number, minimum: number): Row {
  const value = rate / referenceRate;
  return {
    label,
    figure: `${formatRatio(value)} (${formatRate(rate)} of ${formatRate(referenceRate)})`,
    aim: `at least ${minimum}`,
    isReached: value >= minimum,
  };
}

function buildMinimumRow(label: string, value: number, minimum: number): Row {
  return {
    label,
    figure: Math.round(value).toLocaleString('en'),
    aim: `at least ${minimum.toLocaleString('en')}`,
    isReached: value >= minimum,
  };
}

function buildMaximumRow(label: string, value: number, maximum: number): Row {
  return {
    label,
    figure: value < 10 ? formatRatio(value) : value.toFixed(0),
    aim: `at most ${maximum}`,
    isReached: value <= maximum,
  };
}

function buildCostRow(label: string, cost?: Cost): Row {
  const figure = cost ? `${cost.microseconds.toFixed(1)} µs (${formatRate(cost.rate)})` : 'not measured';
  return buildFigureRow(`${label}: processor time`, figure);
}

function buildFigureRow(label: string, figure: string): Row {
  return { label, figure, aim: '', isReached: true };
}

function formatTable(rows: Row[]): string {
  const lines = rows.map(
    ({ label, figure, aim, isReached }) =>
      `| ${label} | ${figure} | ${aim} | ${aim && (isReached ? 'yes' : 'no')} |`,
  );
  return ['| Measured | Figure | Aim | Reached |', '|---|---|---|---|', ...lines].join('\n');
}

function formatIntroduction(machine: string): string {
  return `# Results

\`npm run bench\` on ${machine}. Figures are medians of at least five rounds in which all
candidates took turns (import and export: three). wrk uses 64 connections on the same machine. Compare the ratios, not
the absolute figures.
`;
}

const dumps = new Map<number, Promise<string>>();
const galleries = new Map<number, Promise<string>>();

/** The dump of a gallery of so many projects. Each is made at its first use. */
const dump = (size: number) => dumps.getOrInsertComputed(size, writeDump);
const sqliteGallery = (size: number) => galleries.getOrInsertComputed(size, importDump);

async function writeDump(size: number): Promise<string> {
  const path = temporaryPath(`${size}.ndjson`);
  const file = Bun.file(path).writer();
  for (const line of generateDump(size)) file.write(`${line}\n`);
  await file.end();
  return path;
}

async function readVisibleIds(path: string): Promise<number[]> {
  const lines = (await Bun.file(path).text()).trim().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as { type: string; id: number; status?: number });
  return entries.flatMap(({ type, id, status }) => (type === 'project' && status === 1 ? id : []));
}

async function importDump(size: number): Promise<string> {
  const path = temporaryPath(`${size}.sqlite`);
  await runCommand(buildVitrineCommand('import', '--database', path, await dump(size)));
  return path;
}

const resultsPath = join(import.meta.dir, 'RESULTS.md');
const requestedNames = process.argv.slice(2);
const names = requestedNames.length ? requestedNames : Object.keys(measurements);
try {
  visibleIds.push(...(await readVisibleIds(await dump(10_000))));
  writeFileSync(visibleIdsPath, visibleIds.join('\n'));
  const rows: Row[] = [];
  for (const name of names) {
    console.error(`measuring ${name} …`);
    const results = (await measurements[name]?.()) ?? [];
    await stopAll();
    console.log(formatTable(results));
    rows.push(...results);
  }
  if (requestedNames.length === 0) {
    const machine = `${cpus().length} × ${cpus()[0]?.model}, Bun ${Bun.version}, Node ${(await Bun.$`node --version`.text()).trim().slice(1)}`;
    const previousText = await Bun.file(resultsPath)
      .text()
      .catch(() => '');
    const [, notes = ''] = previousText.split('\n## Notes\n');
    await Bun.write(
      resultsPath,
      `${formatIntroduction(machine)}\n${formatTable(rows)}\n\n## Notes\n${notes}`,
    );
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
