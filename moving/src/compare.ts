// Compares the gallery with what the old site said, record by record and member by member. The gallery's records come
// from the serializer of the API.

import { OperatorError } from '../../packages/common/src/errors.ts';
import type { Database } from '../../packages/sql/src/database.ts';
import { parseInstant } from '../../src/core/instant.ts';
import { anonymous } from '../../src/core/viewer/viewer.ts';
import { createProjectSerializer } from '../../src/projects/api/project-serializer.ts';
import { ProjectFinder } from '../../src/projects/reading/find-projects.ts';
import { decodePath, memberNames, type OldRecord } from './record.ts';
import type { StagedRecord } from './staging.ts';

export interface Difference {
  readonly member: string;
  readonly old: unknown;
  /** Missing if the gallery does not have the record. */
  readonly new?: unknown;
}

export interface Comparison {
  readonly staged: StagedRecord;
  /** The gallery has it, and not in the trash. */
  readonly isPresent: boolean;
  readonly differences: readonly Difference[];
}

const operator = { ...anonymous, isModerator: true };

/** Compares records of the old site at `origin`. */
export function createComparer(database: Database, origin: string) {
  const finder = new ProjectFinder(database, 'UTC');
  const serialize = createProjectSerializer({}, { origin, timeZone: 'UTC' }, database);
  return async (chunk: readonly StagedRecord[]): Promise<Comparison[]> => {
    const ids = chunk.map(({ record }) => record.id);
    const projects = [...(await finder.loadWithTrash(operator, ids)).values()];
    const records = await serialize(projects);
    const found = new Map(
      projects.map((project, index) => [project.id, { project, record: records[index] ?? {} }]),
    );
    return chunk.map((staged) => {
      const { id, uuid } = staged.record;
      const { project, record } = found.get(id) ?? {};
      if (project && project.uuid !== uuid)
        throw new OperatorError(
          `The gallery has a project ${id} of its own, ${project.uuid}; on the old site it is ${uuid}. Adopt into a gallery in which nothing was made.`,
        );
      if (!project || !record || project.trashed !== null)
        return { staged, isPresent: false, differences: [{ member: 'id', old: id }] };
      const differences = listDifferences(staged.record, record);
      if (project.content_type !== staged.contentType)
        differences.push({ member: 'content_type', old: staged.contentType, new: project.content_type });
      return { staged, isPresent: true, differences };
    });
  };
}

function listDifferences(old: OldRecord, record: Readonly<Record<string, unknown>>): Difference[] {
  return memberNames.flatMap((member) =>
    normalize(member, old[member]) === normalize(member, record[member])
      ? []
      : [{ member, old: old[member], new: record[member] }],
  );
}

/** Times count by their instant, as the offset is a setting; addresses without the host, and decoded. */
export function normalize(member: string, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  // The gallery cannot hold what is finer than a microsecond.
  if (member === 'created' || member === 'modified')
    return /\.\d{7}/.test(value) ? value : (parseInstant(value, 'UTC') ?? value);
  if (!member.endsWith('url')) return value;
  const url = URL.parse(value);
  return url ? `${decodePath(url.pathname) ?? url.pathname}${url.search}${url.hash}` : value;
}
