import { writeFileSync } from 'node:fs';
import { temporaryPath } from '../support/databases.ts';
import { vitrine, vitrineWithInput } from '../support/server.ts';
import { ada, dump, project } from '../support/site.ts';

/** A gallery with a project of Ada’s, and the headers of her key. */
export async function createGallery() {
  const database = temporaryPath('gallery.sqlite');
  const options = ['--database', database];
  const source = temporaryPath('dump.ndjson');
  writeFileSync(source, dump(ada, project(1)));
  await vitrine('import', source, ...options);
  await vitrineWithInput('correct horse battery\n', 'user', 'add', 'ada', ...options);
  const key = (await vitrine('key', 'add', 'ada', 'test', 'write', ...options)).out.trim();
  return { database, options, headers: { Authorization: `Token ${key}` } };
}
