// The operations of a resource that a viewer may use: OPTIONS and the forms of the browsable page offer them.

import { Failure, Unavailable } from '../../../common/src/errors.ts';
import { type ApiRequest, buildOperationContext } from '../api-request.ts';
import type { Authenticator } from '../authenticator.ts';
import type { Method } from '../methods.ts';
import type { Operation, Resource } from '../resource.ts';

/** Whether the viewer may use the operation on the object in the path. */
export async function isOffered<Viewer>(request: ApiRequest, operation: Operation<Viewer>, viewer: Viewer) {
  try {
    operation.checkPermission(viewer);
    await operation.precheck?.(await buildOperationContext(request, operation, viewer, { readsBody: false }));
    return true;
  } catch (error) {
    if (error instanceof Failure && !(error instanceof Unavailable)) return false;
    throw error;
  }
}

export interface Offer<Viewer> {
  readonly method: Method;
  readonly operation: Operation<Viewer>;
}

/** Those of the methods that the viewer may use. */
export async function listOffers<Viewer>(
  request: ApiRequest,
  { operations }: Resource<Viewer>,
  methods: readonly Method[],
  authenticator: Authenticator<Viewer>,
): Promise<Offer<Viewer>[]> {
  // `identify`, not `authenticate`: showing a form needs no CSRF token.
  const viewer = await authenticator.identify(request.context);
  const offers: Offer<Viewer>[] = [];
  for (const method of methods) {
    const operation = operations[method];
    const sender = operation?.ignoresCredentials ? authenticator.anonymous : viewer;
    if (operation && (await isOffered(request, operation, sender))) offers.push({ method, operation });
  }
  return offers;
}
