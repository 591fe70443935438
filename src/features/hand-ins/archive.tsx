// The ZIP of what a class has handed in: a page with all texts, and a folder for each person with their files.

import { type Child, raw } from '#rest/jsx/jsx-runtime.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { describeMediaType, sanitizeFileName } from '../../core/files/stored-files.ts';
import type { TextPicture } from '../../core/markdown/pictures.ts';
import { renderMarkdownText } from '../../core/markdown/rendering.ts';
import { DateTimeText } from '../../core/pages/layout/components.tsx';
import { anonymousLayout, LayoutContext, useLanguage } from '../../core/pages/layout/layout-data.ts';
import type { PageDependencies } from '../../core/pages/page.ts';
import { chooseLanguage } from '../../core/texts/languages.ts';
import { getTranslator } from '../../core/texts/translator.ts';
import { toSlug } from '../../projects/address.ts';
import { generateZip, joinTexts, readFile } from '../own-data/export.ts';
import { OfflineHead } from '../own-data/index-page.tsx';
import {
  type HandedInFile,
  type HandedInWork,
  type HandIn,
  type HandInArchive,
  loadHandedInFiles,
  loadHandIns,
} from './hand-in.ts';

type Dependencies = Pick<PageDependencies, 'database' | 'files' | 'timeZone'>;

export async function* generateHandInArchive(deps: Dependencies, archive: HandInArchive) {
  const { database, files } = deps;
  const { viewer, collection, due } = archive;
  const handIns = await loadHandIns(database, viewer, collection, due);
  const projects = handIns.flatMap(({ work }) => work?.project ?? []);
  const filesByProject = await loadHandedInFiles(database, collection, due, projects);
  const withFiles = handIns.map((handIn) => ({
    ...handIn,
    files: filesByProject.get(handIn.work?.project ?? 0) ?? [],
  }));
  const lastModified = new Date();
  async function* generateEntries() {
    yield { name: 'index.html', input: joinTexts(generatePage(deps, archive, withFiles)), lastModified };
    for (const { person, work, files: own } of withFiles) {
      if (!work) yield { name: `${folderOf(person)}/`, lastModified };
      if (!work?.content) continue;
      const folder = folderOfWork(person, work);
      yield { name: `${folder}/text.md`, input: work.content.text, lastModified };
      for (const file of own)
        yield { name: `${folder}/${nameOf(file)}`, input: readFile(files, file), lastModified };
    }
  }
  yield* generateZip(generateEntries());
}

type Person = HandIn['person'];
type HandInWithFiles = HandIn & { readonly files: readonly HandedInFile[] };

/** Usernames may have signs that no file system takes; the id makes them differ. */
const folderOf = ({ id, username }: Person) => `${toSlug(username)}-${id}`;
const folderOfWork = (person: Person, { project, content }: HandedInWork) =>
  `${folderOf(person)}/${project}-${toSlug(content?.title ?? '').slice(0, 40)}`;
/** The number comes first: no two are alike. */
const nameOf = ({ number, name, type }: HandedInFile) =>
  `${number}-${sanitizeFileName(name, type).slice(-100)}`;

async function* generatePage(
  { timeZone }: Dependencies,
  { headers, viewer, origin, collection, due }: HandInArchive,
  handIns: readonly HandInWithFiles[],
): AsyncGenerator<string> {
  const language = getTranslator(chooseLanguage(headers));
  const layout = { ...anonymousLayout, viewer, language, timeZone };
  const render = (content: Child) =>
    String(<LayoutContext.Provider value={layout}>{content}</LayoutContext.Provider>);
  const { code, direction = 'ltr', rich } = language;
  yield `<!doctype html><html lang="${code}" dir="${direction}">`;
  yield render(<OfflineHead title={collection.title} />);
  yield '<body><main>';
  yield render(
    <header>
      <h1>
        <bdi>{collection.title}</bdi>
      </h1>
      <p class="faint">
        {rich('handIns.from', {
          gallery: <a href={origin}>{origin}</a>,
          date: <DateTimeText instant={due} />,
        })}
      </p>
    </header>,
  );
  for (const [index, handIn] of handIns.entries()) {
    const { person, work } = handIn;
    if (person.id !== handIns[index - 1]?.person.id) yield render(<PersonHeading person={person} />);
    if (!work) yield render(<Nothing />);
    else yield render(<Work handIn={handIn} work={work} html={await renderWork(handIn, work)} />);
  }
  yield '</main></body></html>\n';
}

const toAddress = (person: Person, work: HandedInWork, file: HandedInFile) =>
  `${folderOfWork(person, work)}/${nameOf(file)}`.split('/').map(encodeURIComponent).join('/');

const renderWork = ({ person, files }: HandInWithFiles, work: HandedInWork): Promise<string> =>
  renderMarkdownText({
    text: work.content?.text ?? '',
    title: work.content?.title ?? '',
    level: 4,
    pictures: files.filter(isPicture).map((file): TextPicture => {
      const src = toAddress(person, work, file);
      return { name: file.name, alt: file.alt, href: src, attributes: { src } };
    }),
  });

const isPicture = ({ type }: HandedInFile) => describeMediaType(type).display === 'picture';

const PersonHeading = ({ person }: { person: Person }) => (
  <h2>
    <bdi>{displayName(person)}</bdi> <small class="faint">@{person.username}</small>
  </h2>
);

const Nothing = () => <p>{useLanguage().t('handIns.nothing')}</p>;

interface WorkProps {
  readonly handIn: HandInWithFiles;
  readonly work: HandedInWork;
  readonly html: string;
}

function Work({ handIn: { person, files }, work, html }: WorkProps) {
  const { content } = work;
  const others = files.filter((file) => !html.includes(`src="${toAddress(person, work, file)}"`));
  return (
    <article>
      <h3>
        <bdi>{content?.title ?? useLanguage().t('handIns.redacted')}</bdi>
      </h3>
      <p class="faint">
        <HandInState work={work} />
      </p>
      {html && <div class="text">{raw(html)}</div>}
      {others.map((file) => (
        <p>
          <a href={toAddress(person, work, file)}>
            {isPicture(file) ? (
              <img src={toAddress(person, work, file)} alt={file.alt} loading="lazy" />
            ) : (
              <bdi>{file.name}</bdi>
            )}
          </a>
        </p>
      ))}
    </article>
  );
}

/** When it was handed in, whether it is late, and whether something of that moment is gone. */
export function HandInState({ work: { changed, isLate, isExact } }: { work: HandedInWork }) {
  const { t, rich } = useLanguage();
  return (
    <>
      {rich('handIns.at', { date: <DateTimeText instant={changed} /> })}
      {isLate && [' ', <span class="badge">{t('handIns.late')}</span>]}
      {!isExact && [' ', <span class="badge">{t('handIns.notExact')}</span>]}
    </>
  );
}
