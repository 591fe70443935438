// One write that a writer sends, and what its result can be.

import type { State } from './expected-gallery.ts';

export type ProjectResponse = State & { readonly id: number; readonly copied_from: number | null };

export interface Write {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The Idempotency-Key, if it has one. */
  readonly key?: string;
  /** Adds it to the expected gallery: it was acknowledged, or found to be done. */
  record(response: ProjectResponse): void;
  /** Its result, if it was done. */
  findResult(): Promise<ProjectResponse | undefined>;
}

/** It is unknown whether the write was done: the connection ended, or the server was not available. */
export class NoResponse extends Error {}

/** The gallery differs from the expected one. */
export class Mismatch extends Error {}
