// /api/v1/me/dump/: the download of the signed-in person's own things.

import { loadContributor } from '../gallery/contributors/find.ts';
import { createLinesFormat, exportOwnData } from '../gallery/own-data/export.ts';
import { requireSignedIn, type Viewer } from '../gallery/viewer.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './index.ts';
import { operation } from './operation.ts';

const mediaTypes = { zip: 'application/zip', ndjson: 'application/x-ndjson' };

export function ownDataResources(deps: ApiDependencies): Resource<Viewer>[] {
  return [
    {
      path: '/api/v1/me/dump/',
      name: 'My Dump',
      description:
        'Everything of yours: a ZIP with a page, the same as JSON lines, and your files; or the lines alone.',
      operations: { GET: dumpOperation(deps) },
    },
  ];
}

const dumpOperation = ({ database, files, ownDataDownloads, generateOwnArchive }: ApiDependencies) =>
  operation({
    summary: 'A file to download.',
    permission: 'seeAccount',
    produces: mediaTypes,
    async handle({ viewer, headers, origin, produced }) {
      const contributor = requireSignedIn(viewer);
      const format = produced === 'ndjson' ? 'ndjson' : 'zip';
      const { username } = await loadContributor(database, contributor);
      const chunks =
        format === 'zip'
          ? generateOwnArchive(viewer, headers, origin)
          : exportOwnData(database, contributor, createLinesFormat(files));
      const name = `${username.replace(/[^\w.-]/g, '_')}-${new Date().toISOString().slice(0, 10)}`;
      return {
        stream: await ownDataDownloads.start(String(contributor), chunks),
        mediaType: mediaTypes[format],
        headers: { 'Content-Disposition': `attachment; filename="gallery-${name}.${format}"` },
      };
    },
  });
