// A collector of OpenTelemetry that keeps the spans it gets.

import { closeLater } from './closing.ts';

export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: Attribute[];
  readonly traceState?: string;
  readonly status: { code: number };
}

interface Attribute {
  readonly key: string;
  readonly value: Record<string, unknown>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
}

export interface Collector {
  readonly port: number | undefined;
  readonly spans: Span[];
  /** The attributes of each process that has sent spans. */
  readonly resources: Record<string, unknown>[];
  readonly requests: Request[];
}

export function startCollector(): Collector {
  const [spans, resources, requests] = [[] as Span[], [] as Record<string, unknown>[], [] as Request[]];
  const server = Bun.serve({
    port: 0,
    async fetch(request) {
      requests.push(request);
      const { resourceSpans } = (await request.json()) as Export;
      for (const { resource, scopeSpans } of resourceSpans) {
        resources.push(toObject(resource.attributes));
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
      return Response.json({});
    },
  });
  closeLater(() => server.stop(true));
  return { port: server.port, spans, resources, requests };
}

export const toObject = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const kinds = ['', 'internal', 'server', 'client'];

/** The spans of a trace as lines, each indented below its parent. Texts of queries are left out. */
export function describeTrace(spans: readonly Span[], traceId: string, parent: string): string[] {
  return spans
    .filter((span) => span.traceId === traceId && span.parentSpanId === parent)
    .sort((a, b) => Number(BigInt(a.startTimeUnixNano) - BigInt(b.startTimeUnixNano)))
    .flatMap(({ spanId, name, kind, attributes, status }) => {
      const { 'db.query.text': _, ...shown } = toObject(attributes);
      const values = Object.entries(shown).map(([key, value]) => ` ${key}=${value}`);
      const line = `${kinds[kind]} ${name}${values.join('')}${status.code === 2 ? ' error' : ''}`;
      return [line, ...describeTrace(spans, traceId, spanId).map((child) => `  ${child}`)];
    });
}
