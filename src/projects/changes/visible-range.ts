// A range of new changes, as many viewers may see it at this moment. What everybody sees is found once: a viewer needs
// queries of their own only for the rest.

import type { Reader } from '#sql';
import { isFeedKind, isPublicFeedKind } from '../../core/changes/change-kinds.ts';
import type { LoggedChange } from '../../core/changes/follower.ts';
import { findFindable, findsMorePeople } from '../../core/contributors/find-contributors.ts';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import type { FilteredProject } from '../reading/filters.ts';
import type { AppliedFilters } from '../reading/tagged-projects.ts';
import { readsMoreThanOwn } from '../visibility/visible-to.ts';
import {
  type FeedEntry,
  findOwners,
  findReadableIds,
  keepMatching,
  loadFilteredProjects,
  markGone,
  projectsOf,
} from './change-feed.ts';

type FeedChange = LoggedChange & Pick<FeedEntry, 'kind'>;

const isInFeed = (change: LoggedChange): change is FeedChange => isFeedKind(change.kind);

export class VisibleRange {
  readonly #changes: readonly FeedChange[];
  #readableByAnyone: Promise<Set<number>> | undefined;
  #owners: Promise<Set<number>> | undefined;
  #listedContributors: Promise<Set<number>> | undefined;
  #projects: Promise<readonly FilteredProject[]> | undefined;

  constructor(
    private readonly reader: Reader,
    changes: readonly LoggedChange[],
  ) {
    this.#changes = changes.filter(isInFeed);
  }

  async entriesFor(viewer: Viewer, filters: AppliedFilters): Promise<readonly FeedEntry[]> {
    const isVisible = await this.#visibilityFor(viewer);
    const visible = this.#changes.filter(isVisible);
    if (visible.length === 0) return visible;
    this.#readableByAnyone ??= findReadableIds(this.reader, anonymous, projectsOf(this.#changes));
    const readable = await this.#readableByAnyone;
    const others = projectsOf(visible).filter((id) => !readable.has(id));
    const own = (await this.#seesMoreThanVisitors(viewer, readable))
      ? await findReadableIds(this.reader, viewer, others)
      : new Set<number>();
    const entries = markGone(visible, readable.union(own));
    if (filters.size === 0) return entries;
    this.#projects ??= loadFilteredProjects(this.reader, projectsOf(this.#changes));
    return keepMatching(filters, entries, await this.#projects);
  }

  /**
   * A project that was hidden is of no concern to most of thousands of readers: they need no query of their own. The people of groups read
   * more, and so do those who review.
   */
  async #seesMoreThanVisitors(viewer: Viewer, readable: ReadonlySet<number>): Promise<boolean> {
    const { contributor, isModerator } = viewer;
    if (contributor === null || isModerator) return isModerator;
    if (readsMoreThanOwn(viewer)) return true;
    const hidden = projectsOf(this.#changes).filter((id) => !readable.has(id));
    this.#owners ??= findOwners(this.reader, hidden);
    return (await this.#owners).has(contributor);
  }

  /** The same as the conditions of `listChangesSince`. */
  async #visibilityFor(viewer: Viewer): Promise<(change: FeedChange) => boolean> {
    const { contributor, isModerator } = viewer;
    if (isModerator) return () => true;
    const kinds = this.#changes.filter(({ kind }) => isPublicFeedKind(kind));
    const subjects = [...new Set(kinds.map(({ subject }) => subject))];
    this.#listedContributors ??= findFindable(this.reader, anonymous, subjects);
    // The people of a group find each other.
    const listed = await (findsMorePeople(viewer)
      ? findFindable(this.reader, viewer, subjects)
      : this.#listedContributors);
    const isOwn = (id: number | null) => contributor !== null && id === contributor;
    return ({ kind, subject, owner, listed: wasListed }) =>
      wasListed === 1 || isOwn(owner) || (isPublicFeedKind(kind) && (listed.has(subject) || isOwn(subject)));
  }
}
