// The cover of a project in lists: its picture, or a poster made from its words. Every type has its own kind of poster,
// and every project its own colour.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { type ContentType, isCollection } from '../../../core/content-types.ts';
import { colourOf } from '../../../core/pages/layout/colours.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import { hasOwnTitle } from '../../address.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import type { ProjectFinder } from '../../reading/find-projects.ts';
import { onPages, type PosterProject } from '../content-types.ts';
import { Cover, type CoverProps } from '../project/shown-files.tsx';
import { cabinetStylesheet } from '../project-assets.ts';

/** What stands for a project in lists: its first picture, or the first projects of a collection. */
export interface CoverContent {
  readonly media?: Media | undefined;
  readonly items?: readonly (CoverContent & { readonly project: PosterProject })[];
}

/** By project. The number of queries does not depend on the number of projects. */
export async function loadCoverContents(
  finder: ProjectFinder,
  viewer: Viewer,
  projects: readonly Project[],
): Promise<Map<number, CoverContent>> {
  const parts = await finder.loadFirstParts(viewer, projects);
  const shown = [...projects, ...[...parts.values()].flat()];
  const covers = await finder.loadCovers(shown.map(({ id }) => id));
  return new Map(
    projects.map(({ id }) => {
      const items = parts.get(id)?.map((project) => ({
        project: toPosterProject(project),
        media: covers.get(project.id),
      }));
      return [id, { media: covers.get(id), ...(items && { items }) }];
    }),
  );
}

/** What is not on the poster may change without a new card. */
const toPosterProject = (project: Project): PosterProject => {
  const { id, title, content_type, text, link } = withBeginning(project);
  return { id, title, content_type, text, link };
};

/** For pages of other sites. */
export const pictureOf = (content: CoverContent | undefined): Media | undefined =>
  content?.media ?? content?.items?.find(({ media }) => media)?.media;

interface ProjectCoverProps extends Omit<CoverProps, 'media'> {
  readonly project: PosterProject;
  readonly cover: CoverContent | undefined;
}

export function ProjectCover({ project, cover, ...props }: ProjectCoverProps) {
  if (cover?.media) return <Cover {...props} media={cover.media} />;
  if (cover?.items?.length) return <Cabinet project={project} items={cover.items} {...props} />;
  const words = posterWords(project);
  return (
    <Poster
      type={project.content_type}
      colour={colourOf(project.id)}
      // The heading of the card says the same: it need not be read out twice.
      isHidden={words === project.title && hasOwnTitle(project)}
    >
      {project.content_type === 'link' ? breakHost(words) : words}
    </Poster>
  );
}

type CabinetProps = Omit<ProjectCoverProps, 'cover'> & Required<Pick<CoverContent, 'items'>>;

/** For lists, which seldom have collections: the style sheet of their covers is not that of every page. */
export const CabinetStyles = ({ projects }: { projects: readonly Pick<Project, 'content_type'>[] }) =>
  projects.some(isCollection) && <link rel="stylesheet" href={cabinetStylesheet} />;

/** The first projects of a collection on the shelves of a cabinet. Its page reads them out. */
function Cabinet({ project, items, ...props }: CabinetProps) {
  return (
    <div class={`cover cabinet of-${items.length} ${colourOf(project.id)}`} aria-hidden="true">
      {items.map(({ project, media }) => (
        <ProjectCover project={project} cover={{ media }} {...props} />
      ))}
    </div>
  );
}

interface PosterProps {
  readonly type: ContentType;
  readonly colour: string;
  readonly isHidden?: boolean;
  readonly children?: Child;
}

export function Poster({ type, colour, isHidden = false, children }: PosterProps) {
  return (
    <div class={`cover poster of-${type} ${colour}`} aria-hidden={isHidden ? 'true' : undefined}>
      <p dir="auto">{children}</p>
    </div>
  );
}

/** A long host is broken before its dots. */
function breakHost(host: string) {
  return host.split('.').map((part, index) => (
    <>
      {index > 0 && <wbr />}
      {index > 0 && '.'}
      {part}
    </>
  ));
}

/** More than excerpts and posters are made of. */
const maxBeginning = 4000;

/**
 * For components whose HTML is kept: hashing a long text would take longer than rendering its excerpt. A comment needs its
 * whole text, with which its title is compared.
 */
export const withBeginning = (project: Project): Project =>
  project.content_type === 'comment' || project.text.length <= maxBeginning
    ? project
    : { ...project, text: project.text.slice(0, maxBeginning) };

export const posterWords = (project: PosterProject): string =>
  onPages(project.content_type).posterWords?.(project) || project.title;
