// /api/v1/changes/stream/: the changes as server-sent events (HTML, "Server-sent events"), each with its number as its id.

import { Invalid } from '#common/errors.ts';
import { readOrThrow } from '#common/inputs.ts';
import { toJson } from '#common/json.ts';
import type { Bytes, StreamSource } from '#rest/open-responses.ts';
import { type ApiContext, type ApiResource, operation } from '../../core/api/operation.ts';
import { findChangeHead } from '../../core/changes/head.ts';
import { type FeedEntry, findHeadAfter } from '../../projects/changes/change-feed.ts';
import type {
  ChangeSubscriptions,
  Subscription,
  SubscriptionRequest,
} from '../../projects/changes/subscriptions.ts';
import { projectFilters } from '../../projects/reading/filters.ts';
import {
  changeFilterParameters,
  findOwner,
  readChangeFilters,
  serializeChange,
  sinceParameter,
} from './api.ts';

const mediaType = 'text/event-stream';

/** After how many milliseconds a client connects again: not all at the same time, and not while a server stops. */
const chooseRetry = () => 2000 + Math.floor(Math.random() * 2000);

type EncodeEntries = (entries: readonly FeedEntry[]) => Bytes;

/** Sends the changes of a subscription. */
function createSource(
  subscriptions: ChangeSubscriptions,
  request: SubscriptionRequest,
  encode: EncodeEntries,
): StreamSource {
  let subscription: Subscription | undefined;
  return {
    /** The id lets a client that gets no event resume from here. */
    begin(stream) {
      stream.write(`retry: ${chooseRetry()}\nid: ${request.since}\n\n`);
      subscription = subscriptions.subscribe(request, {
        get hasRoom() {
          return stream.hasRoom;
        },
        deliver: (entries) => stream.write(encode(entries)),
        end: () => stream.end(),
      });
    },
    resume: () => subscription?.resume(),
    /** With a new id, a client that gets few of the changes need not resume far back. */
    heartbeat: () => `: still here\nid: ${subscription?.position}\n\n`,
    close: () => subscription?.close(),
  };
}

export const changeStreamResource: ApiResource = {
  path: '/api/v1/changes/stream/',
  name: 'Change Stream',
  description:
    'The changes that you may see, as server-sent events. The id of an event is the number of the change, its data is the change as in the list.',
  GET: operation({
    operationId: 'streamChanges',
    summary: 'Sends each change as it happens, until the client closes the connection.',
    parameters: {
      since: {
        ...sinceParameter,
        description: 'The number of the last change that you know; by default the newest.',
      },
      ...changeFilterParameters,
    },
    headers: {
      'Last-Event-ID': {
        ...sinceParameter,
        description:
          'The id of the last event, which browsers send when they connect again; instead of `since`.',
      },
    },
    permission: 'read',
    produces: { events: mediaType },
    errors: [410],
    async handle(context, deps) {
      const { headers, viewer, origin, parameters } = context;
      refuseOtherFilters(context);
      const filters = readChangeFilters(deps, context);
      const known = readLastEventId(headers) ?? parameters.since;
      const since = known ?? (await findChangeHead(deps.database)).last;
      if (known !== undefined) await findHeadAfter(deps.database, known);
      const owner = findOwner(deps.authenticator, context);
      await deps.openResponses.requireRoom(owner);
      const request = { viewer, owner, filters, since };
      const source = createSource(deps.changeSubscriptions, request, createEncoder(origin, deps.timeZone));
      return {
        stream: () => deps.openResponses.openStream(owner, source),
        staysOpen: true,
        mediaType,
        headers: {
          // nginx would keep events back, and hand on a connection that is to be closed.
          'X-Accel-Buffering': 'no',
          Connection: 'close',
        },
      };
    },
  }),
};

/** Somebody who asks for fewer changes than they would get must know. */
function refuseOtherFilters({ query }: Pick<ApiContext, 'query'>) {
  const names = Object.entries(projectFilters).flatMap(([name, { matches }]) => (matches ? [] : [name]));
  const errors = names
    .filter((name) => query.has(name))
    .map((name) => [name, ['A stream has no such filter.']]);
  if (errors.length > 0) throw new Invalid(Object.fromEntries(errors));
}

function readLastEventId(headers: Headers): number | undefined {
  const text = headers.get('Last-Event-ID');
  if (text === null) return undefined;
  return readOrThrow(sinceParameter, text, (problem) => new Invalid({ 'Last-Event-ID': [problem] }));
}

const textEncoder = new TextEncoder();
/** By the entries, which belong to one gallery, then by the origin. */
const encoded = new WeakMap<readonly FeedEntry[], Map<string, Bytes>>();

/** Viewers who see the same entries get the same bytes. */
const createEncoder =
  (origin: string, timeZone: string): EncodeEntries =>
  (entries) => {
    const byOrigin = encoded.get(entries) ?? new Map<string, Bytes>();
    encoded.set(entries, byOrigin);
    const bytes = byOrigin.get(origin) ?? encodeEntries(entries, origin, timeZone);
    byOrigin.set(origin, bytes);
    return bytes;
  };

function encodeEntries(entries: readonly FeedEntry[], origin: string, timeZone: string): Bytes {
  const events = entries.map((entry) => {
    const data = toJson(serializeChange(entry, origin, timeZone));
    return `id: ${entry.sequence}\ndata: ${data}\n\n`;
  });
  return textEncoder.encode(events.join(''));
}
