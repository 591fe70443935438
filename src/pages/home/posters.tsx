// The cover of a project in lists: its picture, or a poster made from its words. Every type has its own kind of poster,
// and every project its own colour.

import type { ContentType } from '../../gallery/content-types.ts';
import { hasOwnTitle } from '../../gallery/projects/address.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { onPages, type PosterProject } from '../content-types.ts';
import { Cover, type CoverProps } from '../project/files.tsx';

/** The colours of paper and paint in a workshop: see posters.css. */
export const colours = ['chalk', 'brass', 'plum', 'felt', 'copper', 'indigo', 'moss', 'brick'];

/** The same id always has the same colour. */
export const colourOf = (id: number) => colours[(id * 5) % colours.length] ?? '';

interface ProjectCoverProps extends CoverProps {
  readonly project: PosterProject;
}

export function ProjectCover({ project, ...cover }: ProjectCoverProps) {
  if (cover.media) return <Cover {...cover} />;
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
