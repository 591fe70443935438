// Notes that people write on a project of somebody else, and that wait for a review by themselves. Features have them.

import type { Sql } from 'sql-template-tag';
import type { Reader } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import { once } from '../../core/feature.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { ProjectRow } from '../project.ts';

export interface WaitingNote {
  readonly note: string;
  readonly noted_by: number;
  readonly username: string;
}

export interface WaitingNotes {
  /** Whether the project can have such notes. */
  isOn(project: Pick<ProjectRow, 'content_type'>): boolean;
  /** A query for the ids of the projects with notes of others; of some authors, if a condition for their ids is given. */
  projects(viewer: Viewer, isWanted?: (author: Sql) => Sql): Sql;
  /** Those that will be public, except the viewer's own. */
  list(reader: Reader, viewer: Viewer, project: Pick<ProjectRow, 'id'>): Promise<readonly WaitingNote[]>;
  /** Shows the notes of these people, or takes them away. */
  decide(
    write: WriteContext,
    project: ProjectRow,
    authors: readonly number[],
    decision: 'approve' | 'return',
  ): Promise<void>;
}

declare module '../../core/feature.ts' {
  interface Feature {
    readonly waitingNotes?: WaitingNotes;
  }
}

export const listWaitingNotes = once((features) => features.flatMap(({ waitingNotes = [] }) => waitingNotes));

/** Undefined if it cannot have any. */
export const findWaitingNotes = (project: Pick<ProjectRow, 'content_type'>): WaitingNotes | undefined =>
  listWaitingNotes().find(({ isOn }) => isOn(project));
