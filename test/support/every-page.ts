// A gallery that has something on every page, and the paths of the pages, for tests and screenshots of all of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import type { Kind } from './databases.ts';
import { person } from './person.ts';
import { type Site, siteOn } from './site.ts';

const demoFolder = join(import.meta.dir, '../../src/gallery/demo');
const demo = ['gallery', 'files']
  .map((name) => readFileSync(join(demoFolder, `${name}.ndjson`), 'utf8'))
  .join('');

type Who = 'visitor' | 'klaus_werkt' | 'ada';

/** Names and their paths. */
type Pages = Readonly<Record<string, string>>;

export interface Everything {
  readonly site: Site;
  /** A browser's window in which this person is signed in. */
  open(
    browser: Browser,
    who: Who,
    look: NonNullable<Parameters<Browser['newContext']>[0]>,
  ): Promise<BrowserContext>;
}

const content = (uuid: string, slug: string) => `/content/${uuid}/${slug}/`;
const toasters = content('hsMckJ9QRoUZNEkKbiT3Ef', 'the-museum-of-broken-toasters');
const alarm = content('Yu7BAvBrGWQLmDTYchwRcp', 'thirsty-plant-alarm-radio-edition');
const balloon = content('AgzzufY8jgfziJHuaDRr5p', 'how-do-we-keep-a-weather-balloon-logger-warm');

const visitors: Pages = {
  home: '/',
  'home-quotes': '/?content_type=quote',
  'home-found': '/?search=kite',
  'home-empty': '/?search=nothing+of+the+kind',
  tags: '/tags/',
  'project-link': toasters,
  'project-copy': alarm,
  'project-question': balloon,
  lineage: `${alarm}lineage/`,
  'project-text': content('gCBez6NTEwoXEVroQzWnn3', 'a-bread-box-from-one-board'),
  'project-photo': content('hqbK9QKye5DDfLnAG3hbXd', 'kites-drying-on-the-library-railing'),
  'project-quote': content('nxLUYL9mxpQ8PEGiD49R3J', 'morris-for-above-the-door'),
  'project-video': content('akAcfcP68iRzdCi8LywGgv', 'robot-mariachi-de-carton'),
  'project-document': content('7RZhr3GLWnKEX9xnPkHHwW', 'soldering-bench-rules-one-page'),
  comment: content('UBnFGybJYgjh49V5EEob6X', 'a-spinning-top'),
  history: `${toasters}history/`,
  embed: '/content/hsMckJ9QRoUZNEkKbiT3Ef/embed/',
  contributor: '/contributors/10-sione/',
  'sign-in': '/sign-in/',
  'sign-up': '/sign-up/',
  'not-found': '/content/nothing/',
  'api-root': '/api/v1/?format=api',
  'api-list': '/api/v1/projects/?format=api',
  'api-record': '/api/v1/projects/59/?format=api',
  'api-session': '/api/v1/auth/session/?format=api',
  'api-docs': '/api/v1/docs/?format=api',
  'api-wrong': '/api/v1/projects/?format=api&content_type=x',
};

const makers: Pages = {
  'own-project': toasters,
  'project-of-another': balloon,
  'own-history': `${toasters}history/`,
  new: '/new/',
  'new-text': '/new/text/',
  'new-photo': '/new/photo/',
  'new-link': '/new/link/',
  edit: `${toasters}edit/`,
  away: `${toasters}away/`,
  mine: '/mine/',
  drafts: '/mine/?show=drafts',
  trash: '/mine/?show=trash',
  'mine-empty': '/mine/?show=unlisted',
  account: '/account/',
  files: `${toasters}files/`,
  report: `${balloon}report/`,
  keys: '/account/keys/',
  password: '/account/password/',
  leave: '/account/leave/',
  'api-record-own': '/api/v1/projects/59/?format=api',
  'api-list-own': '/api/v1/projects/?format=api',
};

const moderators: Pages = {
  'moderation-queue': '/moderation/',
  'moderation-log': '/moderation/log/',
  'moderation-removed': '/moderation/removed/',
  'moderation-trash': '/moderation/trash/',
  'moderation-people': '/moderation/people/',
  'moderation-person': '/moderation/people/?username=zosia',
};

export const pages: Readonly<Record<Who, Pages>> = {
  visitor: visitors,
  klaus_werkt: makers,
  ada: moderators,
};

export async function everything(kind: Kind): Promise<Everything> {
  const site = await siteOn(kind, { dump: demo, environment: { VITRINE_SIGN_UP: 'open' } });
  const klaus = await person(site, 'klaus_werkt');
  const ada = await person(site, 'ada', { role: 'moderator' });
  const { text } = await klaus.json<{ text: string }>('/api/v1/projects/59/');
  await klaus.patch('/api/v1/projects/59/', {
    text: `${text}\n\nOpen on Sundays.`,
    tags: 'repair, electronics, museum',
  });
  await klaus.post('/api/v1/projects/', { title: 'Not ready', status: 0, text: 'To be continued.' });
  const mistake = await klaus.post('/api/v1/projects/', { title: 'A mistake' });
  const { id } = (await mistake.json()) as { id: number };
  await klaus.delete(`/api/v1/projects/${id}/`);
  await klaus.post('/api/v1/projects/4/report/', { reason: 'other', words: 'Is this about my mother?' });
  await klaus.post('/api/v1/projects/5/report/', { reason: 'unkind' });
  await klaus.post('/api/v1/projects/58/report/', { reason: 'spam' });
  await ada.post('/api/v1/reports/3/decide/', { decision: 'remove', reason: 'It sells screws.' });

  return {
    site,
    async open(browser, who, look) {
      const window = await browser.newContext({ ...look, baseURL: site.serve() });
      if (who === 'visitor') return window;
      const { Cookie = '' } = await site.signIn(who, who === 'ada' ? { role: 'moderator' } : {});
      const [name = '', value = ''] = Cookie.split('=');
      await window.addCookies([{ name, value, url: site.serve() }]);
      return window;
    },
  };
}
