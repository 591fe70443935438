// /api/v1/me/dump/ and /api/v1/me/import/: the signed-in person's own data, to take along and to bring.

import { z } from 'zod';
import { type ApiResource, operation } from '../../core/api/operation.ts';
import { loadContributor } from '../../core/contributors/find-contributors.ts';
import { projectPath } from '../../core/paths.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { generateOwnArchive } from './archive.ts';
import { createLinesFormat, exportOwnData } from './export.ts';
import { type ImportResult, importOwnData } from './import.ts';
import { escapeSource, importFields, type Source } from './lines.ts';
import { outcomes } from './outcomes.ts';

const importSchema = z
  .object({
    projects: z.array(
      z.object({
        title: z.string(),
        outcome: z.enum(outcomes),
        id: z.int().nullable(),
        url: z.url().nullable(),
        html_url: z.url().nullable(),
        reasons: z.array(z.string()),
      }),
    ),
    comments_left_out: z.int(),
  })
  .meta({
    id: 'ImportResult',
    description:
      'What became of each project: `brought` as a draft, `already_here` since an earlier time, `left_out`, or `not_yet`: send the same ZIP again. The reasons also tell which files are missing.',
  });

const mediaTypes = { zip: 'application/zip', ndjson: 'application/x-ndjson' };

export const resources: ApiResource[] = [
  {
    path: '/api/v1/me/dump/',
    name: 'My Dump',
    description:
      'Everything of yours: a ZIP with a page, the same as JSON lines, and your files; or the lines alone.',
    GET: operation({
      operationId: 'downloadMyData',
      summary: 'A file to download.',
      permission: 'seeAccount',
      produces: mediaTypes,
      responseHeaders: ['Content-Disposition'],
      async handle({ viewer, headers, origin, produced }, deps) {
        const { database, files, archiveDownloads } = deps;
        const contributor = requireSignedIn(viewer);
        const format = produced === 'ndjson' ? 'ndjson' : 'zip';
        const { username } = await loadContributor(database, contributor);
        const chunks =
          format === 'zip'
            ? generateOwnArchive(deps, viewer, headers, origin)
            : exportOwnData(database, viewer, createLinesFormat(files));
        const name = `${username.replace(/[^\w.-]/g, '_')}-${new Date().toISOString().slice(0, 10)}`;
        return {
          stream: await archiveDownloads.start(String(contributor), chunks),
          mediaType: mediaTypes[format],
          headers: { 'Content-Disposition': `attachment; filename="gallery-${name}.${format}"` },
        };
      },
    }),
  },
  {
    path: '/api/v1/me/import/',
    name: 'My Import',
    description: 'Brings your projects from the ZIP that you downloaded from this or another gallery.',
    POST: operation({
      operationId: 'importMyProjects',
      summary: 'Creates a draft of each project that is not here yet.',
      fields: importFields,
      acceptsArchive: true,
      permission: 'makeProject',
      responseSchema: importSchema,
      async handle({ viewer, origin, readValues }, deps) {
        const result = await importOwnData(deps, viewer, readValues().file, formatCredit);
        return { data: serializeImport(result, origin) };
      },
    }),
  },
];

function formatCredit(source: Source): string {
  const { title, name, url } = escapeSource(source);
  return `Remix of “${title}” by ${name}, ${url}`;
}

const serializeImport = (
  { projects, commentsLeftOut }: ImportResult,
  origin: string,
): z.input<typeof importSchema> => ({
  projects: projects.map(({ title, outcome, copy, reasons }) => ({
    title,
    outcome,
    id: copy?.id ?? null,
    url: copy ? `${origin}/api/v1/projects/${copy.id}/?format=api` : null,
    html_url: copy ? origin + projectPath(copy) : null,
    reasons: reasons.map(({ subject, text }) => (subject ? `${subject}: ${text}` : String(text))),
  })),
  comments_left_out: commentsLeftOut,
});
