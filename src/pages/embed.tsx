// /content/<uuid>/embed/: a project as a card, the one page that may stand in a frame on another site.

import { NotFound } from '../errors.ts';
import { embedPath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import type { Project } from '../gallery/projects/project.ts';
import { anonymous } from '../gallery/viewer.ts';
import { type Answer, answer } from '../rest/answer.ts';
import { pageHeaders } from '../rest/page-headers.ts';
import { stylesheet } from './assets.ts';
import { hostOf } from './cards.tsx';
import { Mark, withoutTurns } from './layout.tsx';
import { excerpt, quoted } from './markdown.ts';
import { Cover } from './media.tsx';
import { movedTo } from './moved.ts';
import { project } from './project.tsx';
import type { PageParts, Served } from './serve.ts';

const headers = {
  ...pageHeaders,
  'Content-Security-Policy': pageHeaders['Content-Security-Policy'].replace(
    "frame-ancestors 'none'",
    'frame-ancestors *',
  ),
};

export async function embed(parts: PageParts, served: Served): Promise<Answer> {
  const { params, address, base } = served;
  const found = await parts.projects.byUuid(anonymous, params.uuid ?? '');
  // A project that is called Embed has its own page here.
  if (address.path === projectPath(found)) return project(parts, served);
  if (!isEmbeddable(found)) throw new NotFound();
  const path = embedPath(found);
  if (address.path !== path) return movedTo(`${base}${path}`, address);
  const covers = await parts.projects.covers([found.id]);
  const words = (found.content_type === 'quote' && quoted(found.text)) || excerpt(found.text, found.title);
  const href = base + projectPath(found);
  const body = `<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{withoutTurns(found.title)} – Vitrine</title>
        <meta name="robots" content="noindex" />
        <link rel="canonical" href={href} />
        <link rel="stylesheet" href={stylesheet} />
      </head>
      <body class="embed">
        <main class={`card of-${found.content_type}`}>
          <Cover media={covers.get(found.id)} eager />
          <p class="kind">{found.content_type}</p>
          <h1 class="name" dir="auto">
            <a href={href} target="_blank" rel="noopener">
              {found.title}
            </a>
          </h1>
          {words && (
            <p class="excerpt" dir="auto">
              {words}
            </p>
          )}
          {found.link && <p class="leads">{hostOf(found.link)}</p>}
          <p class="by">
            <Mark size={18} /> <bdi>{displayName(found)}</bdi> on Vitrine
          </p>
        </main>
      </body>
    </html>
  )}`;
  return answer(200, headers, body);
}

/** What is unlisted goes no further than its address. */
export function isEmbeddable({ visibility }: Project): boolean {
  return visibility === 'public';
}
