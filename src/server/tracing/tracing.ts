// Traces of requests, if somebody wants them: a collector, or a client in the header Server-Timing.

import { errorMessage, OperatorError } from '#common/errors.ts';
import type { Log } from '#common/log.ts';
import { RequestTrace } from '#common/request-trace.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { parseChoice } from '../../core/settings/setting-values.ts';

export interface Tracing {
  startTrace(context: RequestContext): RequestTrace;
  /** Sends what is left, for at most a second. */
  stop(): Promise<void>;
}

interface TracingOptions {
  readonly exportsTraces: boolean;
  /** Responses have the header Server-Timing. */
  readonly serverTiming: boolean;
}

/** Undefined if nobody wants traces. */
export async function startTracing(
  { exportsTraces, serverTiming }: TracingOptions,
  log: Log,
): Promise<Tracing | undefined> {
  if (!exportsTraces && !serverTiming) return undefined;
  const stop = exportsTraces ? (await import('./exporter.ts')).startExporter(log) : async () => {};
  return { startTrace: (context) => new RequestTrace(context, serverTiming), stop };
}

// The standard variables of OpenTelemetry. Its packages read them too, but only warn if they are wrong.

type Environment = Readonly<Record<string, string | undefined>>;

const rootSamplers = ['always_on', 'always_off', 'traceidratio'];
const samplers = [...rootSamplers, ...rootSamplers.map((name) => `parentbased_${name}`)];

/** Whether traces are exported. Throws if a variable is wrong that matters then. */
export function readTracingVariables(environment: Environment): boolean {
  const parse = (name: string, check: (text: string) => unknown) => {
    const text = environment[name];
    if (text) checkValue(name, text, check);
    return text;
  };
  const isDisabled = parse('OTEL_SDK_DISABLED', (text) => parseChoice('true', 'false')(text.toLowerCase()));
  if (isDisabled?.toLowerCase() === 'true') return false;
  const endpoints = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  if (!endpoints.some((name) => environment[name])) return false;
  for (const name of endpoints) parse(name, checkEndpoint);
  for (const kind of ['OTEL_EXPORTER_OTLP_', 'OTEL_EXPORTER_OTLP_TRACES_']) {
    parse(`${kind}PROTOCOL`, (text) => checkOnly(text, ['http/json']));
    parse(`${kind}HEADERS`, checkPairs);
    parse(`${kind}TIMEOUT`, (text) => checkNumber(text, 600_000, 'milliseconds, from 0 to 600000'));
  }
  parse('OTEL_RESOURCE_ATTRIBUTES', checkPairs);
  parse('OTEL_TRACES_SAMPLER', (text) => checkOnly(text, samplers));
  parse('OTEL_TRACES_SAMPLER_ARG', (text) => checkNumber(text, 1, 'a number from 0 to 1'));
  return true;
}

/** Without the value in the message: headers have secrets. */
function checkValue(name: string, text: string, check: (text: string) => unknown): void {
  try {
    check(text.trim());
  } catch (error) {
    throw new OperatorError(`${name} ${errorMessage(error)}.`);
  }
}

function checkEndpoint(text: string): void {
  const url = URL.parse(text);
  if (url && /^https?:$/.test(url.protocol)) return;
  throw new OperatorError('must be an address that begins with http:// or https://');
}

function checkOnly(text: string, choices: readonly string[]): void {
  if (!choices.includes(text)) throw new OperatorError(`must be ${choices.join(', ')}`);
}

function checkNumber(text: string, max: number, expected: string): void {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) > max) throw new OperatorError(`must be ${expected}`);
}

function checkPairs(text: string): void {
  for (const pair of text.split(',').filter((part) => part.trim())) {
    const [, value] = /^\s*[\w!#$%&'*+.^`|~/-]+\s*=\s*([\x21-\x7e ]*)$/.exec(pair) ?? [];
    if (value === undefined || !isEncoded(value))
      throw new OperatorError(
        'must be pairs such as name=value, separated by commas, with values as in URLs',
      );
  }
}

function isEncoded(value: string): boolean {
  try {
    decodeURIComponent(value);
    return true;
  } catch {
    return false;
  }
}
