// Every page of the public site on one screen. A new page is a file beside this one and a line here.

import { type Context, Hono } from 'hono';
import type { Database } from '../database/open.ts';
import { Failure, NotFound } from '../errors.ts';
import type { ProjectFinder } from '../gallery/projects/find.ts';
import type { ListedParts } from '../gallery/projects/parts.ts';
import { type Address, addressOf } from '../rest/address.ts';
import { type Answer, validated } from '../rest/answer.ts';
import { within } from '../rest/deadline.ts';
import { MethodNotAllowed } from '../rest/exceptions.ts';
import type { Visit } from '../rest/visit.ts';
import { asset } from './assets.ts';
import { contributor } from './contributor.tsx';
import { embed } from './embed.tsx';
import { errorPage } from './error.tsx';
import { atomFeed, contributorAtomFeed, contributorJsonFeed, jsonFeed } from './feed.ts';
import { home } from './home.tsx';
import { lineage } from './lineage.tsx';
import { oembed } from './oembed.tsx';
import { project } from './project.tsx';
import { robots, sitemap, sitemapPart } from './sitemap.ts';
import { tags } from './tags.tsx';

export interface PageParts {
  readonly database: Database;
  readonly projects: ProjectFinder;
  readonly parts: ListedParts;
  readonly timeZone: string;
}

export interface Served {
  readonly base: string;
  readonly address: Address;
  readonly params: Readonly<Record<string, string>>;
}

type Page = (parts: PageParts, served: Served) => Promise<Answer>;

export function pages(parts: PageParts): Hono<{ Bindings: Visit }> {
  const routes = new Hono<{ Bindings: Visit }>();
  const serve = (page: Page) => (context: Context<{ Bindings: Visit }>) => answerWith(page, parts, context);

  routes.all('/', serve(home));
  routes.all('/feed.atom/', serve(atomFeed));
  routes.all('/feed.json/', serve(jsonFeed));
  routes.all('/tags/', serve(tags));
  routes.all('/content/:uuid/', serve(project));
  routes.all('/content/:uuid/embed/', serve(embed));
  routes.all('/content/:uuid/:slug/', serve(project));
  routes.all('/content/:uuid/:slug/embed/', serve(embed));
  routes.all('/content/:uuid/:slug/lineage/', serve(lineage));
  routes.all('/contributors/:name/', serve(contributor));
  routes.all('/contributors/:name/feed.atom/', serve(contributorAtomFeed));
  routes.all('/contributors/:name/feed.json/', serve(contributorJsonFeed));
  routes.all('/oembed/', serve(oembed));
  routes.all('/sitemap.xml/', serve(sitemap));
  routes.all('/sitemaps/:range/', serve(sitemapPart));
  routes.all('/robots.txt/', serve(robots));
  routes.all(
    '/assets/:file/',
    serve(async (_, { address }) => asset(address.path)),
  );
  routes.all(
    '*',
    serve(async () => {
      throw new NotFound();
    }),
  );
  return routes;
}

async function answerWith(
  page: Page,
  parts: PageParts,
  { env, req }: Context<{ Bindings: Visit }>,
): Promise<Response> {
  const { request, base } = env;
  try {
    if (env.refusal) throw env.refusal;
    if (request.method !== 'GET' && request.method !== 'HEAD') throw new MethodNotAllowed(request.method);
    const address = addressOf(env.path);
    const given = await within(env.deadline, page(parts, { base, address, params: req.param() }));
    return env.respond(
      given.status === 200 && !given.headers.has('Cache-Control') ? validated(given) : given,
    );
  } catch (error) {
    if (!(error instanceof Failure)) env.report(error);
    return env.respond(errorPage(error, env.id));
  }
}
