// The page in the ZIP of a person's own data. It opens from a folder, without this site and without scripts. It is
// generated in parts, because somebody may have ten thousand projects.

import { type Child, raw } from '#rest/jsx/jsx-runtime.ts';
import { loadAvatar } from '../../core/contributors/avatar.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { loadContributor } from '../../core/contributors/find-contributors.ts';
import { describeMediaType } from '../../core/files/stored-files.ts';
import { now } from '../../core/instant.ts';
import type { TextPicture } from '../../core/markdown/pictures.ts';
import { renderMarkdown } from '../../core/markdown/rendering.ts';
import { DateText, NameLink } from '../../core/pages/layout/components.tsx';
import { LayoutContext, type LayoutData, useLanguage } from '../../core/pages/layout/layout-data.ts';
import type { PageDependencies } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { inTrash, published, statusNames, toStatus } from '../../core/project-status.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import type { Media } from '../../projects/media/media.ts';
import { toTextPictures } from '../../projects/pages/text-pictures.ts';
import { loadProfile } from '../../projects/people/profile.ts';
import type { ProjectRow } from '../../projects/project.ts';
import type { ProjectReference } from '../../projects/reading/find-projects.ts';
import { parseTags } from '../../projects/tags.ts';
import { listSources } from './export.ts';
import { avatarPath, filePath } from './lines.ts';
import ownDataCss from './own-data.css' with { type: 'text' };
import { loadOwnIds, readFiles, readOwnProjects, readOwnRatings } from './read-own.ts';

type References = ReadonlyMap<number, ProjectReference>;

interface IndexPage extends Pick<PageDependencies, 'database'> {
  /** The address of the gallery. */
  readonly origin: string;
  readonly contributor: number;
  render(content: Child): string;
  load(ids: readonly number[]): Promise<References>;
}

/** Nothing is loaded from anywhere but the folder of the page. */
const policy = "default-src 'none'; img-src 'self' file:; media-src 'self' file:; style-src 'unsafe-inline'";

export async function* generateIndexPage(
  { database, projects }: Pick<PageDependencies, 'database' | 'projects'>,
  layout: LayoutData,
  origin: string,
): AsyncGenerator<string> {
  const id = requireSignedIn(layout.viewer);
  const { code, direction = 'ltr', t } = layout.language;
  const page: IndexPage = {
    database,
    origin,
    contributor: id,
    render: (content) => String(<LayoutContext.Provider value={layout}>{content}</LayoutContext.Provider>),
    load: (ids) => projects.loadReferences(layout.viewer, ids),
  };
  const name = displayName(await loadContributor(database, id));
  const { about } = await loadProfile(database, id);
  const hasAvatar = (await loadAvatar(database, id)).length > 0;
  yield `<!doctype html><html lang="${code}" dir="${direction}">`;
  yield page.render(<OfflineHead title={t('ownData.title', { name })} />);
  yield `<body><main>${page.render(<Introduction {...{ name, about, hasAvatar, origin }} />)}`;
  const newestFirst = (await loadOwnIds(database, layout.viewer)).toReversed();
  const isComment = ({ content_type }: { content_type: string }) => content_type === 'comment';
  yield* generateSection(
    page,
    t('mine.title'),
    newestFirst.filter((row) => !isComment(row)),
  );
  yield* generateSection(page, t('mine.comments'), newestFirst.filter(isComment));
  yield* generateRatings(page, t('ownData.ratings'));
  yield '</main></body></html>\n';
}

async function* generateSection(page: IndexPage, heading: string, rows: readonly { readonly id: number }[]) {
  if (rows.length === 0) return;
  yield `<section>${page.render(<h2>{heading}</h2>)}`;
  const ids = rows.map(({ id }) => id);
  for await (const batch of readOwnProjects(page.database, page.contributor, ids))
    yield* renderBatch(page, batch);
  yield '</section>';
}

async function* renderBatch({ database, origin, render, load }: IndexPage, batch: readonly ProjectRow[]) {
  const references = await load(batch.flatMap(listSources));
  const media = await Array.fromAsync(
    readFiles(
      database,
      batch.map(({ id }) => id),
    ),
  );
  const filesByProject = Map.groupBy(media, ({ project }) => project);
  const withFiles = batch.map((project) => ({
    project,
    files: (filesByProject.get(project.id) ?? []).toSorted((file, other) => file.position - other.position),
  }));
  const texts = await renderMarkdown(
    withFiles.map(({ project: { text, title }, files }) => {
      return { text, title, level: 4, pictures: files.flatMap(toLocalPicture) };
    }),
  );
  for (const [index, { project, files }] of withFiles.entries())
    yield render(<OwnProject {...{ project, files, references, origin }} html={texts[index] ?? ''} />);
}

async function* generateRatings({ database, contributor, render, load, origin }: IndexPage, heading: string) {
  let isFirst = true;
  for await (const ratings of readOwnRatings(database, contributor)) {
    if (isFirst) yield `<section>${render(<h2>{heading}</h2>)}<ul>`;
    isFirst = false;
    const references = await load(ratings.map(({ project }) => project));
    for (const { project, value } of ratings)
      yield render(
        <li>
          <b>{value}</b>/5: <Reference project={references.get(project)} origin={origin} />
        </li>,
      );
  }
  if (!isFirst) yield '</ul></section>';
}

export function OfflineHead({ title }: { title: string }) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta http-equiv="Content-Security-Policy" content={policy} />
      <title>{title}</title>
      <style>{raw(ownDataCss)}</style>
    </head>
  );
}

interface IntroductionProps {
  readonly name: string;
  readonly about: string;
  readonly hasAvatar: boolean;
  readonly origin: string;
}

function Introduction({ name, about, hasAvatar, origin }: IntroductionProps) {
  const { t, rich } = useLanguage();
  return (
    <header>
      {hasAvatar && <img class="avatar" src={avatarPath} alt="" width="96" height="96" />}
      <h1>
        <bdi>{name}</bdi>
      </h1>
      {about && <p>{about}</p>}
      <p class="faint">
        {rich('ownData.from', { gallery: <a href={origin}>{origin}</a>, date: <DateText instant={now()} /> })}
      </p>
      <p class="faint">{t('ownData.help')}</p>
    </header>
  );
}

interface OwnProjectProps {
  readonly project: ProjectRow;
  readonly html: string;
  readonly files: readonly Media[];
  readonly references: References;
  readonly origin: string;
}

function OwnProject({ project, html, files, references, origin }: OwnProjectProps) {
  const { t } = useLanguage();
  const { title, content_type, link, created, copied_from } = project;
  const isComment = content_type === 'comment';
  const others = files.filter((file) => !html.includes(`<img src="${toAddress(file)}"`));
  const [sourceId] = listSources(project);
  return (
    <article>
      {!isComment && (
        <h3>
          <bdi>{title}</bdi>
        </h3>
      )}
      <p class="faint">
        {t(`type.${content_type}`)} · <DateText instant={created} />
        {listStates(project).map((state) => (
          <>
            {' '}
            <span class="badge">{t(state)}</span>
          </>
        ))}{' '}
        {project.status !== inTrash && <a href={origin + projectPath(project)}>{t('ownData.online')}</a>}
      </p>
      {(isComment || copied_from !== null) && (
        <SourceLine source={references.get(sourceId ?? 0)} isComment={isComment} origin={origin} />
      )}
      {link && (
        <p>
          <a href={link} rel="nofollow noopener">
            {link}
          </a>
        </p>
      )}
      {html && <div class="text">{raw(html)}</div>}
      {others.map((file) => (
        <OwnFile file={file} />
      ))}
      {project.tags && (
        <p class="faint">
          {parseTags(project).map((tag) => (
            <>
              <bdi>#{tag}</bdi>{' '}
            </>
          ))}
        </p>
      )}
    </article>
  );
}

/** The messages for what others do not see as published. */
function listStates(project: ProjectRow) {
  const status = toStatus(project);
  return [
    ...(project.status === inTrash ? (['mine.trash'] as const) : []),
    ...(status === published ? [] : [`status.${statusNames[status]}` as const]),
    ...(project.visibility === 'public' ? [] : [`mine.${project.visibility}` as const]),
  ];
}

interface SourceLineProps {
  readonly source: ProjectReference | undefined;
  readonly isComment: boolean;
  readonly origin: string;
}

function SourceLine({ source, isComment, origin }: SourceLineProps) {
  const { t, rich } = useLanguage();
  const project = <Reference project={source} origin={origin} />;
  if (!source) return <p>{isComment ? rich('cards.on', { project }) : t('project.remixOfHidden')}</p>;
  const name = <bdi>{displayName(source)}</bdi>;
  return (
    <p>
      {isComment ? rich('project.commentOn', { project, name }) : rich('cards.remixOf', { project, name })}
    </p>
  );
}

function Reference({ project, origin }: { project: ProjectReference | undefined; origin: string }) {
  if (!project) return <>{useLanguage().t('project.unavailable')}</>;
  return <NameLink href={origin + projectPath(project)} name={project.title} />;
}

function OwnFile({ file }: { file: Media }) {
  const [address, { display }] = [toAddress(file), describeMediaType(file.type)];
  if (display === 'video' || display === 'audio') {
    const Player = display;
    return <Player controls preload="none" src={address} aria-label={file.alt || file.name} />;
  }
  const { width, height } = file.sizes.at(-1) ?? {};
  return (
    <p>
      <a href={address}>
        {display === 'picture' ? (
          <img
            src={address}
            alt={file.alt}
            width={width ?? undefined}
            height={height ?? undefined}
            loading="lazy"
            decoding="async"
          />
        ) : (
          <bdi>{file.name}</bdi>
        )}
      </a>
    </p>
  );
}

const toAddress = (file: Media) => filePath(file).split('/').map(encodeURIComponent).join('/');

function toLocalPicture(file: Media): TextPicture[] {
  const { width, height } = file.sizes.at(-1) ?? {};
  const attributes = { src: toAddress(file), width: String(width), height: String(height) };
  return toTextPictures([file]).map((picture) => ({ ...picture, href: toAddress(file), attributes }));
}
