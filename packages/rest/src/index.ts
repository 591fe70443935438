// The parts that describe an API: resources and operations, the fields of bodies, lists and their pages, and the errors of handlers.

export { apiText, type Text } from '../../common/src/api-text.ts';
export {
  Conflict,
  Failure,
  Forbidden,
  Gone,
  Invalid,
  NotFound,
  NotSignedIn,
  Outdated,
  TooManyRequests,
  Unavailable,
} from '../../common/src/errors.ts';
export * from '../../common/src/inputs.ts';
export { listOperation, operation } from './describe.ts';
export { BadRequest, TooLarge } from './error-responses.ts';
export * from './fields.ts';
export type { IdempotencyKey } from './idempotency.ts';
export { findListColumns, type ListColumn } from './list-formats.ts';
export {
  createRecordListing,
  type Listing,
  type PageRequest,
  pageParameters,
  pageSchema,
  paginateJson,
  type RecordListing,
} from './pagination.ts';
export { headerMatchesVersion } from './prepared-response.ts';
export type {
  HandlerContext,
  Operation,
  OperationContext,
  OperationDescription,
  OperationResult,
  OwnPage,
  Parameter,
  Parameters,
  Query,
  Resource,
  WholeList,
} from './resource.ts';
export { StoredFile } from './stored-file.ts';
