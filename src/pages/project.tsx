// /content/<uuid>/<slug>/: the page that a record's html_url leads to. Any other slug leads to today's.

import { raw } from 'hono/html';
import { NotFound } from '../errors.ts';
import { lineagePath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { removalReasons } from '../gallery/moderation/log.ts';
import type { Project } from '../gallery/projects/project.ts';
import { visitorsStatuses } from '../gallery/projects/visible.ts';
import { ownRating } from '../gallery/ratings/find.ts';
import { isAnonymous, type Viewer } from '../gallery/viewer.ts';
import { jsonAlternate, oembedAlternates } from './alternates.ts';
import { Actions, Say } from './can-do.tsx';
import { Cards, type Dealt, deal, hostOf } from './cards.tsx';
import { Comments, threadOf } from './comments.tsx';
import { page } from './layout.tsx';
import { pageAddress } from './listing.ts';
import { excerpt, toHtml } from './markdown.ts';
import { MediaOf } from './media.tsx';
import { movedTo } from './moved.ts';
import { Maker, Title } from './named.tsx';
import type { PageParts, Served } from './serve.ts';
import { tagAddress } from './tags.tsx';
import { Day } from './times.tsx';
import { ToldToMachines } from './told.tsx';

/** So many copies are shown; the lineage and a list have the others. */
const fewCopies = 3;

export async function project({ database, projects, timeZone: zone }: PageParts, served: Served) {
  const { params, address, base, viewer, frame, refused } = served;
  const found = await projects.byUuid(viewer, params.uuid ?? '');
  const path = projectPath(found);
  if (address.path !== path && !refused) return movedTo(`${base}${path}`, address);
  const [source, about, copies, thread, files, rating, removals] = await Promise.all([
    other(projects, viewer, found.copied_from),
    other(projects, viewer, found.parent),
    copiesOf(projects, viewer, found),
    threadOf(projects, viewer, found, address.query),
    projects.media([found.id]),
    isAnonymous(viewer) ? undefined : ownRating(database, viewer, found.id),
    removalReasons(database, found.status === 3 ? [found.id] : []),
  ]);
  const media = files.get(found.id) ?? [];
  const listed = found.visibility === 'public' && visitorsStatuses.includes(found.status);
  const at = pageAddress(path, new URLSearchParams());
  return page(frame, {
    title: thread.number > 1 ? `${found.title}, page ${thread.number}` : found.title,
    description: excerpt(found.text, found.title, 160) || `By ${displayName(found)}.`,
    canonical: `${base}${at(thread.number)}`,
    alternates: [
      jsonAlternate(`/api/v1/projects/${found.id}/?format=json`),
      ...(listed ? oembedAlternates(`${base}${path}`, found.title) : []),
    ],
    listed,
    head: listed && (
      <ToldToMachines project={found} media={media} source={source} about={about} base={base} zone={zone} />
    ),
    children: (
      <>
        <article class={`work of-${found.content_type}`}>
          <header>
            <p class="kind">
              <a href={`/?content_type=${found.content_type}`}>{found.content_type}</a>
            </p>
            <h1 dir="auto">{found.title}</h1>
            <p class="by">
              by <Maker of={found} rel="author" />
              {' · '}
              <Day at={found.created} zone={zone} />
              {found.modified > found.created && (
                <>
                  {' · changed '}
                  <Day at={found.modified} zone={zone} />
                </>
              )}
            </p>
            <Origin project={found} source={source} about={about} />
            <State project={found} why={removals.get(found.id)} />
          </header>
          {found.link && <Leads link={found.link} />}
          <MediaOf media={media} />
          <div class="text" dir="auto">
            {raw(toHtml(found.text, found.title))}
          </div>
          <div class="beside">
            <Facts project={found} />
            <Tags tags={found.tags} />
            <Actions project={found} frame={frame} rating={rating} base={base} />
          </div>
        </article>
        <Copies project={found} copies={copies} zone={zone} />
        <Comments about={found} thread={thread} zone={zone} viewer={viewer} address={at}>
          <Say project={found} frame={frame} refused={refused} />
        </Comments>
      </>
    ),
  });
}

/** Who else sees it, where that is not everybody. */
function State({ project: { status, visibility }, why }: { project: Project; why: string | undefined }) {
  const states = {
    0: 'This is a draft: nobody else sees it.',
    1: undefined,
    2: 'This project is archived: it stands as it was left.',
    3: 'A moderator has removed this: nobody but you and moderators see it.',
  };
  const visibilities = {
    public: undefined,
    unlisted: 'This project is in no list: whoever has its address can read it.',
    private: 'This project is private: only its maker and moderators see it.',
  };
  return (
    <>
      {[states[status], visibilities[visibility]]
        .filter((words) => words !== undefined)
        .map((words) => (
          <p class="notice">{words}</p>
        ))}
      {why && (
        <p class="notice" dir="auto">
          Why it was removed: {why}
        </p>
      )}
    </>
  );
}

/** Credit to whoever began it. */
function Origin({
  project,
  source,
  about,
}: {
  project: Project;
  source: Project | undefined;
  about: Project | undefined;
}) {
  return (
    <>
      {about && (
        <p class="credit">
          A comment on <Title of={about} /> by <bdi>{displayName(about)}</bdi>
        </p>
      )}
      {source && (
        <p class="credit">
          A copy of <Title of={source} /> by <Maker of={source} />.{' '}
          <a href={lineagePath(project)}>See the whole family</a>
        </p>
      )}
      {project.copied_from !== null && !source && (
        <p class="credit">A copy of something that is gone, or not for everyone to see.</p>
      )}
    </>
  );
}

function Leads({ link }: { link: string }) {
  return (
    <p class="leads">
      <a href={link} rel="nofollow noopener ugc">
        <span class="host">{hostOf(link)}</span>
        <span class="whole">{link}</span>
      </a>
    </p>
  );
}

function Tags({ tags }: { tags: string }) {
  if (!tags) return null;
  return (
    <nav aria-label="Tags">
      <ul class="tags">
        {tags.split(', ').map((tag) => (
          <li>
            <a href={tagAddress(tag)} rel="tag">
              <bdi>{tag}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Facts({ project: { karma, rating_count, rating_sum } }: { project: Project }) {
  return (
    <dl class="facts">
      <div>
        <dt>Karma</dt>
        <dd>{karma.toLocaleString('en')}</dd>
      </div>
      <div>
        <dt>Rated</dt>
        <dd>
          {rating_count === 0
            ? 'by nobody yet'
            : `${(rating_sum / rating_count).toFixed(1)} of 5, by ${rating_count.toLocaleString('en')}`}
        </dd>
      </div>
    </dl>
  );
}

function Copies({ project, copies, zone }: { project: Project; copies: Dealt; zone: string }) {
  if (copies.projects.length === 0) return null;
  const shown = { ...copies, projects: copies.projects.slice(0, fewCopies) };
  return (
    <section class="copies" aria-labelledby="copies">
      <h2 id="copies">What was made of it</h2>
      <Cards dealt={shown} zone={zone} level="h3" originless />
      <p class="more">
        <a href={lineagePath(project)}>The family of copies</a>
        {copies.projects.length > fewCopies && (
          <>
            {' · '}
            <a href={`/?copied_from=${project.id}`}>All copies</a>
          </>
        )}
      </p>
    </section>
  );
}

/** One more than is shown tells that there are more. */
async function copiesOf(projects: PageParts['projects'], viewer: Viewer, { id }: Project): Promise<Dealt> {
  const copies = projects.listing(viewer, projects.choose('copied_from', String(id)));
  const first = (await projects.isCopied({ id })) ? await copies.page(0, fewCopies + 1) : [];
  return deal(projects, viewer, first);
}

/** What it was copied from, or what it is about, if the reader may see that. */
async function other(
  projects: PageParts['projects'],
  viewer: Viewer,
  id: number | null,
): Promise<Project | undefined> {
  if (id === null) return undefined;
  try {
    return await projects.one(viewer, id);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
