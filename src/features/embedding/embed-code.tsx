// The code that embeds a project in a page of another site.

import { removeBidiControls } from '../../core/pages/layout/layout.tsx';
import type { PageContext } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import type { Project } from '../../projects/project.ts';

export const cardSize = { width: 480, height: 320 };

/** The project as a card for other sites. A project whose slug is `embed` has its own page at the usual path. */
export const embedPath = (project: Pick<Project, 'uuid' | 'slug'>): string =>
  project.slug === 'embed' ? `${projectPath(project)}embed/` : `/content/${project.uuid}/embed/`;

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

export const loadEmbedCode = async ({ origin, t }: PageContext, project: Project) =>
  isEmbeddable(project) ? (
    <div class="share-embed">
      <label for="share-card">{t('share.embed')}</label>
      <textarea id="share-card" readonly rows={4} dir="ltr" spellcheck={false}>
        {String(embedCode(project, origin))}
      </textarea>
    </div>
  ) : undefined;
