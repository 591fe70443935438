import { embedPath } from '../../gallery/paths.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { removeBidiControls } from '../layout/layout.tsx';

export const cardSize = { width: 480, height: 320 };

/** The iframe with which another site embeds a project's card. */
export function embedCode(
  project: Pick<Project, 'uuid' | 'slug' | 'title'>,
  origin: string,
  { width, height } = cardSize,
) {
  return (
    <iframe
      src={origin + embedPath(project)}
      title={removeBidiControls(project.title)}
      width={width}
      height={height}
      frameborder="0"
      loading="lazy"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
    />
  );
}

/** Unlisted projects are for people who were given the URL, and are never embedded. */
export function isEmbeddable({ visibility }: Project): boolean {
  return visibility === 'public';
}
