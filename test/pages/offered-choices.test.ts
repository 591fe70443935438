// Whoever gets a form can send each of its choices: none that it offers is refused.

import { expect, test } from 'bun:test';
import { onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import type { Person } from '../support/person.ts';
import {
  at,
  change,
  collect,
  copy,
  idOf,
  lamp,
  type Made,
  make,
  openSchool,
  type School,
} from '../support/school.ts';

const pathOf = ({ html_url }: Pick<Made, 'html_url'>) => new URL(html_url).pathname;

/** Of a page that the person may open. */
async function findChoices(who: Person, path: string) {
  const response = await who.browser.get(path);
  if (response.status !== 200) return undefined;
  const page = await readPage(response);
  return {
    fields: page.fields,
    visibilities: page.attributesOf('input[name="visibility"]', 'value'),
    statuses: page.attributesOf('button[name="status"]', 'value'),
  };
}

/** All that the form offers, in short. Each choice is sent that is still offered then. */
async function sendChoices(who: Person, work: Made, refused: string[]): Promise<string> {
  const path = pathOf(work);
  const offered = await findChoices(who, `${path}edit/`);
  for (const visibility of offered?.visibilities ?? []) {
    const now = await findChoices(who, `${path}edit/`);
    if (!now?.visibilities.includes(visibility)) continue;
    const { status } = await who.send(`${path}edit/`, { ...now.fields, visibility });
    if (status !== 303) refused.push(`${who.username} ${work.title} ${visibility}: ${status}`);
  }
  for (const value of offered?.statuses ?? []) {
    const now = await findChoices(who, `${path}edit/`);
    if (!now?.statuses.includes(value)) continue;
    const { status } = await who.send(`${path}status/`, { status: value });
    if (status !== 303) refused.push(`${who.username} ${work.title} status ${value}: ${status}`);
  }
  return offered ? [...offered.visibilities, ...offered.statuses].join(' ') : 'no form';
}

const makers: Readonly<Record<string, (school: School) => Promise<Made>>> = {
  'work of the class': ({ kim }) => make(kim, { visibility: 'class' }),
  'public work': ({ kim }) => make(kim, { visibility: 'public' }),
  draft: ({ kim }) => make(kim, { visibility: 'public', status: 0 }),
  'copy of a classmate’s': async ({ kim, lee }) => copy(kim, await make(lee, { visibility: 'class' })),
  'copy of a teacher’s': async ({ kim, tess }) => copy(kim, await make(tess, { visibility: 'class' })),
  'archived work of an adult': async ({ ann }) => make(ann, { status: 2 }),
  'copy of an adult': async ({ ann, lee }) => copy(ann, await make(lee, { visibility: 'class' })),
  'collection of a child': ({ kim }) => make(kim, { content_type: 'collection', visibility: 'private' }),
  'collection with an editor': async ({ ann }) => {
    const made = await make(ann, { content_type: 'collection' });
    expect((await ann.put(`${at}${made.id}/people/${idOf('tess')}/`, { role: 'editor' })).status).toBe(204);
    return made;
  },
  class: ({ mo }) => make(mo, { content_type: 'collection', kind: 'class', visibility: 'class' }),
};

onOneDatabase((kind) => {
  test('no visibility and no status that a form offers is refused', async () => {
    const school = await openSchool(kind);
    const { kim, lee, ann, tess, mo } = school;
    const refused: string[] = [];
    const offered: Record<string, string[]> = {};
    for (const [title, makeIt] of Object.entries(makers))
      for (const who of [kim, ann, tess, mo]) {
        const choices = await sendChoices(who, { ...(await makeIt(school)), title }, refused);
        offered[title] = [...(offered[title] ?? []), choices];
      }
    expect(refused).toEqual([]);
    const none = 'no form';
    expect(offered).toEqual({
      'work of the class': ['public unlisted private class 2 0', none, none, 'private class 2 0'],
      'public work': ['public unlisted private class 0', none, none, 'public unlisted private 0'],
      draft: ['public unlisted private class 1 0', none, none, 'public unlisted private'],
      'copy of a classmate’s': ['private class 2 0', none, none, 'private 2 0'],
      'copy of a teacher’s': ['public unlisted private class 2 0', none, none, 'private 2 0'],
      'archived work of an adult': [
        none,
        'public unlisted private class 1',
        none,
        'public unlisted private 1',
      ],
      'copy of an adult': [none, 'private class 2 0', none, 'private 2 0'],
      'collection of a child': ['public unlisted private 2 0', none, none, 'private 2 0'],
      'collection with an editor': [none, 'public unlisted private 2 0', '', 'public unlisted private 2 0'],
      class: [none, none, none, 'public unlisted private class 2 0'],
    });
    const bound = await kim.open(`${pathOf(await copy(kim, await make(lee, { visibility: 'class' })))}edit/`);
    expect(bound.textsOf('#f-visibility-help')).toEqual([
      'This was made for a class: it cannot be remixed outside.',
    ]);
    expect((await kim.open('/new/collection/')).fields.visibility).toBe('private');
  });

  test('no collection that a form offers is refused', async () => {
    const school = await openSchool(kind);
    const { kim, lee, sam, ann, bob, tess, mo } = school;
    const collection = (maker: Person, title: string) => make(maker, { title, content_type: 'collection' });
    const mine = await collection(kim, 'Mine');
    await change(mo, await collection(kim, 'Removed'), { status: 3, reason: 'Spam' });
    const [bobs, withdrawn] = [await collection(bob, 'Bob’s'), { id: lamp }];
    expect(await collect(bob, bobs.id, withdrawn)).toBe(201);
    expect((await ann.delete(`${at}${bobs.id}/items/${lamp}/`)).status).toBe(204);
    const copied = await copy(kim, await make(lee, { visibility: 'class' }));
    await change(kim, copied, { visibility: 'class' });
    const works = [
      [kim, await make(kim, { visibility: 'class' })],
      [kim, copied],
      [sam, await make(sam, { visibility: 'class' })],
      [bob, await ann.json<Made>(`${at}${lamp}/`)],
      [tess, await ann.json<Made>(`${at}${lamp}/`)],
      [tess, await make(kim, { visibility: 'class' })],
    ] as const;
    const found = [];
    for (const [who, work] of works) {
      const path = `${pathOf(work)}collect/`;
      const page = await who.open(path);
      const into = page.attributesOf('input[name="into"]', 'value');
      const labels = page.textsOf('#f-into label');
      const refused = [];
      for (const uuid of into) {
        const { status } = await who.send(path, {
          once: `${work.id} ${uuid}`,
          title: '',
          note: '',
          into: uuid,
        });
        if (status !== 303) refused.push(uuid);
      }
      found.push([
        page.attributesOf('input[name="title"]', 'name').length,
        ...labels,
        ...page.textsOf('.stacked-form .faint'),
        ...refused,
      ]);
    }
    const bound = 'This was made for a class: it cannot be remixed outside.';
    expect(found).toEqual([
      [1, 'Mine', 'Class 6b'],
      [0, 'Class 6b', bound],
      [1, 'Class 7a', 'Class 6b'],
      [1, 'Its maker took it out. Only its maker can put it back.'],
      [1, 'Class 6b'],
      [0],
    ]);
    const people = await kim.open(`${pathOf(mine)}people/`);
    expect([people.fields.username, ...people.notices]).toEqual([
      undefined,
      'A class looks after this account: ask your teacher.',
    ]);
  });
});
