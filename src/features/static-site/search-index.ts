// The search of the folder: Pagefind splits its index into small files, of which a browser loads those that it needs.

import { errorMessage } from '#common/errors.ts';
import { stripMarkdown } from '../../core/markdown/markdown.ts';
import { projectPath } from '../../core/paths.ts';
import { projectLists, type StaticSiteMaker } from './make-site.ts';

export interface SearchIndex {
  /** Why there is no search. */
  readonly problem?: string;
}

/** With more, making the index takes too much memory. */
const maxSearchedProjects = 200_000;
/** Of each text. */
const maxSearchedLength = 20_000;

const types: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
};

export async function writeSearchIndex(site: StaticSiteMaker): Promise<SearchIndex> {
  if (site.options.checkpoint.projectCount > maxSearchedProjects)
    return { problem: `it is made for up to ${maxSearchedProjects.toLocaleString('en')} projects` };
  const pagefind = await import('pagefind');
  const options = { forceLanguage: site.translator.code };
  // The one file of `npm run build` does not have the package with its program.
  const { index, errors } = await pagefind
    .createIndex(options)
    .catch((error) => ({ index: undefined, errors: [errorMessage(error)] }));
  if (!index)
    return {
      problem: `the program of the npm package pagefind does not run here (${errors.join(' ').split('\n', 1)})`,
    };
  try {
    for (const list of projectLists)
      for await (const { title, text, tags, contributor_name, uuid, slug } of site.readProjects(
        `fields=id,uuid,slug,title,text,tags,contributor_name${list}`,
      ))
        await index.addCustomRecord({
          url: site.find(projectPath({ uuid, slug }))?.address ?? '',
          // The result shows words of the text beside the title and the name.
          content: [stripMarkdown(String(text).slice(0, maxSearchedLength)), title, contributor_name, tags]
            .flat()
            .join('\n'),
          language: site.translator.code,
          meta: { title: String(title), name: String(contributor_name) },
        });
    const { files } = await index.getFiles();
    for (const { path, content } of files)
      if (!/-ui\.|highlight/.test(path))
        await site.write(
          `/pagefind/${path}`,
          types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
          content,
        );
    return {};
  } finally {
    await pagefind.close();
  }
}
