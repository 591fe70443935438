// Resources and operations as data. Handlers get what they need of the application beside the request.

import { anyText, InvalidValue } from '#common/inputs.ts';
import type { Fields } from '#rest/fields.ts';
import type { Method } from '#rest/methods.ts';
import type { PageRequest, pageParameters, RecordListing } from '#rest/pagination.ts';
import { headerMatchesVersion } from '#rest/prepared-response.ts';
import type {
  HandlerContext,
  Operation,
  OperationContext,
  OperationDescription,
  OperationResult,
  Parameters,
  Resource,
  WholeList,
} from '#rest/resource.ts';
import { transactOnce, type VersionCheck, type WriteContext } from '../changes/write.ts';
import { requireId } from '../ids.ts';
import { parseOrder, type Sorting } from '../listing/order.ts';
import { authorizeAny, isPrivate, isRefusedToSome, type Permission } from '../viewer/permissions.ts';
import type { Viewer } from '../viewer/viewer.ts';
import type { ApiDependencies } from './dependencies.ts';

/** An operation of any parameters and fields. Its handler gets its dependencies with each request. */
export type ApiOperation = HandledOperation<Parameters, Fields, boolean>;

/** A resource with its operations by their methods. */
export interface ApiResource
  extends Omit<Resource<Viewer>, 'operations'>,
    Readonly<Partial<Record<Method, ApiOperation>>> {}

export function createResource(
  { GET, POST, PUT, PATCH, DELETE, ...resource }: ApiResource,
  deps: ApiDependencies,
): Resource<Viewer> {
  const declared = Object.entries({ GET, POST, PUT, PATCH, DELETE });
  const operations = declared.flatMap(([method, described]) =>
    described ? [[method, bindOperation(described, deps)]] : [],
  );
  return { ...resource, operations: Object.fromEntries(operations) };
}

export type ApiContext<Declared extends Parameters = Parameters> = OperationContext<Viewer, Declared>;

/** The status is the one that the operation declares. Without content there is no result. */
type Result = Promise<Omit<OperationResult, 'status'> | undefined> | Promise<void>;

interface Description<Declared extends Parameters, Body extends Fields, IsPartial extends boolean>
  extends Omit<
    OperationDescription<Viewer, Declared, Body, IsPartial>,
    'isPrivate' | 'precheck' | 'handle' | 'list'
  > {
  /** A viewer who lacks this permission for every project cannot use the operation. */
  readonly permission: Permission;
  precheck?(context: ApiContext, deps: ApiDependencies): Promise<unknown>;
  list?(context: ApiContext<Declared>, deps: ApiDependencies): Promise<WholeList>;
}

interface HandledOperation<Declared extends Parameters, Body extends Fields, IsPartial extends boolean>
  extends Description<Declared, Body, IsPartial> {
  handle(context: HandlerContext<Viewer, Declared, Body, IsPartial>, deps: ApiDependencies): Result;
}

/** Describes an operation. The types of its handler's query and values follow from its parameters and fields. */
export const operation = <
  Declared extends Parameters = Record<never, never>,
  Body extends Fields = Record<never, never>,
  IsPartial extends boolean = false,
>(
  description: HandledOperation<Declared, Body, IsPartial>,
): ApiOperation => description;

function bindOperation(
  { permission, errors = [], precheck, handle, list, ...description }: ApiOperation,
  deps: ApiDependencies,
): Operation<Viewer> {
  const checksVersion = 'If-Match' in (description.headers ?? {});
  return {
    ...description,
    isPrivate: isPrivate(permission),
    errors: isRefusedToSome(permission) ? [403, ...errors] : errors,
    checkPermission: (viewer) => authorizeAny(viewer, permission),
    precheck: precheck && (async (context) => void (await precheck(context, deps))),
    async handle(context) {
      if (checksVersion) Object.assign(context, { matchesVersion: buildVersionCheck(context) });
      return withStatus(description.status, await handle(context, deps));
    },
    list: list && ((context) => list(context, deps)),
  };
}

const withStatus = (status: OperationResult['status'], result: Awaited<Result>): OperationResult => ({
  ...(status && { status }),
  ...(result || undefined),
});

interface WriteOperation<Declared extends Parameters, Body extends Fields, IsPartial extends boolean>
  extends Description<Declared, Body, IsPartial> {
  write(
    write: WriteContext,
    context: HandlerContext<Viewer, Declared, Body, IsPartial>,
    deps: ApiDependencies,
  ): Result;
}

/** Describes an operation that is one transaction, and happens only once for each request. */
export const writeOperation = <
  Declared extends Parameters = Record<never, never>,
  Body extends Fields = Record<never, never>,
  IsPartial extends boolean = false,
>({
  write,
  ...description
}: WriteOperation<Declared, Body, IsPartial>): ApiOperation =>
  operation<Declared, Body, IsPartial>({
    ...description,
    handle: (context, deps) =>
      transactOnce(deps.database, context, async (transaction) =>
        // The result is stored with its status.
        withStatus(description.status, await write(transaction, context, deps)),
      ),
  });

type PageParameters = Parameters & typeof pageParameters;

interface ListOperation<Declared extends PageParameters>
  extends Omit<Description<Declared, Record<never, never>, false>, 'list'> {
  findListing(
    context: ApiContext<Declared> & PageRequest,
    deps: ApiDependencies,
  ): RecordListing | Promise<RecordListing>;
}

/** Describes an operation whose response is a page of a listing, or the whole listing. */
export const listOperation = <Declared extends PageParameters>({
  findListing,
  ...description
}: ListOperation<Declared>): ApiOperation =>
  operation<Declared>({
    ...description,
    responseHeaders: ['Link', ...(description.responseHeaders ?? [])],
    handle: async (context, deps) => (await findListing(context, deps)).paginate(context, deps.cursorSecret),
    list: async (context, deps) => (await findListing(context, deps)).wholeList(),
  });

/** For responses with what is never shown again, or differs the next time. */
export const noStore = { 'Cache-Control': 'no-store' };

/** Of a path's part that is an id. */
export const pathId = { ...anyText, example: 1, schema: { type: 'integer', minimum: 1 } };

/** Describes the `id` in a path, as in "The project’s identifier." */
export const idParameter = (possessive: string): Parameters => ({
  id: { description: `The ${possessive} identifier.`, ...pathId },
});

/** Throws NotFound if it is not an id. */
export const parsePathId = ({ pathParameters }: Pick<OperationContext<unknown>, 'pathParameters'>): number =>
  requireId(pathParameters.id);

// The parameter `ordering` of a list. Unknown terms are dropped, as clients of Django REST framework expect.

/** `byDefault` ends the description: "By default newest first." */
export function orderingParameter<Column extends string>(sorting: Sorting<Column>, byDefault: string) {
  const names = Object.keys(sorting.columns);
  return {
    ordering: {
      description: `One or more of ${names.join(', ')}, separated by commas, each with a - for descending. ${byDefault}`,
      schema: { type: 'string', examples: names.flatMap((name) => [`-${name}`, name]) },
      read: (text: string) => parseOrder(text, sorting).order,
      readStrictly(text: string) {
        const { order, dropped } = parseOrder(text, sorting);
        if (dropped.length === 0) return order;
        throw new InvalidValue(
          `Not used: ${dropped.join(', ')}. Known are: ${names.join(', ')}, each with an optional -.`,
        );
      },
    },
  };
}

// The request headers of operations that write.

/** Implemented by `transactOnce`. */
export const idempotencyKeyHeader = {
  'Idempotency-Key': {
    description:
      'If the same request is sent again with the same key, it has no second effect and gets the same response.',
    ...anyText,
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
} satisfies Parameters;

/** `transactOnce` refuses other versions then. */
export const ifMatchHeader = {
  'If-Match': {
    description: 'The ETag of the version that you have read. If it has changed since, the request fails.',
    ...anyText,
  },
} satisfies Parameters;

/** Builds the check of If-Match and If-None-Match; without these headers every version passes. */
function buildVersionCheck({ headers }: Pick<ApiContext, 'headers'>): VersionCheck {
  const [ifMatch, ifNoneMatch] = [headers.get('If-Match'), headers.get('If-None-Match')];
  return (version) =>
    (ifMatch === null || headerMatchesVersion(ifMatch, version)) &&
    (ifNoneMatch === null || !headerMatchesVersion(ifNoneMatch, version));
}
