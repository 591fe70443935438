import { RequestLifetime } from '../common/request-lifetime.ts';

/** A metric that is read when Prometheus asks. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  /** A counter only rises. */
  readonly isCounter?: boolean;
  readonly labelNames?: string[];
  read(set: (value: number, labels?: Record<string, string>) => void): void | Promise<void>;
}

const databaseTimeoutMs = 2000;

/** Undefined if the database does not respond. */
export async function readWithinTimeLimit<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await new RequestLifetime(databaseTimeoutMs, { hasPriority: true }).withinTimeLimit(read);
  } catch {
    return undefined;
  }
}
