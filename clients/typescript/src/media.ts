import type { CallOptions, Connection } from './connection.ts';
import { createIdempotencyKey, type IdempotencyOptions } from './idempotency-key.ts';
import type { Media, UpdateMedia } from './types.ts';
import { sendWithProgress } from './upload.ts';

export interface UploadProgress {
  readonly sentBytes: number;
  /** Of the whole request, which is a little more than the files. */
  readonly totalBytes: number;
}

/** A `File` has a name, a `Blob` has none. */
export type Files = Blob | readonly Blob[];

export interface UploadOptions extends CallOptions, IdempotencyOptions {
  /** A description of each picture, in the order of the files. */
  readonly alt?: readonly string[];
  /** Begins again with 0 if the request is sent again. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** Files, and the members of a record as text. */
export function createForm(files: Files, alt: readonly string[], values: object = {}): FormData {
  const form = new FormData();
  // An array becomes a text with commas.
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) form.append(name, String(value ?? ''));
  for (const file of files instanceof Blob ? [files] : files) form.append('file', file);
  for (const text of alt) form.append('alt', text);
  return form;
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

  /** Adds files after the existing ones, and returns all files of the project. */
  async upload(files: Files, options: UploadOptions = {}): Promise<Media[]> {
    const { alt = [], signal, idempotencyKey = createIdempotencyKey(), onProgress } = options;
    const body = createForm(files, alt);
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
