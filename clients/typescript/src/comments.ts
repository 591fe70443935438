import { Collection } from './collection.ts';
import type { CallOptions } from './connection.ts';
import { createIdempotencyKey, type IdempotencyOptions } from './idempotency-key.ts';
import type { Comment, CreateComment, Members, QueryOf } from './types.ts';

type CreateOptions = CallOptions & Members & IdempotencyOptions;

/** The comments on a project, oldest first. */
export class Comments extends Collection<Comment, QueryOf<'listComments'>> {
  /** With `parent`, it replies to a comment of the same thread. */
  async create(values: CreateComment, options: CreateOptions = {}): Promise<Comment> {
    const { signal, idempotencyKey = createIdempotencyKey(), ...query } = options;
    const headers = { 'Idempotency-Key': idempotencyKey };
    const request = { method: 'POST', path: this.path, query, headers, body: values, signal } as const;
    return (await this.connection.request<Comment>(request)).result;
  }
}
