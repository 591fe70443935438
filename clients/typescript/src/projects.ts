import { Collection } from './collection.ts';
import { Comments } from './comments.ts';
import type { CallOptions, GalleryRequest, Send } from './connection.ts';
import { Conflict, GalleryError } from './errors.ts';
import { createIdempotencyKey, type IdempotencyOptions } from './idempotency-key.ts';
import { createForm, type Files, ProjectMedia, type UploadOptions } from './media.ts';
import type { CreateProject, Members, Project, ProjectQuery, Rating, UpdateProject } from './types.ts';
import { sendWithProgress } from './upload.ts';

/** A project that was read before. */
export type KnownProject = Pick<Project, 'id' | 'modified'>;

type MemberOptions = CallOptions & Members;
type CopyOptions = MemberOptions & IdempotencyOptions;
type CreateOptions = Members & UploadOptions & { readonly files?: Files | undefined };

export class Projects extends Collection<Project, ProjectQuery> {
  /** The ETags of the records that this object returned. */
  readonly #etags = new WeakMap<object, string>();

  async get(id: number, { signal, ...query }: MemberOptions = {}): Promise<Project> {
    return this.#remember({ path: this.#pathOf(id), query, signal });
  }

  /** With its files, all or nothing. Sent again after a lost connection, it still creates one project. */
  create(values: CreateProject, options: CreateOptions = {}): Promise<Project> {
    const { files, alt = [], onProgress, ...others } = options;
    if (!files) return this.#create(this.path, values, others);
    const send = onProgress && sendWithProgress(onProgress);
    return this.#create(this.path, createForm(files, alt, values), others, send);
  }

  /**
   * Changes a project. If you give the record that you read, and anybody has changed the project since, nothing is written
   * and the error is `Conflict`. If you give a number, the last one wins.
   */
  async update(
    project: number | KnownProject,
    changes: UpdateProject,
    { signal, ...query }: MemberOptions = {},
  ): Promise<Project> {
    const headers = await this.#precondition(project, signal);
    const path = this.#pathOf(project);
    return this.#remember({ method: 'PATCH', path, query, headers, body: changes, signal });
  }

  /** Moves a project to the trash. A record that is out of date is a `Conflict`, as in `update`. */
  async delete(project: number | KnownProject, { signal }: CallOptions = {}): Promise<void> {
    const headers = await this.#precondition(project, signal);
    await this.connection.request<void>({ method: 'DELETE', path: this.#pathOf(project), headers, signal });
  }

  /** A private copy that is yours. */
  copy(project: number | KnownProject, options: CopyOptions = {}): Promise<Project> {
    return this.#create(`${this.#pathOf(project)}copy/`, undefined, options);
  }

  /** 1 to 5. A second rating replaces the first. */
  async rate(project: number | KnownProject, value: number, { signal }: CallOptions = {}): Promise<Rating> {
    const path = `${this.#pathOf(project)}rating/`;
    return (await this.connection.request<Rating>({ method: 'PUT', path, body: { value }, signal })).result;
  }

  async withdrawRating(project: number | KnownProject, { signal }: CallOptions = {}): Promise<void> {
    const path = `${this.#pathOf(project)}rating/`;
    await this.connection.request<void>({ method: 'DELETE', path, signal });
  }

  comments(project: number | KnownProject): Comments {
    return new Comments(this.connection, `${this.#pathOf(project)}comments/`);
  }

  media(project: number | KnownProject): ProjectMedia {
    return new ProjectMedia(this.connection, `${this.#pathOf(project)}media/`);
  }

  #create(path: string, body: unknown, options: CopyOptions, send?: Send): Promise<Project> {
    const { signal, idempotencyKey = createIdempotencyKey(), ...query } = options;
    const headers = { 'Idempotency-Key': idempotencyKey };
    return this.#remember({ method: 'POST', path, query, headers, body, signal }, send);
  }

  async #remember(request: GalleryRequest, send?: Send): Promise<Project> {
    const { result, headers } = await this.connection.request<Project>(request, send);
    const etag = headers.get('ETag');
    if (etag !== null) this.#etags.set(result, etag);
    return result;
  }

  /** Records of a list, and copies of records, have no ETag: `modified` says whether they are out of date. */
  async #precondition(project: number | KnownProject, signal?: AbortSignal): Promise<Record<string, string>> {
    if (typeof project === 'number') return {};
    let etag = this.#etags.get(project);
    if (etag === undefined) {
      const current = await this.get(project.id, { signal });
      if (current.modified !== project.modified)
        throw new Conflict({ status: 412, detail: 'The project has changed since you read it.' });
      etag = this.#etags.get(current);
    }
    if (etag === undefined) throw new GalleryError({ status: 200, detail: 'The response has no ETag.' });
    return { 'If-Match': etag };
  }

  #pathOf(project: number | KnownProject): string {
    return `${this.path}${typeof project === 'number' ? project : project.id}/`;
  }
}
