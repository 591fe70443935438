import { z } from 'zod';
import type { Fields } from '../common/fields.ts';
import { anyText, InvalidValue } from '../common/inputs.ts';
import { requireId } from '../gallery/ids.ts';
import { parseOrder, type Sorting } from '../gallery/listing/order.ts';
import { authorizeAny, isPrivate, isRefusedToSome, type Permission } from '../gallery/permissions.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { PageRequest, pageParameters, RecordListing } from '../rest/pagination.ts';
import type { Operation, OperationContext, OperationDescription, Parameters } from '../rest/resource.ts';

interface ApiOperation<Declared extends Parameters, Body extends Fields, IsPartial extends boolean>
  extends OperationDescription<Viewer, Declared, Body, IsPartial> {
  /** A viewer who lacks this permission for every project cannot use the operation. */
  readonly permission: Permission;
}

/** Describes an operation. The types of its handler's query and values follow from its parameters and fields. */
export function operation<
  Declared extends Parameters = Record<never, never>,
  Body extends Fields = Record<never, never>,
  IsPartial extends boolean = false,
>({ permission, errors = [], ...description }: ApiOperation<Declared, Body, IsPartial>): Operation<Viewer> {
  return {
    ...description,
    isPrivate: isPrivate(permission),
    errors: isRefusedToSome(permission) ? [403, ...errors] : errors,
    checkPermission: (viewer) => authorizeAny(viewer, permission),
  };
}

type PageParameters = Parameters & typeof pageParameters;

interface ListOperation<Declared extends PageParameters>
  extends Omit<ApiOperation<Declared, Record<never, never>, false>, 'handle' | 'list'> {
  findListing(
    context: OperationContext<Viewer, Declared> & PageRequest,
  ): RecordListing | Promise<RecordListing>;
}

/** Describes an operation whose response is a page of a listing, or the whole listing. */
export const listOperation = <Declared extends PageParameters>(
  { cursorSecret }: { readonly cursorSecret: string },
  { findListing, ...description }: ListOperation<Declared>,
): Operation<Viewer> =>
  operation<Declared>({
    ...description,
    responseHeaders: ['Link', ...(description.responseHeaders ?? [])],
    handle: async (context) => (await findListing(context)).paginate(context, cursorSecret),
    list: async (context) => (await findListing(context)).wholeList(),
  });

/** An id in a response. */
export const idSchema = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

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
