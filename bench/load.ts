// Scripts for wrk, and the rates that wrk measures with them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessorSeconds, type ServerProcess } from './process.ts';

/**
 * Writes a Lua script for wrk and returns its path. `nextRequest` is the Lua code that builds a request. The variable
 * `n` counts the requests, so that each can have a different URL. It continues in the next run, because responses to
 * earlier runs are cached.
 */
export function writeScript(folder: string, name: string, nextRequest: string): string {
  const path = join(folder, `${name}.lua`);
  writeFileSync(
    path,
    `math.randomseed(7)\nlocal n = os.time() % 100000 * 100000\nrequest = function()\n  n = n + 1\n  ${nextRequest}\nend\n`,
  );
  return path;
}

/** Lua code that reads the lines of a file once, into a table. */
export const readLines = (table: string, path: string) =>
  `if not ${table} then ${table} = {} for line in io.lines('${path}') do ${table}[#${table} + 1] = line end end`;

/** Requests a random record out of those in the file, which has their ids, one a line. */
export const buildRecordRequest = (idsPath: string) => `${readLines('ids', idsPath)}
  return wrk.format('GET', '/api/v1/projects/' .. ids[math.random(1, #ids)] .. '/')`;

/** Requests a random record with a URL that is new each time, so that no response comes from the cache. */
export const buildUncachedRecordRequest = (maxId: number, key?: string) => {
  const headers = key === undefined ? '' : `, { ['Authorization'] = 'Token ${key}' }`;
  return `return wrk.format('GET', '/api/v1/projects/' .. math.random(1, ${maxId}) .. '/?n=' .. n${headers})`;
};

export const buildRequest = (path: string) => `return wrk.format('GET', '${path}')`;

/** Requests a path, which must have a query, with a parameter that is new each time. */
export const buildUncachedRequest = (path: string) => `return wrk.format('GET', '${path}&n=' .. n)`;

/** Creates a project with tags and a short text. */
export const buildCreateRequest = (key: string) => `
  local body = '{"title":"A lamp that blinks, number ' .. n .. '","tags":["light","code"],"text":"Solder the red wire first. '
    .. 'Then count to ' .. n .. ' and look whether it blinks.","visibility":"public"}'
  return wrk.format('POST', '/api/v1/projects/', { ['Authorization'] = 'Token ${key}', ['Content-Type'] = 'application/json' }, body)`;

interface Run {
  /** Requests per second. */
  readonly rate: number;
  readonly requests: number;
}

/** Runs wrk. */
export async function runWrk(port: number, script: string, seconds = 2, connections = 64): Promise<Run> {
  const command = [
    'wrk',
    '-t1',
    `-c${connections}`,
    `-d${seconds}`,
    '-s',
    script,
    `http://localhost:${port}/`,
  ];
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'ignore' });
  const output = await new Response(child.stdout).text();
  const errors = /Non-2xx or 3xx responses: (\d+)/.exec(output)?.[1];
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
  const requests = Number(/(\d+) requests in/.exec(output)?.[1]);
  // Visitors may not see a few of the records that are requested by a random number.
  if (Number(errors ?? 0) > requests / 5)
    throw new Error(`${script}: ${errors} of ${requests} responses are errors`);
  return { rate, requests };
}

export interface Candidate {
  readonly name: string;
  readonly server: ServerProcess;
  readonly script: string;
  /** By default 64. */
  readonly connections?: number;
}

export interface Cost {
  /** Requests per second. */
  readonly rate: number;
  /** Of processor time for each request. */
  readonly microseconds: number;
}

/** Of each candidate, by name: medians of rounds in which the candidates take turns. */
export async function measureCosts(
  candidates: Candidate[],
  rounds = 5,
  seconds = 2,
): Promise<Record<string, Cost>> {
  const costs = new Map(candidates.map(({ name }) => [name, [] as Cost[]]));
  for (const { server, script, connections } of candidates)
    await runWrk(server.port, script, seconds, connections);
  for (let round = 0; round < rounds; round++) {
    for (const { name, server, script, connections } of candidates) {
      const before = readProcessorSeconds(server);
      const { rate, requests } = await runWrk(server.port, script, seconds, connections);
      const microseconds = ((readProcessorSeconds(server) - before) / requests) * 1e6;
      costs.get(name)?.push({ rate, microseconds });
    }
  }
  return Object.fromEntries(
    [...costs].map(([name, values]) => [
      name,
      {
        rate: median(values.map(({ rate }) => rate)),
        microseconds: median(values.map(({ microseconds }) => microseconds)),
      },
    ]),
  );
}

/** Requests per second of each candidate, by name. */
export async function measureRates(
  ...options: Parameters<typeof measureCosts>
): Promise<Record<string, number>> {
  const costs = await measureCosts(...options);
  return Object.fromEntries(Object.entries(costs).map(([name, { rate }]) => [name, rate]));
}

export function median(values: number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
