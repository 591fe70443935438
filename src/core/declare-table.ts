// Tables of the gallery, which say what happens to their rows when somebody leaves or a project is erased.

import { type Columns, table as declare, type Table, type TableOptions } from '#sql';

/**
 * What happens to the rows of a contributor who leaves: projects/people/delete.ts deletes them, or leaves them without a name;
 * `own rules` are written there.
 */
type WhenOwnerLeaves = 'deleted' | 'kept' | 'own rules';

/**
 * What happens to the rows that refer to a project that is deleted for good: projects/writing/erase.ts deletes them, or leaves them;
 * `own rules` are written there.
 */
type WhenProjectErased = 'deleted' | 'kept' | 'own rules';

declare module '#sql/columns.ts' {
  interface TableOptions {
    readonly whenOwnerLeaves?: WhenOwnerLeaves;
    readonly whenProjectErased?: WhenProjectErased;
    /** How many bytes a row takes of the quota of its `contributor`, in SQL, besides those of files. */
    readonly countedBytes?: string;
    /** Columns, besides `contributor`, with somebody whose leaving deletes the row. */
    readonly deletedWith?: readonly string[];
    /** Columns with somebody who, leaving, deletes the row together with all that they have made. */
    readonly deletedWithContent?: readonly string[];
  }
}

/** The contributor in a column of that name owns the row; those named `project` and `collection` refer to a project. */
type RequiredOptions<C extends Columns> = ('contributor' extends keyof C
  ? { readonly whenOwnerLeaves: WhenOwnerLeaves }
  : unknown) &
  (Extract<keyof C, 'project' | 'collection'> extends never
    ? unknown
    : { readonly whenProjectErased: WhenProjectErased });
type OptionsFor<C extends Columns> =
  Record<never, never> extends RequiredOptions<C>
    ? [options?: TableOptions]
    : [options: TableOptions & RequiredOptions<C>];

export const table = <const C extends Columns, const Key extends keyof C & string>(
  name: string,
  key: readonly Key[],
  columns: C,
  ...[options]: OptionsFor<C>
): Table<C, Key> => declare(name, key, columns, options);
