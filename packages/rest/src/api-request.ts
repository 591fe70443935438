// One request to a resource, and what its operation's handler receives of it.

import { Invalid } from '../../common/src/errors.ts';
import type { ReadSettings } from '../../common/src/inputs.ts';
import { readFields, readPartially } from './fields.ts';
import { readIdempotencyKey } from './idempotency.ts';
import { isListFormat } from './list-formats.ts';
import { isCompactJson, type Rendering } from './negotiation.ts';
import { readParameters, withoutPages } from './parameters.ts';
import { emptyBody, isForm } from './parsers.ts';
import type { RequestContext } from './request-context.ts';
import type { RequestUrl } from './request-url.ts';
import type { Operation, OperationContext, Parameters, Query } from './resource.ts';

export interface ApiRequest<Viewer = never> {
  readonly context: RequestContext;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** Without the `format` of the browsable page, which shows the exchange in JSON. */
  readonly url: RequestUrl;
  readonly rendering: Rendering;
  /** Unknown members and parameters are errors. */
  readonly isStrict: boolean;
  /** A form of the browsable page can replace POST by another method. */
  readonly method: string;
  /** The operation of the method; undefined if the resource has none. */
  readonly operation: Operation<Viewer> | undefined;
  readonly settings: ReadSettings;
}

/** Parses the query, then the body: only a request that is allowed has a body to read. */
export async function buildOperationContext<Viewer>(
  { context, url, pathParameters, isStrict, rendering, method, settings }: ApiRequest,
  { parameters = {}, fields = {}, isPartial, findProblems }: Operation<Viewer>,
  viewer: Viewer,
  { readsBody }: { readonly readsBody: boolean },
): Promise<OperationContext<Viewer>> {
  const declared = isListFormat(rendering.format) ? withoutPages(parameters) : parameters;
  const options = { isStrict, findProblems, isJson: !isForm(context.headers), settings };
  const readValues = isPartial ? readPartially : readFields;
  let query: Query<Parameters>;
  try {
    query = readParameters(declared, url.query, isStrict, settings);
  } catch (error) {
    // The errors of a changed member depend on what is stored, so only a new item's body is checked.
    if (!(error instanceof Invalid) || !readsBody || method !== 'POST') throw error;
    const { data } = await context.readBody();
    throw collectInvalid(error, () => readValues(fields, data, options));
  }
  const body = readsBody ? await context.readBody() : emptyBody;
  return {
    headers: context.headers,
    origin: context.origin,
    path: url.path,
    query: url.query,
    pathParameters,
    produced: rendering.produced,
    isStrict,
    isShared: context.isRead && isCompactJson(rendering) && context.canShareResponse,
    viewer,
    parameters: query,
    readValues: (isUnchanged) => readValues(fields, body.data, { ...options, isUnchanged }),
    readRequestKey: () => readIdempotencyKey(context, url.path, body),
    get client() {
      return context.client;
    },
    get language() {
      return context.language;
    },
  };
}

/** All that is wrong, at once. */
function collectInvalid(first: Invalid, read: () => unknown): Invalid {
  try {
    read();
  } catch (error) {
    if (error instanceof Invalid) return new Invalid({ ...first.fields, ...error.fields });
  }
  return first;
}
