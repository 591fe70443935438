// /wall/: the newest projects of a list on a whole screen, for a projector. New ones appear by themselves. It is the same for
// everybody: a room must not see what the person at the computer may see.

import { NotFound } from '#common/errors.ts';
import { raw } from '#rest/jsx/jsx-runtime.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { addScript, addStylesheet } from '../../core/pages/assets.ts';
import { cached } from '../../core/pages/layout/cached.tsx';
import { ContributorLink } from '../../core/pages/layout/components.tsx';
import { Page, removeBidiControls, renderPage } from '../../core/pages/layout/layout.tsx';
import { type LayoutData, useLanguage } from '../../core/pages/layout/layout-data.ts';
import { anyone, type PageContext, page, redirectPermanently } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import { getListTitle } from '../../projects/pages/list/home.tsx';
import { findListedCollection, parseListQuery } from '../../projects/pages/list/list-query.ts';
import {
  CabinetStyles,
  type CoverContent,
  loadCoverContents,
  ProjectCover,
  withBeginning,
} from '../../projects/pages/list/posters.tsx';
import { drawQrCode } from '../../projects/pages/project/qr-code.ts';
import { followChangesScript } from '../../projects/pages/project-assets.ts';
import { getHeading } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { newestFirst } from '../../projects/project-order.ts';
import { wallPath } from './path.ts';
import wallCss from './wall.css' with { type: 'text' };
import wallJs from './wall.js' with { type: 'text' };

const script = addScript(wallJs);
const stylesheet = addStylesheet(wallCss);

/** More than fit a screen: the rest is reached by scrolling. */
const maxProjects = 24;
/** A QR code of more could not be scanned from a distance, and takes long to draw. */
const maxCodeLength = 250;
const renewalSeconds = 30;

async function showWallPage(context: PageContext) {
  const { projects, fragments, url, origin, t } = context;
  if (!url.hasFinalSlash) return redirectPermanently(context, wallPath);
  // The public has no projects of its own.
  if (url.query.get('contributor') === 'me') throw new NotFound();
  const listQuery = parseListQuery(projects, anonymous, url.query);
  const { effectiveFilters, query } = listQuery;
  const order = query.has('collection') ? undefined : newestFirst;
  const newest = await projects.list(anonymous, effectiveFilters, order).page(0, maxProjects);
  const covers = await loadCoverContents(projects, anonymous, newest);
  const nobody = { viewer: anonymous, name: undefined, csrfToken: undefined, moderators: undefined };
  const layout: LayoutData = { ...context.layout, ...nobody };
  const collection = await findListedCollection(projects, anonymous, listQuery);
  const { title, heading } = getListTitle(listQuery, layout, collection);
  const listPath = urlWithParameters('/', query, { ordering: '' });
  const address = origin + listPath;
  return renderPage(
    layout,
    <Page
      title={t('wall.title', { title })}
      isPublic
      isIndexed={false}
      isBare
      scripts={[script, followChangesScript]}
      stylesheets={[stylesheet]}
      head={
        <noscript>
          <meta http-equiv="refresh" content={String(renewalSeconds)} />
        </noscript>
      }
    >
      <header>
        <div>
          <h1 dir="auto">{heading}</h1>
          <p>
            <a href={listPath} dir="ltr">
              {shortenAddress(address)}
            </a>
          </p>
        </div>
        {address.length <= maxCodeLength && (
          <details>
            <summary aria-label={t('wall.code')}>
              {raw(fragments.text(['QR code', address], () => drawQrCode(address)))}
            </summary>
          </details>
        )}
      </header>
      <main data-changes="/api/v1/changes/stream/" data-pause="2">
        {newest.length === 0 && <p class="empty">{t('wall.empty')}</p>}
        <CabinetStyles projects={newest} />
        <ul class="cards">
          {newest.map((project) => (
            <WallCard project={withBeginning(project)} cover={covers.get(project.id)} />
          ))}
        </ul>
      </main>
    </Page>,
  );
}

/** The address without https://, as people type it. */
const shortenAddress = (address: string) =>
  removeBidiControls(decodeURI(address.replace(/^https?:\/\//, '').replace(/\/$/, '')));

const WallCard = cached(function WallCard(props: { project: Project; cover: CoverContent | undefined }) {
  const { project, cover } = props;
  return (
    <li class="card" id={`card-${project.uuid}`}>
      <ProjectCover project={project} cover={cover} eager isLarge />
      <h2 class="name" dir="auto">
        <a href={projectPath(project)}>{getHeading(useLanguage(), project)}</a>
      </h2>
      <p class="byline">
        <ContributorLink project={project} hasAvatar />
      </p>
    </li>
  );
});

export const routes = [page(wallPath, anyone, showWallPage)];
