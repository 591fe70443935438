// Decides which events a webhook gets, at the moment when one is sent.

import { NotFound } from '../../common/errors.ts';
import type { Reader } from '../../database/database.ts';
import {
  type FeedEntry,
  findReadable,
  keepMatching,
  loadFilteredProjects,
  markGone,
} from '../change-stream/change-feed.ts';
import { subjectOf } from '../changes/kinds.ts';
import type { ProjectFinder } from '../projects/reading/find.ts';
import type { AppliedFilters } from '../projects/reading/tagged-projects.ts';
import type { Viewer } from '../viewer.ts';
import type { Webhook } from './webhook.ts';

/** Undefined if a filter no longer exists, or comes from another gallery. */
export function findWebhookFilters(
  projects: Pick<ProjectFinder, 'parseFilter'>,
  { filter, events, contributor }: Pick<Webhook, 'filter' | 'events' | 'contributor'>,
): AppliedFilters | undefined {
  const owner = String(contributor);
  try {
    const filters = [...new URLSearchParams(filter)].flatMap(([name, text]) => [
      ...projects.parseFilter(name, name === 'contributor' && text === 'me' ? owner : text),
    ]);
    return new Map(events === 'own' ? [...filters, ...projects.parseFilter('contributor', owner)] : filters);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}

/** The entry as the owner may see it now; undefined if the webhook does not get it. */
export async function decideEvent(
  reader: Reader,
  viewer: Viewer,
  { events, contributor }: Pick<Webhook, 'events' | 'contributor'>,
  filters: AppliedFilters,
  entry: FeedEntry,
): Promise<FeedEntry | undefined> {
  if (subjectOf(entry.kind) !== 'project')
    return events === 'gallery' && viewer.isModerator ? entry : undefined;
  const projects = await loadFilteredProjects(reader, [entry.subject]);
  // An entry for a project that is gone passes filters, but only its owner may know that it was theirs.
  if (events === 'own' && projects[0]?.contributor !== contributor) return undefined;
  const readable = await findReadable(reader, viewer, [entry.subject]);
  return keepMatching(filters, markGone([entry], readable), projects)[0];
}
