// A gallery that has something on every page, and the paths of the pages, for tests and screenshots of all of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kind } from './databases.ts';
import { makePasskey } from './passkeys.ts';
import { Person, person, visitor } from './person.ts';
import { png } from './pictures.ts';
import { contributor, dump, importInto, project, type Site, siteOn, uuidOf } from './site.ts';
import { makeWebhook } from './webhook-receiver.ts';

const demoFolder = join(import.meta.dir, '../../src/features/demo');
const demo = ['gallery', 'files']
  .map((name) => readFileSync(join(demoFolder, `${name}.ndjson`), 'utf8'))
  .join('');

/** The person who opens the pages. */
export const viewers = ['visitor', 'contributor', 'moderator', 'pupil'] as const;
export type Viewer = (typeof viewers)[number];

/** Names and their paths. */
type Pages = Readonly<Record<string, string>>;

export interface DemoSite {
  readonly site: Site;
  readonly people: Readonly<Record<Viewer, Person>>;
}

const content = (uuid: string, slug: string) => `/content/${uuid}/${slug}/`;
const toasters = content('hsMckJ9QRoUZNEkKbiT3Ef', 'the-museum-of-broken-toasters');
const alarm = content('Yu7BAvBrGWQLmDTYchwRcp', 'thirsty-plant-alarm-radio-edition');
const balloon = content('AgzzufY8jgfziJHuaDRr5p', 'how-do-we-keep-a-weather-balloon-logger-warm');

const breadBox = content('boAxXehXJwgh6QAGdK9sP5', 'der-brotkasten-der-piept');

const exhibition = content(uuidOf(500), 'exhibition');
const classroom = content(uuidOf(502), 'class-6b');

const visitorPages: Pages = {
  home: '/',
  'home-quotes': '/?content_type=quote',
  'home-search': '/?search=kite',
  'home-empty': '/?search=kitte',
  tags: '/tags/',
  wall: '/wall/',
  'wall-empty': '/wall/?tags=nothing',
  'project-link': toasters,
  'project-copy': alarm,
  'project-question': balloon,
  lineage: `${alarm}lineage/`,
  comparison: `${alarm}comparison/`,
  'project-text': content('gCBez6NTEwoXEVroQzWnn3', 'a-bread-box-from-one-board'),
  'project-photo': content('hqbK9QKye5DDfLnAG3hbXd', 'kites-drying-on-the-library-railing'),
  'project-quote': content('nxLUYL9mxpQ8PEGiD49R3J', 'morris-for-above-the-door'),
  'project-video': content('akAcfcP68iRzdCi8LywGgv', 'robot-mariachi-de-carton'),
  'project-document': content('7RZhr3GLWnKEX9xnPkHHwW', 'soldering-bench-rules-one-page'),
  comment: content('UBnFGybJYgjh49V5EEob6X', 'a-spinning-top'),
  history: `${toasters}history/`,
  embed: '/content/hsMckJ9QRoUZNEkKbiT3Ef/embed/',
  collections: '/?content_type=collection',
  collection: exhibition,
  'in-collection': '/?collection=500',
  contributor: '/contributors/10-sione/',
  'sign-in': '/sign-in/',
  'sign-up': '/sign-up/',
  code: '/code/',
  'forgotten-password': '/forgotten-password/',
  guardian: '/guardian/',
  'confirm-email': '/confirm-email/?confirmed',
  'new-password': '/new-password/',
  about: '/about/',
  rules: '/rules/',
  'setup-old-link': '/setup/?code=old',
  unsubscribe: '/unsubscribe/?done',
  'not-found': '/content/nothing/',
  'api-root': '/api/v1/?format=api',
  'api-list': '/api/v1/projects/?format=api',
  'api-table': '/api/v1/projects/?format=table',
  'api-record': '/api/v1/projects/59/?format=api',
  'api-session': '/api/v1/auth/session/?format=api',
  'api-docs': '/api/v1/docs/?format=api',
  'api-docs-projects': '/api/v1/docs/projects/?format=api',
  'api-error': '/api/v1/projects/?format=api&content_type=x',
};

const contributorPages: Pages = {
  offline: '/offline/',
  'own-project': toasters,
  'project-of-another': balloon,
  'home-signed-in': '/',
  'tag-signed-in': '/?tags=electronics',
  'contributor-signed-in': '/contributors/10-sione/',
  following: '/following/',
  bookmarks: '/bookmarks/',
  'own-history': `${toasters}history/`,
  new: '/new/',
  'new-text': '/new/text/',
  'new-photo': '/new/photo/',
  'new-link': '/new/link/',
  edit: `${toasters}edit/`,
  'edit-kept': `${breadBox}edits/`,
  'project-kept': breadBox,
  'restore-version': `${toasters}history/71/restore/`,
  'move-to-trash': `${toasters}trash/`,
  'own-projects': '/mine/',
  drafts: '/mine/?show=drafts',
  trash: '/mine/?show=trash',
  waiting: '/mine/?show=waiting',
  'own-projects-empty': '/mine/?show=unlisted',
  account: '/account/',
  'account-profile': '/account/profile/',
  notifications: '/account/notifications/',
  'account-import': '/account/import/',
  files: `${toasters}files/`,
  report: `${balloon}report/`,
  'report-sent': `${balloon}report/sent/`,
  'report-name': '/contributors/10-sione/report/',
  keys: '/account/keys/',
  webhooks: '/account/webhooks/',
  webhook: '/account/webhooks/1/',
  'webhook-attempt': '/account/webhooks/1/attempts/1/',
  'webhook-secret': '/account/webhooks/1/secret/',
  'webhook-delete': '/account/webhooks/1/delete/',
  passkeys: '/account/passkeys/',
  linked: '/account/linked/',
  'second-step': '/account/second-step/',
  'remove-passkey': '/account/passkeys/1/remove/',
  password: '/account/password/',
  email: '/account/email/',
  'own-collection': exhibition,
  'edit-collection': `${exhibition}edit/`,
  arrange: `${exhibition}arrange/`,
  offer: `${exhibition}offer/`,
  'collection-people': `${exhibition}people/`,
  labels: `${exhibition}labels/`,
  collect: `${toasters}collect/`,
  withdraw: `${toasters}withdraw/?from=${uuidOf(501)}`,
  'new-collection': '/new/collection/',
  'my-class': '/my-class/',
  'delete-account': '/account/leave/',
  'api-record-own': '/api/v1/projects/59/?format=api',
  'api-list-own': '/api/v1/projects/?format=api',
};

const moderatorPages: Pages = {
  'moderation-queue': '/moderation/',
  'moderation-waiting': '/moderation/waiting/',
  'moderation-log': '/moderation/log/',
  'moderation-removed': '/moderation/removed/',
  'moderation-trash': '/moderation/trash/',
  'moderation-people': '/moderation/people/',
  'moderation-person': '/moderation/people/?username=zosia',
  'moderation-contributions': '/moderation/people/?username=zosia&show=projects',
  'moderation-invitations': '/moderation/invitations/',
  classes: '/moderation/classes/',
  class: classroom,
  'class-people': `${classroom}class/`,
  'class-waiting': `${classroom}class/waiting/`,
  'class-pupil': `${classroom}class/600/`,
  'class-erase': `${classroom}class/600/erase/`,
  'hand-ins': `${classroom}hand-ins/`,
  statistics: '/admin/statistics/',
  topic: '/tags/topic/?tag=electronics',
  'site-settings': '/admin/site/',
  'site-settings-appearance': '/admin/site/?part=appearance',
  'site-settings-projects': '/admin/site/?part=projects',
  'site-settings-people': '/admin/site/?part=people',
  'site-settings-texts': '/admin/site/?part=texts',
  'setup-kind': '/setup/site/',
  'setup-class': '/setup/site/?kind=class',
  'site-settings-host': '/admin/site/?host=localhost',
};

const pupilPages: Pages = {
  'my-class-pupil': '/my-class/',
  'new-for-class': '/new/text/?visibility=class',
};

export const pages: Readonly<Record<Viewer, Pages>> = {
  visitor: visitorPages,
  contributor: contributorPages,
  moderator: moderatorPages,
  pupil: pupilPages,
};

/** The contributor's pages in which looks differ. */
export const pagesOfLooks = ['/', toasters, '/new/text/', '/api/v1/projects/59/?format=api'];

const collection = (id: number, contributor: number, members: object) =>
  project(id, { content_type: 'collection', kind: 'collection', contributor, offers: 'open', ...members });
const item = (collection: number, project: number, position: number, members = {}) =>
  JSON.stringify({
    type: 'collection_item',
    collection,
    project,
    position,
    note: position % 2 ? 'Please touch.' : '',
    state: 'included',
    added_by: 9,
    added: '2026-03-01T10:00:00.000000+00:00',
    ...members,
  });

/** The accounts that a class looks after: only a new gallery takes accounts. */
const pupilLines = dump(
  ...['kim', 'lee'].map((username, index) => contributor(600 + index, username)),
  ...[600, 601].map(
    (id) =>
      `{"type":"account","contributor":${id},"role":"contributor","password":null,"disabled":null,"looked_after_by":502}`,
  ),
);

/** In two days. */
const nextDue = `${new Date(Date.now() + 2 * 24 * 3600_000).toISOString().slice(0, 10)}T14:00:00.000000+00:00`;

/** A collection of each of two people, one with an editor and an offer; a class with two accounts that it looks after. */
const exhibitionLines = dump(
  collection(500, 9, { slug: 'exhibition', title: 'Spring exhibition', text: 'In the **foyer**.' }),
  collection(501, 10, { slug: 'repair', title: 'Repaired' }),
  ...[59, 60, 58, 24, 5].map((project, index) => item(500, project, index + 1)),
  item(500, 4, 6, { state: 'offered' }),
  item(501, 59, 1),
  ...[1, 3].map(
    (position) =>
      `{"type":"collection_section","collection":500,"number":${position},"position":${position},"heading":"Room ${position}","text":"From the door to the window.","written_by":9,"written_for":null}`,
  ),
  '{"type":"collection_person","collection":500,"contributor":11,"role":"editor"}',
  collection(502, 9, {
    ...{ slug: 'class-6b', title: 'Class 6b', kind: 'class', visibility: 'class' },
    due: nextDue,
    ends: '2126-07-01T10:00:00.000000+00:00',
  }),
  ...['2026-03-02T10:00:00.000000+00:00', nextDue].map(
    (due) =>
      `{"type":"collection_due","collection":502,"due":"${due}","created":"2026-03-01T10:00:00.000000+00:00"}`,
  ),
  ...[600, 601].map(
    (id) => `{"type":"collection_person","collection":502,"contributor":${id},"role":"member"}`,
  ),
  project(503, { contributor: 600, title: 'A kite for the class', slug: 'kite', visibility: 'class' }),
  project(504, { contributor: 601, title: 'A lamp for all', slug: 'lamp', status: 5 }),
  item(502, 503, 1, { added_by: 600 }),
  project(505, { contributor: 600, title: 'A boat that is not ready', slug: 'boat', status: 0 }),
  project(506, {
    ...{ contributor: 601, title: 'Higher!', slug: 'higher', content_type: 'comment', parent: 503 },
    visibility: 'class',
  }),
);

/** Serves the demo gallery, with a collection, an edited project, a draft, a project in the trash, reports and a decision. */
export async function serveDemo(kind: Kind): Promise<DemoSite> {
  const site = await siteOn(kind, {
    dump: demo + pupilLines,
    environment: {
      VITRINE_SIGN_UP: 'open',
      VITRINE_SMTP: 'smtp://localhost',
      VITRINE_OIDC_ISSUER: 'https://login.example',
      VITRINE_OIDC_CLIENT_ID: 'gallery',
      VITRINE_OIDC_LABEL: 'Riverside School',
    },
  });
  const klaus = await person(site, 'klaus_werkt');
  const ada = await person(site, 'ada', { role: 'admin' });
  await klaus.send('/account/email/', { email: 'klaus@example.org' });
  await makePasskey(klaus);
  await makeWebhook(klaus);
  const { text } = await klaus.json<{ text: string }>('/api/v1/projects/59/');
  await klaus.patch('/api/v1/projects/59/', {
    text: `${text}\n\nOpen on Sundays.`,
    tags: 'repair, electronics, museum',
  });
  await klaus.browser.upload('/account/profile/avatar/', new File([new Uint8Array(png(64, 64))], 'me.png'));
  await klaus.send('/account/profile/', {
    about: 'I repair what others throw away.\nWrite to me at https://repair.example.',
    links: 'https://repair.example\nhttps://code.example/klaus',
    pinned: toasters,
  });
  for (const what of ['contributors/10', 'contributors/11', 'tags/electronics'])
    await klaus.put(`/api/v1/me/following/${what}/`, {});
  for (const id of [58, 60, 24]) await klaus.put(`/api/v1/me/bookmarks/${id}/`, {});
  await klaus.put('/api/v1/projects/23/edits/', { text: 'Er piept leiser.' });
  await klaus.post('/api/v1/projects/', { title: 'Not ready', status: 0, text: 'To be continued.' });
  const mistake = await klaus.post('/api/v1/projects/', { title: 'A mistake' });
  const { id } = (await mistake.json()) as { id: number };
  await klaus.delete(`/api/v1/projects/${id}/`);
  await klaus.post('/api/v1/projects/4/report/', { reason: 'other', words: 'Is this about my mother?' });
  await klaus.post('/api/v1/projects/5/report/', { reason: 'unkind' });
  await klaus.post('/api/v1/projects/58/report/', { reason: 'spam' });
  await ada.post('/api/v1/reports/3/decide/', { decision: 'remove', reason: 'It sells screws.' });
  await ada.put('/api/v1/projects/59/rating/', { value: 5 });
  await ada.send('/tags/topic/?tag=electronics', {
    text: 'Circuits that light up, hum or count.',
    picture: 'origami-ranpu-ga-hikatta-hi',
  });
  await ada.send('/moderation/invitations/', { names: 'Noor\nTomás', count: '2' });
  await ada.send('/admin/site/', {
    about: 'Made by **people**.',
    rules: '1. Be kind.',
    contact: 'ada@gallery.example',
    review: 'all',
  });
  await klaus.post('/api/v1/projects/', { title: 'A toaster that sings', text: 'It **waits**.' });
  await ada.send('/admin/site/', { review: 'off' });
  // The class belongs to somebody with an account.
  await importInto(site, exhibitionLines, { replacesAccounts: true });
  const pupil = new Person(site, await site.signIn('kim'), 'kim');
  return { site, people: { visitor: visitor(site), contributor: klaus, moderator: ada, pupil } };
}
