import { Changes } from './changes.ts';
import { Collection, Records } from './collection.ts';
import { type CallOptions, Connection, type ConnectionOptions, type GalleryRequest } from './connection.ts';
import { Projects } from './projects.ts';
import type { Contributor, Me, QueryOf, Tag } from './types.ts';

/** A gallery that runs Vitrine. */
export class Gallery {
  readonly projects: Projects;
  readonly contributors: Records<Contributor, QueryOf<'listContributors'>>;
  readonly tags: Collection<Tag, QueryOf<'listTags'>>;
  readonly changes: Changes;
  readonly #connection: Connection;

  constructor(address: string | URL, options: ConnectionOptions = {}) {
    this.#connection = new Connection(address, options);
    this.projects = new Projects(this.#connection, 'projects/');
    this.contributors = new Records(this.#connection, 'contributors/');
    this.tags = new Collection(this.#connection, 'tags/');
    this.changes = new Changes(this.#connection);
  }

  /** Your account, and your permissions. */
  me(options: CallOptions = {}): Promise<Me> {
    return this.request<Me>({ path: 'me/', signal: options.signal });
  }

  /** Any other request of the API, with the same key, retries and errors. */
  async request<Result>(request: GalleryRequest): Promise<Result> {
    return (await this.#connection.request<Result>(request)).result;
  }
}
