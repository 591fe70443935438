// npm run test:clients: the web archive of `vitrine static`, read by the program of others.

import { expect, test } from 'bun:test';
import { createReadStream, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { vitrine } from '../support/server.ts';
import { ada, dump, project, siteOn } from '../support/site.ts';

/** The part of warcio that is used: its types are for browsers. */
interface Reader {
  readonly WARCParser: new (
    source: AsyncIterable<Uint8Array>,
  ) => AsyncIterable<{
    readonly warcType: string;
    readonly warcTargetURI: string;
    readonly warcDate: string;
    readonly httpHeaders?: { readonly statusCode: number; readonly headers: Headers };
    readFully(isHttp: boolean): Promise<Uint8Array>;
  }>;
}

const { WARCParser } = (await import(
  join(import.meta.dir, 'node_modules/warcio/dist/index.js')
)) as unknown as Reader;

onBothDatabases((kind) => {
  test('a web archive has each file of the folder at its address, to the byte', async () => {
    const site = await siteOn(kind, { dump: dump(ada, project(1, { title: 'Drachen 凧 🪁' })) });
    const [folder, archive] = [temporaryPath('twin'), temporaryPath('twin.warc.gz')];
    const options = ['--database', site.address, '--files', site.folder, '--warc', archive];
    const origin = 'https://gallery.example';
    expect(await vitrine('static', folder, '--public-url', origin, ...options)).toMatchObject({ code: 0 });

    const found = new Map<string, string>();
    const kinds: string[] = [];
    for await (const record of new WARCParser(createReadStream(archive))) {
      kinds.push(record.warcType);
      if (record.warcType !== 'response') continue;
      expect(record.httpHeaders?.statusCode).toBe(200);
      const body = Buffer.from(await record.readFully(true));
      found.set(record.warcTargetURI, body.toString('base64'));
    }

    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
      (path) => !['SHA256SUMS', '.vitrine-static'].includes(path) && statSync(join(folder, path)).isFile(),
    );
    const expected = files.map((path): [string, string] => [
      `${origin}/${path.replace(/(^|\/)index\.html$/, '$1')}`,
      readFileSync(join(folder, path)).toString('base64'),
    ]);
    expect(kinds.slice(0, 2)).toEqual(['warcinfo', 'response']);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  });
});
