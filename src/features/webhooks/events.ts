// Decides which events a webhook gets, at the moment when one is sent.

import { NotFound } from '#common/errors.ts';
import type { Reader } from '#sql';
import { subjectOf } from '../../core/changes/change-kinds.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import {
  type FeedEntry,
  findReadableIds,
  keepMatching,
  loadFilteredProjects,
  markGone,
  projectsOf,
} from '../../projects/changes/change-feed.ts';
import type { ProjectFinder } from '../../projects/reading/find-projects.ts';
import type { AppliedFilters } from '../../projects/reading/tagged-projects.ts';
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

/** Those of the entries that the webhook gets, as its owner may see them now. */
export async function decideEvents(
  reader: Reader,
  viewer: Viewer,
  { events, contributor }: Pick<Webhook, 'events' | 'contributor'>,
  filters: AppliedFilters,
  entries: readonly FeedEntry[],
): Promise<readonly FeedEntry[]> {
  const ids = projectsOf(entries);
  const projects = await loadFilteredProjects(reader, ids);
  const own = new Set(projects.filter((project) => project.contributor === contributor).map(({ id }) => id));
  const isForOwner = ({ kind, subject }: FeedEntry) =>
    subjectOf(kind) === 'project'
      ? // An entry for a project that is gone passes filters, but only its owner may know that it was theirs.
        events !== 'own' || own.has(subject)
      : events === 'gallery' && viewer.isModerator;
  const readable = await findReadableIds(reader, viewer, ids);
  const visible = markGone(entries.filter(isForOwner), readable);
  const matching = new Set(keepMatching(filters, visible, projects));
  // Filters are about projects.
  return visible.filter((entry) => subjectOf(entry.kind) !== 'project' || matching.has(entry));
}
