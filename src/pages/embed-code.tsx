import { embedPath } from '../gallery/addresses.ts';
import type { Project } from '../gallery/projects/project.ts';
import { withoutTurns } from './layout.tsx';

export const cardSize = { width: 480, height: 320 };

/** What another site puts into its page to show a project's card. */
export function embedCode(
  project: Pick<Project, 'uuid' | 'slug' | 'title'>,
  base: string,
  { width, height } = cardSize,
) {
  return (
    <iframe
      src={base + embedPath(project)}
      title={withoutTurns(project.title)}
      width={width}
      height={height}
      frameborder="0"
      loading="lazy"
      sandbox="allow-popups allow-popups-to-escape-sandbox"
    />
  );
}
