import type { CallOptions, Connection } from './connection.ts';
import { createIdempotencyKey, type IdempotencyOptions } from './idempotency-key.ts';
import type { Media, UpdateMedia } from './types.ts';
import { sendWithProgress } from './upload.ts';

export interface UploadProgress {
  readonly sentBytes: number;
  /** Of the whole request, which is a little more than the files. */
  readonly totalBytes: number;
}

export interface UploadOptions extends CallOptions, IdempotencyOptions {
  /** What each picture shows, in the order of the files. */
  readonly alt?: readonly string[];
  /** Begins again with 0 if the request is sent again. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** The files of a project. */
export class ProjectMedia {
  constructor(
    private readonly connection: Connection,
    private readonly path: string,
  ) {}

  async list({ signal }: CallOptions = {}): Promise<Media[]> {
    return (await this.connection.request<Media[]>({ path: this.path, signal })).result;
  }

  /** Adds files after the existing ones, and returns all files of the project. A `File` has a name, a `Blob` has none. */
  async upload(files: Blob | readonly Blob[], options: UploadOptions = {}): Promise<Media[]> {
    const { alt = [], signal, idempotencyKey = createIdempotencyKey(), onProgress } = options;
    const body = new FormData();
    for (const file of files instanceof Blob ? [files] : files) body.append('file', file);
    for (const text of alt) body.append('alt', text);
    const headers = { 'Idempotency-Key': idempotencyKey };
    const request = { method: 'POST', path: this.path, headers, body, signal } as const;
    const send = onProgress && sendWithProgress(onProgress);
    return (await this.connection.request<Media[]>(request, send)).result;
  }

  /** Changes the description or the position of a file. */
  async update(number: number, changes: UpdateMedia, { signal }: CallOptions = {}): Promise<Media> {
    const request = { method: 'PATCH', path: `${this.path}${number}/`, body: changes, signal } as const;
    return (await this.connection.request<Media>(request)).result;
  }

  async delete(number: number, { signal }: CallOptions = {}): Promise<void> {
    await this.connection.request<void>({ method: 'DELETE', path: `${this.path}${number}/`, signal });
  }
}
