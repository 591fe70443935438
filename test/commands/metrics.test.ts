// `serve --metrics-port`: what Prometheus reads.

import { expect, test } from 'bun:test';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { freePort, onFreePort } from '../support/processes.ts';
import { serve, vitrine } from '../support/server.ts';
import { limitTime } from '../support/waiting.ts';
import { noLimits, startWorkers } from '../support/workers.ts';

async function readMetrics(port: number): Promise<string[]> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  expect(response.headers.get('Content-Type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  return (await response.text()).split('\n');
}

onBothDatabases((kind) => {
  test('the workers of a server count their requests together, by the patterns of routes', async () => {
    const [{ server }, port] = await onFreePort((port) =>
      startWorkers(kind, 2, '--demo', '--metrics-port', String(port), ...noLimits),
    );
    const paths = ['/api/v1/projects/1/', '/api/v1/projects/2/', '/api/v1/projects/1/', '/nowhere/?secret=1'];
    for (const path of paths) await (await fetch(server.address + path)).text();
    await fetch(`${server.address}/api/v1/projects/1/`, { method: 'TRACE' });

    const metrics = await readMetrics(port);
    const requests = new Map<string, number>();
    for (const line of metrics) {
      const [, labels, count] = /^vitrine_http_requests_total\{(.*),worker="[12]"\} (\d+)$/.exec(line) ?? [];
      if (labels) requests.set(labels, (requests.get(labels) ?? 0) + Number(count));
    }
    expect(Object.fromEntries(requests)).toEqual({
      'route="/api/v1/projects/:id/",method="GET",status="200"': 3,
      'route="/api/v1/projects/:id/",method="other",status="405"': 1,
      'route="*",method="GET",status="404"': 1,
    });
    expect(metrics.join('\n')).not.toContain('secret');
    for (const worker of [1, 2]) {
      expect(metrics).toContain(`vitrine_database_up{worker="${worker}"} 1`);
      expect(metrics).toContain(`vitrine_database_queue_waiting{queue="writes",worker="${worker}"} 0`);
      expect(metrics.some((line) => line.startsWith(`process_open_fds{worker="${worker}"}`))).toBe(true);
    }
  });
});

test('remembered responses and finished backups are counted, and visitors cannot read it', async () => {
  const [database, backups] = [temporaryPath('metrics.sqlite'), temporaryPath('backups')];
  const [server, port] = await onFreePort((port) =>
    serve('--demo', '--database', database, '--metrics-port', String(port)),
  );
  for (let request = 0; request < 4; request++) await (await fetch(`${server.address}/api/v1/`)).text();
  const before = Date.now() / 1000;
  expect((await vitrine('backup', backups, '--database', database)).code).toBe(0);

  const metrics = await readMetrics(port);
  expect(metrics).toContain('vitrine_response_cache_requests_total{result="hit",worker="1"} 2');
  expect(metrics).toContain('vitrine_response_cache_requests_total{result="miss",worker="1"} 2');
  expect(metrics).toContain('vitrine_http_request_duration_seconds_count{worker="1",route="/api/v1/"} 4');
  const job = 'vitrine_job_last_success_timestamp_seconds{job="backup",worker="1"} ';
  const finished = Number(metrics.find((line) => line.startsWith(job))?.slice(job.length));
  expect(finished).toBeGreaterThan(before - 1);
  expect(metrics.join('\n')).not.toContain(backups);
  expect((await fetch(`${server.address}/metrics`)).status).toBe(404);
  const taken = ['--port', '0', '--metrics-port', String(port)];
  expect(await vitrine('serve', '--database', database, ...taken)).toEqual({
    code: 2,
    out: '',
    error: `vitrine: The port ${port} is taken: stop the other program or choose one with --metrics-port.\n`,
  });
  const elsewhere = ['--metrics-port', String(freePort()), '--metrics-host', '203.0.113.9'];
  expect(await vitrine('serve', '--database', database, '--port', '0', ...elsewhere)).toEqual({
    code: 2,
    out: '',
    error: 'vitrine: 203.0.113.9 is no address of this machine: choose one with --metrics-host.\n',
  });
  limitTime('port', 0);
  const ports = ['--port', String(server.port), '--metrics-port', String(freePort())];
  expect(await vitrine('serve', '--database', database, ...ports)).toEqual({
    code: 2,
    out: '',
    error: `vitrine: The port ${server.port} is taken: stop the other program or choose one with --port.\n`,
  });
});
