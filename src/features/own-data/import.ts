// Brings a person's own data from another gallery: each of their projects becomes a new draft of the viewer, with its
// dates, tags and files. The ZIP can say nothing else: not who owns what, and nothing of what exists here.

import { apiText, type Text } from '#common/api-text.ts';
import { Forbidden, Invalid, QuotaExceeded, TooManyRequests } from '#common/errors.ts';
import { currentLifetime, RequestLifetime } from '#common/request-lifetime.ts';
import { readPartially } from '#rest/fields.ts';
import type { StoredFile } from '#rest/stored-file.ts';
import { first, pick, type Reader, type RowOf } from '#sql';
import { adjustFileUsage, countBytes } from '../../core/changes/usage.ts';
import { transactOnce, type WriteContext } from '../../core/changes/write.ts';
import { lockContributor } from '../../core/contributors/find-contributors.ts';
import type { UploadDependencies } from '../../core/dump/dependencies.ts';
import { type PreparedFile, prepareUploads } from '../../core/files/prepare.ts';
import { draft, removed } from '../../core/project-status.ts';
import { authorizeAny } from '../../core/viewer/permissions.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { deriveUuid } from '../../projects/address.ts';
import type { OwnImport } from '../../projects/dump/kind.ts';
import type { ProjectLine } from '../../projects/dump/project-line.ts';
import { audiencesOf } from '../../projects/hooks.ts';
import { copyFilesBack } from '../../projects/media/media-rows.ts';
import { type Project, projectColumns, projectLimits } from '../../projects/project.ts';
import { projectFields, writtenNames } from '../../projects/project-fields.ts';
import { isForGroup } from '../../projects/visibility/made-for-a-group.ts';
import { isErased, isErasedSql, readableBy } from '../../projects/visibility/visible-to.ts';
import { importProject } from '../../projects/writing/create.ts';
import { insertFiles } from '../../projects/writing/files.ts';
import { findWholeSources } from '../../projects/writing/forget-in-copies.ts';
import type { Source } from './lines.ts';
import type { outcomes } from './outcomes.ts';
import { type OwnData, type OwnFile, readOwnData, readProjects } from './read-own.ts';
import { ZipArchive } from './read-zip.ts';

/** Then the rest is left for the next time that the same ZIP is sent. Proxies often wait for a minute. */
const importMs = 50_000;
/** Each project waits for the database like a request that has just come. */
const projectMs = 30_000;
/** How often somebody can bring a project again that they have deleted for good. */
const maxAttempts = 20;

/** Its earlier versions stay where they are, comments are left out, and a draft has no times ahead. */
const leftNames = ['history', 'parent', 'publish_at', 'due', 'ends'];
const broughtNames = writtenNames.filter((name) => !leftNames.includes(name));

const copyColumns = pick(projectColumns, 'id', 'uuid', 'slug', 'title', 'status', 'trashed');
export type Copy = Pick<RowOf<typeof copyColumns>, 'id' | 'uuid' | 'slug'>;

/** A sentence about a file, about a member, or about the whole project. */
export interface Reason {
  readonly subject?: string;
  readonly text: Text;
}

export interface ImportedProject {
  /** The title in the ZIP, cut to the length that titles may have here. */
  readonly title: string;
  readonly outcome: (typeof outcomes)[number];
  readonly copy?: Copy;
  readonly reasons: readonly Reason[];
}

export interface ImportResult {
  readonly projects: readonly ImportedProject[];
  /** They would stand without what they are about. */
  readonly commentsLeftOut: number;
}

export async function importOwnData(
  deps: UploadDependencies,
  viewer: Viewer,
  file: StoredFile,
  /** The last line of a remix: who made the original. */
  formatCredit: (source: Source) => string,
): Promise<ImportResult> {
  authorizeAny(viewer, 'makeProject');
  const lifetime = currentLifetime();
  lifetime?.extend((importMs + projectMs) / 1000);
  const endsAt = performance.now() + importMs;
  const archive = await ZipArchive.open(file);
  const ownData = await readOwnData(archive);
  const importer = new Importer(deps, viewer, archive, ownData, formatCredit);
  const projects: ImportedProject[] = [];
  let commentsLeftOut = 0;
  for await (const line of readProjects(archive, ownData)) {
    if (line.content_type === 'comment') {
      commentsLeftOut++;
      continue;
    }
    // Asked for its signal, it notices a client that has hung up.
    if (lifetime?.signal) lifetime.throwIfOver();
    const title = shortenTitle(line);
    if (importer.hasSpentUploads || performance.now() > endsAt)
      projects.push({ title, outcome: 'not_yet', reasons: [] });
    else projects.push(await new RequestLifetime(projectMs).withinTimeLimit(() => importer.import(line)));
  }
  await importer.importOthers();
  return { projects, commentsLeftOut };
}

class Importer {
  readonly #contributor: number;
  /** The ids of the copies by the ids in the ZIP. */
  readonly #ids = new Map<number, number>();
  #exceededQuota: QuotaExceeded | undefined;
  /** The rest has to wait for another day. */
  hasSpentUploads = false;

  constructor(
    private readonly deps: UploadDependencies,
    private readonly viewer: Viewer,
    private readonly archive: ZipArchive,
    private readonly ownData: OwnData,
    private readonly formatCredit: (source: Source) => string,
  ) {
    this.#contributor = requireSignedIn(viewer);
  }

  async import(line: ProjectLine): Promise<ImportedProject> {
    const { id } = line;
    const title = shortenTitle(line);
    try {
      const { existing, isFromHere } = await this.#findCopy(this.deps.database, line);
      if (existing) {
        this.#ids.set(id, existing.id);
        return { title, outcome: 'already_here', copy: existing, reasons: [] };
      }
      if (this.#exceededQuota) throw this.#exceededQuota;
      return await this.#createCopy(line, isFromHere);
    } catch (error) {
      if (error instanceof QuotaExceeded) this.#exceededQuota = error;
      // Such as a class: only moderators make one.
      if (error instanceof Forbidden) return { title, outcome: 'left_out', reasons: [{ text: error.text }] };
      if (error instanceof TooManyRequests) {
        this.hasSpentUploads = true;
        return { title, outcome: 'not_yet', reasons: [{ text: spentUploads }] };
      }
      if (error instanceof Forbidden) return { title, outcome: 'left_out', reasons: [{ text: error.text }] };
      if (!(error instanceof Invalid)) throw error;
      const reasons = Object.entries(error.fields).flatMap(([subject, texts]) =>
        texts.map((text) => (subject === 'non_field_errors' ? { text } : { subject, text })),
      );
      return { title, outcome: 'left_out', reasons };
    }
  }

  async #createCopy(line: ProjectLine, isFromHere: boolean): Promise<ImportedProject> {
    if (line.trashed !== null) throw leaveOut(apiText('import.wasInTrash'));
    if (line.status === removed) throw leaveOut(apiText('import.wasRemoved'));
    const { title } = line;
    const source = line.copied_from === null ? undefined : this.ownData.sources.get(line.copied_from);
    const text = source ? `${line.text}\n\n${this.formatCredit(source)}`.trim() : line.text;
    const written = Object.fromEntries(broughtNames.map((name) => [name, line[name]]));
    // A group of another gallery may have the number of one that is here.
    const group = isFromHere ? line.made_for : null;
    const made_for = audiencesOf(this.viewer).find((id) => id === group) ?? null;
    // Of another group, it is its maker's alone, as is a collection, which is for no group.
    const isOfOthers = isForGroup(line) && (made_for === null || line.kind === 'collection');
    const members = { ...written, text, status: draft, ...(isOfOthers && { visibility: 'private' }) };
    const values = readPartially(projectFields, members);
    const { created, modified, source_license, source_maker } = line;
    const copied_from = this.#ids.get(line.copied_from ?? 0) ?? (await this.#findSource(line, made_for));
    // What holds work of somebody else in a group stays known to them, or stays away.
    if (source_maker !== null && copied_from === null) throw leaveOut(apiText('copyOfClass'));
    const files = (this.ownData.files.get(line.id) ?? []).toSorted(
      (one, other) => one.position - other.position,
    );
    const { own = [], ofOthers = [] } = Object.groupBy(files, ({ origin }) =>
      source_maker === null || origin === undefined || this.ownData.projects.has(origin) ? 'own' : 'ofOthers',
    );
    const { prepared, alts, reasons } = await this.#prepareFiles(own);
    let takenBack: readonly Reason[] = [];
    const copy = await this.#transact(async (write) => {
      // Another process may be bringing the same ZIP.
      await lockContributor(write.transaction, this.#contributor);
      const { uuid, existing } = await this.#findCopy(write.transaction, line);
      const origin = { uuid, created, modified, copied_from, source_license, made_for, source_maker };
      if (existing) return existing;
      const project = await importProject(write, values, origin);
      if (source_maker !== null && copied_from !== null)
        takenBack = await bringBack(write, project, copied_from, ofOthers);
      await insertFiles(write, project, prepared, alts);
      return project;
    });
    this.#ids.set(line.id, copy.id);
    return { title, outcome: 'brought', copy, reasons: [...takenBack, ...reasons] };
  }

  /** In this gallery, what somebody else made for a group of the viewer. What they may not read is as if it did not exist. */
  async #findSource({ copied_from, source_maker }: ProjectLine, made_for: number | null) {
    if (source_maker === null || copied_from === null || made_for === null) return null;
    const source = await first(this.deps.database, copyColumns)`from project
      where id = ${copied_from} and contributor <> ${this.#contributor} and not ${isErasedSql}
        and (made_for = ${made_for} or visibility not in ('public', 'unlisted', 'private'))
        and ${readableBy(this.viewer)}`;
    return source?.id ?? null;
  }

  /** What kinds of lines bring besides. */
  async importOthers(): Promise<void> {
    const context: OwnImport = {
      idOf: (project) => this.#ids.get(project),
      transact: (work) => this.#transact(work),
    };
    for (const [kind, lines] of this.ownData.others) await kind.importOwn?.(lines, context);
  }

  #transact<Result>(work: (write: WriteContext) => Promise<Result>): Promise<Result> {
    const request = { viewer: this.viewer, readRequestKey: async () => undefined };
    return transactOnce(this.deps.database, request, work);
  }

  /**
   * The project itself or its copy, if the viewer has one already, or else the uuid that the copy will have. The row of a project of this
   * gallery stays, also when it was deleted for good.
   */
  async #findCopy(reader: Reader, { id, uuid }: ProjectLine) {
    const own = await first(reader, copyColumns)`from project
      where uuid = ${uuid} and contributor = ${this.#contributor}`;
    const isFromHere = own?.id === id;
    if (own && !isErased(own)) return { uuid, existing: own, isFromHere };
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const derived = deriveUuid(this.deps.importSecret, `${this.#contributor} ${uuid} ${attempt}`);
      const existing = await first(reader, copyColumns)`from project where uuid = ${derived}`;
      // The uuid of a project that was deleted for good is not given again.
      if (!existing || !isErased(existing)) return { uuid: derived, existing, isFromHere };
    }
    throw leaveOut(apiText('import.deletedTooOften'));
  }

  /** A file that cannot be stored is left out, with the reason. */
  async #prepareFiles(files: readonly OwnFile[]) {
    const prepared: PreparedFile[] = [];
    const alts: string[] = [];
    const reasons: Reason[] = [];
    for (const file of files) {
      try {
        const upload = await this.#readFile(file);
        // A small ZIP can become files of many gigabytes, which stay for a day although no project has them.
        this.deps.spendUpload(this.viewer, upload.size);
        prepared.push(...(await prepareUploads(this.deps, this.viewer, [upload])));
        alts.push(file.alt);
      } catch (error) {
        if (!(error instanceof Invalid)) throw error;
        reasons.push(
          ...Object.values(error.fields)
            .flat()
            .map((text) => ({ subject: file.name, text })),
        );
      }
    }
    return { prepared, alts, reasons };
  }

  async #readFile({ hash, name }: OwnFile): Promise<File> {
    const path = this.ownData.folder + (this.ownData.paths.get(hash) ?? '');
    if (!this.archive.has(path)) throw new Invalid({ file: [apiText('import.notInZip')] });
    const bytes = await this.archive.readWhole(path, this.deps.maxFileBytes);
    if (!bytes) throw new Invalid({ file: [apiText('import.fileTooLarge')] });
    return new File([bytes], name);
  }
}

/** Into a copy: the files of others, from where they are. They and the words stay away once their maker has taken them back. */
async function bringBack(
  { transaction, changeSet }: WriteContext,
  { id, contributor }: Pick<Project, 'id' | 'contributor'>,
  source: number,
  files: readonly OwnFile[],
): Promise<Reason[]> {
  const sources = await findWholeSources(transaction, source);
  if (!sources) throw leaveOut(apiText('import.takenBack'));
  const brought = await copyFilesBack(transaction, id, sources, files);
  adjustFileUsage(changeSet, contributor, countBytes(brought));
  return files.flatMap(({ name }) =>
    brought.some((file) => file.name === name) ? [] : [{ subject: name, text: apiText('import.takenBack') }],
  );
}

const spentUploads = apiText('import.spentUploads');
const shortenTitle = ({ title }: ProjectLine) => [...title].slice(0, projectLimits.title).join('');

const leaveOut = (text: Text) => new Invalid({ non_field_errors: [text] });
