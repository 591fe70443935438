import type { Fields } from '../common/fields.ts';
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
