// The history page of a project: the versions that a viewer may see, with their differences.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import type { FormValues, Page } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { change, make, openSchool, review } from '../support/school.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';
import { limitTime } from '../support/waiting.ts';

const lines = Array.from({ length: 40 }, (_, index) => `Line ${index + 1}.`);
const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  project(1, { title: 'Kite', text: lines.join('\n\n'), history: 'public' }),
);

/** Opens the history of a project to everybody, with the button on its page. */
async function openHistory(owner: Person, path: string): Promise<void> {
  await owner.submit(`${path}history/`, 'Make the history public');
}

interface Written {
  readonly id: number;
  readonly html_url: string;
}

/** Changes these fields in the form of a project, and returns the path of its page, which follows its title. */
async function edit(editor: Person, path: string, values: FormValues): Promise<string> {
  const { fields } = await editor.open(`${path}edit/`);
  const response = await editor.send(`${path}edit/`, { ...fields, ...values });
  const [changedPath = ''] = (response.headers.get('Location') ?? '').split('?');
  return changedPath;
}

/** The texts of the marked insertions or deletions, with their line breaks. */
const insertionsIn = (page: Page) => page.document.querySelectorAll('ins').map(({ text }) => text);
const deletionsIn = (page: Page) => page.document.querySelectorAll('del').map(({ text }) => text);

onBothDatabases((kind) => {
  test('the history shows visitors what was public, and the owner and moderators everything', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const mo = await person(site, 'mo', { role: 'moderator' });

    const draft = { title: 'Secret plan', status: '0', visibility: 'public' };
    const created = (await ada.send('/new/text/', draft)).headers.get('Location') ?? '';
    const published = await edit(ada, created, { title: 'Plan', text: 'One.\n', status: '1' });
    const path = await edit(ada, published, { text: 'One.\nTwo.\n' });
    await openHistory(ada, path);

    for (const viewer of [visitor(site), zoe]) {
      const page = await viewer.open(`${path}history/`);
      expect([insertionsIn(page), deletionsIn(page)]).toEqual([['Two.\n'], []]);
      expect(page.html).not.toContain('Secret');
      expect(page.html).not.toContain('draft');
    }

    const owners = await ada.open(`${path}history/`);
    expect(owners.html).toContain('<del>Secret plan</del><ins>Plan</ins>');
    expect((await mo.open(`${path}history/`)).text).toContain('Secret');
  });

  test('what was approved for those with the address is not in the history of a public work', async () => {
    const { kim, tess, visitor } = await openSchool(kind);
    const work = await make(kim, { visibility: 'unlisted', text: 'For my grandparents', history: 'public' });
    expect(await review(tess, work)).toBe(200);
    const path = new URL(work.html_url).pathname;
    const textsFor = async (reader: Person, address: string) =>
      (await reader.json<{ results: { text: string }[] }>(address)).results.map(({ text }) => text);
    await change(kim, work, { visibility: 'public', text: 'For everybody' });
    expect(await review(tess, work)).toBe(200);
    expect((await visitor.open(`${path}history/`)).text).not.toContain('grandparents');
    const history = `/api/v1/projects/${work.id}/history/`;
    expect(await textsFor(visitor, history)).toEqual(['For everybody']);
    expect(await textsFor(kim, history)).toContain('For my grandparents');
  });

  test('a comment that is written anew while its project is private stays for those who see it then', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const write = async (response: Promise<Response>): Promise<Written> => (await response).json();

    const project = await write(ada.post('/api/v1/projects/', { title: 'A lamp' }));
    const comment = await write(
      ada.post(`/api/v1/projects/${project.id}/comments/`, { title: 'A word', text: 'For everybody.' }),
    );
    await openHistory(ada, new URL(comment.html_url).pathname);
    const path = `${new URL(comment.html_url).pathname}history/`;
    const setVisibility = (visibility: string) =>
      ada.patch(`/api/v1/projects/${project.id}/`, { visibility });
    await setVisibility('private');
    await setVisibility('public');
    for (const viewer of [visitor(site), zoe]) expect((await viewer.browser.get(path)).status).toBe(200);

    await setVisibility('private');
    await ada.patch(`/api/v1/projects/${comment.id}/`, { text: 'Between ourselves.' });
    await setVisibility('public');
    for (const viewer of [visitor(site), zoe]) expect((await viewer.browser.get(path)).status).toBe(404);
    expect((await ada.open(path)).html).toContain('ourselves');
  });

  test('changes of the status are shown to the owner only', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    await ada.send(`${pathOf(1)}status/`, { status: '2' });
    await edit(ada, pathOf(1), { text: 'Short.' });
    expect((await ada.open(`${pathOf(1)}history/`)).text).toContain(': taken out of the lists by Ada');
    expect((await visitor(site).open(`${pathOf(1)}history/`)).text).not.toContain(
      ': taken out of the lists by Ada',
    );
  });

  test('a change of a long text is shown with the lines near it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    await edit(ada, pathOf(1), { text: [...lines.slice(0, -1), 'The last.'].join('\n\n') });
    const page = await visitor(site).open(`${pathOf(1)}history/`);
    expect(insertionsIn(page).length).toBeGreaterThan(0);
    expect([page.text.includes('Line 39.'), page.text.includes('Line 3.')]).toEqual([true, false]);
  });

  test('only moderators read which moderator changed a project', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const mo = await person(site, 'mo', { role: 'moderator' });

    await edit(mo, pathOf(1), { text: 'Short.' });
    expect((await mo.open(`${pathOf(1)}history/`)).text).toContain('by a moderator (3)');
    for (const viewer of [ada, visitor(site)]) {
      const { text } = await viewer.open(`${pathOf(1)}history/`);
      expect([text.includes('by a moderator'), text.includes('(3)')]).toEqual([true, false]);
    }
  });

  test('the history leaves out differences between texts that have little in common', async () => {
    limitTime('comparison', 500);
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    /** A text of 8000 lines that depends on the version. */
    const noise = (version: number) => {
      const line = (_: unknown, index: number) => Bun.hash(`${version} ${index}`).toString(36).slice(0, 5);
      return { title: 'Noise', text: Array.from({ length: 8000 }, line).join('\n') };
    };

    const response = await ada.post('/api/v1/projects/', noise(0));
    const { id, html_url }: Written = await response.json();
    for (let version = 1; version <= 12; version++)
      await ada.patch(`/api/v1/projects/${id}/`, noise(version));

    const page = await ada.open(`${new URL(html_url).pathname}history/`);
    const placeholder = 'Too much has changed to show the differences.';
    expect(page.textsOf('p').filter((text) => text === placeholder)).toHaveLength(12);
  });

  test('an earlier version is restored after a look at what would change', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const path = await edit(ada, pathOf(1), { title: 'Kite, mended', text: 'Short.', tags: 'kites' });
    await edit(ada, path, { text: 'Shorter.' });

    const history = await ada.open(`${path}history/`);
    const links = history.attributesOf('.versions a[href$="/restore/"]', 'href');
    expect(links).toHaveLength(2);
    const [second = '', first = ''] = links;
    expect((await zoe.open(`${path}history/`)).html).not.toContain('/restore/');
    for (const refused of [zoe, visitor(site)])
      expect((await refused.browser.get(second)).status).not.toBe(200);

    const shown = await ada.open(first);
    expect(shown.html).toContain('Kite<del>, mended</del>');
    expect(shown.text).toContain('Shorter.');
    // Somebody else changes it meanwhile.
    const { fields } = shown;
    await ada.patch('/api/v1/projects/1/', { text: 'Other.' });
    expect((await ada.send(first, fields)).status).toBe(400);
    const restored = await ada.submit(first, 'Restore this version');
    expect(restored.status).toBe(303);
    expect(await ada.json('/api/v1/projects/1/?fields=title,text,tags')).toEqual({
      title: 'Kite',
      text: lines.join('\n\n'),
      tags: '',
    });
    expect((await ada.open(first)).text).toContain('The project is already the same as this version.');
    expect((await ada.open(`${restored.headers.get('Location')}history/`)).text).toContain('Other.');
    for (const wrong of ['9999', '0', 'x'])
      expect((await ada.browser.get(`${pathOf(1)}history/${wrong}/restore/`)).status).toBe(404);
  });
});
