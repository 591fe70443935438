import { Unavailable } from '../../common/src/errors.ts';
import type { Reader } from './database.ts';
import { appliedSchema, isOpenTo } from './migrate.ts';
import type { Schema } from './migration.ts';

/** Refuses writes when a newer version has migrated the database to a schema beside which this version may not write. */
export class SchemaGuard {
  #refusal: Unavailable | undefined;

  constructor(
    private readonly schema: Schema,
    private readonly notify: (message: string) => void,
  ) {}

  async check(reader: Reader): Promise<void> {
    const { program, newest } = this.schema;
    const applied = await appliedSchema(reader);
    if (this.#refusal || applied <= newest || (await isOpenTo(reader, newest))) return;
    const reason = `a newer version of ${program} has migrated the database to schema ${applied}, and this one knows up to ${newest}`;
    this.#refusal = new Unavailable(reason);
    this.notify(`Nothing is written any more: ${reason}. Start the newer version.`);
  }

  /** Throws Unavailable. */
  requireKnownSchema(): void {
    if (this.#refusal) throw this.#refusal;
  }
}
