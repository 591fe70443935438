// How an application describes its operations.

import type { Fields } from './fields.ts';
import type {
  HandlerContext,
  Operation,
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
