// How an application describes its operations.

import type { z } from 'zod';
import type { Secret } from '../../common/src/signature.ts';
import type { Fields } from './fields.ts';
import { createRecordListing, type Listing, pageParameters, pageSchema } from './pagination.ts';
import type {
  HandlerContext,
  Operation,
  OperationContext,
  OperationDescription,
  OperationResult,
  Parameters,
} from './resource.ts';

interface DescribedOperation<
  Viewer,
  Declared extends Parameters,
  Body extends Fields,
  IsPartial extends boolean,
> extends Omit<OperationDescription<Viewer, Declared, Body, IsPartial>, 'handle'> {
  /** Throws if the viewer may not use the operation at all; without it, everybody may. */
  checkPermission?(viewer: Viewer): void;
  /** The status is the one that the operation declares. Without content there is no result. */
  handle(
    context: HandlerContext<Viewer, Declared, Body, IsPartial>,
  ): Promise<Omit<OperationResult, 'status'> | undefined>;
}

/** An operation. The types of its handler's query and values follow from its parameters and fields. */
export function operation<
  Viewer,
  Declared extends Parameters = Record<never, never>,
  Body extends Fields = Record<never, never>,
  IsPartial extends boolean = false,
>(description: DescribedOperation<Viewer, Declared, Body, IsPartial>): Operation<Viewer>;
export function operation<Viewer>({
  checkPermission = () => {},
  handle,
  ...description
}: DescribedOperation<Viewer, Parameters, Fields, boolean>): Operation<Viewer> {
  const { status } = description;
  return {
    ...description,
    checkPermission,
    handle: async (context) => ({ ...(status && { status }), ...(await handle(context)) }),
  };
}

type Paged<Declared extends Parameters> = Declared & typeof pageParameters;
type Records = Readonly<Record<string, unknown>>[];

interface DescribedList<Viewer, Declared extends Parameters, Item, Position>
  extends Omit<
    DescribedOperation<Viewer, Paged<Declared>, Record<never, never>, false>,
    'parameters' | 'responseSchema' | 'handle' | 'list'
  > {
  /** Beside those that choose a page. */
  readonly parameters?: Declared;
  /** The schema of a record, with an `id` in its metadata: that of a page is `idPage`. */
  readonly record: z.ZodObject;
  /** Signs the cursors. Of several, the first signs; those that all of them signed are valid. */
  readonly cursorSecret: Secret;
  findListing(
    context: OperationContext<Viewer, Paged<Declared>>,
  ): Listing<Item, Position> | Promise<Listing<Item, Position>>;
  /** Makes records of items; without it, they are records. */
  serialize?(items: Item[]): Records | Promise<Records>;
}

/** Two lists may have the same records: the OpenAPI document has the schema of their pages once. */
const pageSchemas = new WeakMap<z.ZodObject, z.ZodObject>();

function findPageSchema(record: z.ZodObject): z.ZodObject {
  const { id } = record.meta() ?? {};
  if (id === undefined) throw new Error('The schema of the records of a list needs an id in its metadata.');
  const schema =
    pageSchemas.get(record) ?? pageSchema(record, { id: `${id}Page`, description: 'A page of a list.' });
  pageSchemas.set(record, schema);
  return schema;
}

/** An operation whose response is a page of a listing, or the whole listing. */
export function listOperation<Viewer, Item, Position, Declared extends Parameters = Record<never, never>>({
  record,
  cursorSecret,
  findListing,
  serialize = (items) => items as Records,
  ...description
}: DescribedList<Viewer, Declared, Item, Position>): Operation<Viewer> {
  const find = async (context: OperationContext<Viewer, Paged<Declared>>) =>
    createRecordListing(await findListing(context), record, serialize);
  return operation<Viewer, Paged<Declared>>({
    ...description,
    parameters: { ...pageParameters, ...description.parameters } as Paged<Declared>,
    responseHeaders: ['Link', ...(description.responseHeaders ?? [])],
    responseSchema: findPageSchema(record),
    handle: async (context) => (await find(context)).paginate(context, cursorSecret),
    list: async (context) => (await find(context)).wholeList(),
  });
}
