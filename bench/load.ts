// Loads for wrk, and what it says of them.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A load is a Lua function that makes the next request; `n` counts them, so that an address can be a new one. */
export function load(folder: string, name: string, next: string): string {
  const path = join(folder, `${name}.lua`);
  writeFileSync(path, `math.randomseed(7)\nlocal n = 0\nrequest = function()\n  n = n + 1\n  ${next}\nend\n`);
  return path;
}

/** Records with ids up to 10,000, as they come. */
export const records = "return wrk.format('GET', '/api/v1/projects/' .. math.random(1, 10000) .. '/')";

/** The same, but none that was asked for before, so that nothing remembered can answer. */
export const newRecords = (most: number) =>
  `return wrk.format('GET', '/api/v1/projects/' .. math.random(1, ${most}) .. '/?n=' .. n)`;

export const fixed = (address: string) => `return wrk.format('GET', '${address}')`;

/** The address with a parameter that nobody has asked for before. */
export const always = (address: string) => `return wrk.format('GET', '${address}&n=' .. n)`;

/** Makes projects, each with tags and some words. */
export const creates = (key: string) => `
  local body = '{"title":"A lamp that blinks, number ' .. n .. '","tags":["light","code"],"text":"Solder the red wire first. '
    .. 'Then count to ' .. n .. ' and look whether it blinks.","visibility":"public"}'
  return wrk.format('POST', '/api/v1/projects/', { ['Authorization'] = 'Token ${key}', ['Content-Type'] = 'application/json' }, body)`;

export async function wrk(port: number, script: string, seconds = 2, connections = 64): Promise<number> {
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
  const text = await new Response(child.stdout).text();
  const errors = /Non-2xx or 3xx responses: (\d+)/.exec(text)?.[1];
  const rate = Number(/Requests\/sec:\s+([\d.]+)/.exec(text)?.[1]);
  const total = Number(/(\d+) requests in/.exec(text)?.[1]);
  // A few of the ids are not for everybody.
  if (Number(errors ?? 0) > total / 5) throw new Error(`${script}: ${errors} of ${total} answers are errors`);
  return rate;
}

export interface Contestant {
  readonly name: string;
  readonly port: number;
  readonly script: string;
  /** 64 unless said. */
  readonly connections?: number;
}

/** Requests a second by name: medians of rounds in which all take turns. */
export async function compare(
  contestants: Contestant[],
  rounds = 5,
  seconds = 2,
): Promise<Record<string, number>> {
  const rates = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (const { port, script, connections } of contestants) await wrk(port, script, seconds, connections);
  for (let round = 0; round < rounds; round++) {
    for (const { name, port, script, connections } of contestants)
      rates.get(name)?.push(await wrk(port, script, seconds, connections));
  }
  return Object.fromEntries([...rates].map(([name, values]) => [name, median(values)]));
}

export function median(values: number[]): number {
  const sorted = [...values].sort((first, second) => first - second);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
