// Many streams of changes, from this process: plain sockets, so that the client takes as little time as possible.

interface Streams {
  /**
   * Creates one project after another. How many milliseconds each took until its response, and until each stream had its
   * event.
   */
  timeEvents(
    create: () => Promise<void>,
    count: number,
  ): Promise<{ latencies: number[]; writeTimes: number[] }>;
  /** Creates projects without a pause; the events of all streams in a second. */
  countEvents(create: () => Promise<void>, ms: number): Promise<number>;
  stop(): Promise<void>;
}

const request =
  'GET /api/v1/changes/stream/ HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n';
const writers = 8;

export const percentile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;

export async function openStreams(port: number, count: number): Promise<Streams> {
  let opened = 0;
  let events = 0;
  let onEvents = (_: number) => {};
  const sockets: Bun.Socket[] = [];
  const receive = (chunk: Buffer) => {
    const text = chunk.toString('latin1');
    if (text.includes('retry:')) opened++;
    const received = text.split('data: ').length - 1;
    events += received;
    if (received > 0) onEvents(received);
  };
  for (let index = 0; index < count; index++) {
    const socket = await Bun.connect({
      hostname: '127.0.0.1',
      port,
      socket: { data: (_, chunk) => receive(chunk) },
    });
    socket.write(request);
    sockets.push(socket);
  }
  while (opened < count) await Bun.sleep(10);
  return {
    async timeEvents(create, rounds) {
      const [latencies, writeTimes]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round++) {
        const startedAt = performance.now();
        let missing = count;
        const { promise, resolve } = Promise.withResolvers<void>();
        onEvents = (received) => {
          for (let event = 0; event < received; event++) latencies.push(performance.now() - startedAt);
          missing -= received;
          if (missing <= 0) resolve();
        };
        await create();
        writeTimes.push(performance.now() - startedAt);
        await promise;
      }
      onEvents = () => {};
      return { latencies, writeTimes };
    },
    async countEvents(create, ms) {
      const [before, startedAt] = [events, performance.now()];
      const write = async () => {
        while (performance.now() - startedAt < ms) await create();
      };
      await Promise.all(Array.from({ length: writers }, write));
      return ((events - before) / (performance.now() - startedAt)) * 1000;
    },
    async stop() {
      for (const socket of sockets) socket.terminate();
      await Bun.sleep(500);
    },
  };
}
