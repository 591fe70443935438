// /content/<uuid>/embed/: a project as a card. It is the only page that other sites may show in an iframe.

import { NotFound } from '#common/errors.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { framedPageHeaders } from '#rest/shared-caching.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { addStylesheet, stylesheet } from '../../core/pages/assets.ts';
import { LookStylesheets } from '../../core/pages/layout/accent.tsx';
import { Logo, removeBidiControls } from '../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page, redirectPermanently } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { lookAttributes } from '../../core/site/site-fields.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import { CabinetStyles, loadCoverContents, ProjectCover } from '../../projects/pages/list/posters.tsx';
import { findProject } from '../../projects/pages/project/find-project.ts';
import { showProjectPage } from '../../projects/pages/project/project.tsx';
import { getHeading } from '../../projects/pages/project-parts.tsx';
import embedCss from './embed.css' with { type: 'text' };
import { embedPath, isEmbeddable } from './embed-code.tsx';

const embedStylesheet = addStylesheet(embedCss);

async function showEmbedPage(context: PageContext): Promise<PreparedResponse> {
  const { url, origin, layout, rich } = context;
  const { site } = layout;
  const { code, direction } = layout.language;
  const project = await findProject({ ...context, viewer: anonymous });
  // The slug of a project titled Embed is "embed": this is its own page.
  if (url.path === projectPath(project)) return showProjectPage(context);
  if (!isEmbeddable(project)) throw new NotFound();
  const path = embedPath(project);
  if (url.path !== path) return redirectPermanently(context, path);
  const covers = await loadCoverContents(context.projects, anonymous, [project]);
  const href = origin + projectPath(project);
  const body = `<!doctype html>${(
    <html lang={code} dir={direction} {...lookAttributes(site)}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>
          {removeBidiControls(project.title)} – {removeBidiControls(site.name)}
        </title>
        <meta name="robots" content="noindex" />
        <link rel="canonical" href={href} />
        <link rel="stylesheet" href={stylesheet} />
        <link rel="stylesheet" href={embedStylesheet} />
        <CabinetStyles projects={[project]} />
        <LookStylesheets site={site} />
      </head>
      <body class="embed">
        <main class="card">
          <ProjectCover project={project} cover={covers.get(project.id)} eager />
          <h1 class="name" dir="auto">
            <a href={href} target="_blank" rel="noopener">
              {getHeading(layout.language, project)}
            </a>
          </h1>
          <p class="byline">
            <Logo size={18} />
            <span>
              {rich('embed.byline', {
                name: <bdi>{displayName(project)}</bdi>,
                site: <bdi>{site.name}</bdi>,
              })}
            </span>
          </p>
        </main>
      </body>
    </html>
  )}`;
  return prepareResponse(
    200,
    { Vary: 'Accept-Language', 'Content-Language': code, ...framedPageHeaders },
    body,
  );
}

export const cardRoute = page(
  ['/content/:uuid/embed/', '/content/:uuid/:slug/embed/'],
  anyone,
  showEmbedPage,
);
