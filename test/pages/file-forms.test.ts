// The forms for the files of a project, as a browser without scripts sends them, and what a project's page and cards then show.

import { expect, test } from 'bun:test';
import { csrfTokenField } from '#rest/parsers.ts';
import { onOneDatabase } from '../support/databases.ts';
import { type FormValues, readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { jpeg, png } from '../support/pictures.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1, { title: 'Kite', content_type: 'document' }));

onOneDatabase((kind) => {
  test('a photo is published with its file, and other files are described, put first and removed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const readPictures = async () => (await ada.open(path)).attributesOf('.pictures img', 'alt');
    const values = { title: 'Sunrise', alt: 'The sun above a roof.', visibility: 'public', status: '1' };
    const publish = (content: Buffer) =>
      ada.browser.upload('/new/photo/', new File([new Uint8Array(content)], 'a picture.jpg'), values);

    // A file that is not a picture is refused. The form keeps the other values.
    const refused = await readPage(await publish(Buffer.from('no picture at all \0\x01\x02')));
    expect(refused.textsOf('[role=alert]').join()).toMatch(/Photo: .*Please choose the files again\./s);
    expect(refused.fields).toMatchObject({ title: 'Sunrise', alt: 'The sun above a roof.' });

    const published = (await publish(await jpeg(900, 600))).headers.get('Location') ?? '';
    const [path = ''] = published.split('?');
    expect(await readPictures()).toEqual(['The sun above a roof.']);

    const files = `${path}files/`;
    expect((await ada.open(path)).hasLink(`${path}edit/`)).toBe(true);
    expect((await ada.open(`${path}edit/`)).hasLink(files)).toBe(true);
    await ada.browser.upload(files, new File([new Uint8Array(png(400, 300))], 'roof.png'));
    await ada.browser.upload(files, new File(['print(1)'], 'plan.py'));
    await ada.submit(files, 'Save', { 'alt-2': 'The roof, before.', cover: '2', 'alt-3': 'A plan.' });
    expect(await readPictures()).toEqual(['The roof, before.', 'The sun above a roof.']);
    expect((await ada.open('/')).attributesOf('.card img', 'alt')).toEqual(['The roof, before.']);

    const { fields } = await ada.open(files);
    expect(['position-2', 'position-1', 'position-3'].map((name) => fields[name])).toEqual(['1', '2', '3']);
    const { action, body } = (await ada.open(files)).press('Save', { 'position-3': '1' });
    await ada.send(action, { ...body, remove: '2' });
    expect(await readPictures()).toEqual(['The sun above a roof.']);
    expect((await ada.open(files)).textsOf('.own-files legend')).toEqual(['plan.py', 'a picture.webp']);
  });

  test('files that were changed meanwhile are not overwritten without a warning', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const path = `${pathOf(1)}files/`;
    await ada.browser.upload(path, new File(['A plan.'], 'plan.txt'));
    const { body } = (await ada.open(path)).press('Save', { 'alt-1': 'The old plan.' });
    await ada.patch('/api/v1/projects/1/media/1/', { alt: 'The new plan.' });
    const read = () => ada.json('/api/v1/projects/1/?fields=media');

    const refused = await ada.send(`${path}save/`, body);
    expect(refused.status).toBe(400);
    const page = await readPage(refused);
    expect(page.errors).toEqual([
      'This was changed after you started editing. What you wrote is below. If you save again, it replaces that change.',
    ]);
    expect(page.fields['alt-1']).toBe('The old plan.');
    expect(await read()).toMatchObject({ media: [{ alt: 'The new plan.' }] });

    const again = page.press('Save').body;
    const wrong = await readPage(await ada.send(`${path}save/`, { ...again, 'position-1': 'first' }));
    expect(wrong.errors).toEqual(['Position: A valid integer is required.']);
    expect((await ada.send(`${path}save/`, again)).status).toBe(303);
    expect(await read()).toMatchObject({ media: [{ alt: 'The old plan.' }] });
  });

  test('a picture without a description is asked about before it is published, and may stay without', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const picture = () => new File([new Uint8Array(png(40, 30))], 'roof.png');
    const publish = async (values: FormValues) => {
      const sent = { title: 'Roof', visibility: 'public', status: '1', ...values };
      return (await ada.browser.upload('/new/photo/', picture(), sent)).headers.get('Location') ?? '';
    };
    const newest = '/api/v1/projects/?contributor=me&ordering=-id&fields=status,media&status__in=0,1';
    const read = async () => {
      const { results } = await ada.json<{ results: { status: number; media: { alt: string }[] }[] }>(newest);
      return [results[0]?.status, ...(results[0]?.media ?? []).map(({ alt }) => alt)];
    };

    expect(await publish({ alt: 'A roof.' })).toMatch(/\/roof\/\?published$/);
    const path = await publish({ alt: ' ' });
    expect(path).toMatch(/\/roof\/describe\/$/);
    expect(await read()).toEqual([0, ' ']);
    const page = await ada.open(path);
    expect(page.textsOf('h1, main label')).toEqual(['What is in the picture?', 'What is in the picture?']);
    const project = path.replace('describe/', '');
    // The other ways to publish it ask too.
    expect((await ada.send(`${project}status/`, { status: '1' })).headers.get('Location')).toBe(path);
    const edited = await ada.submit(`${project}edit/`, 'Publish', { Title: 'Old roof' });
    const asked = edited.headers.get('Location') ?? '';
    expect(asked).toBe(path.replace('/roof/', '/old-roof/'));

    const tooLong = await ada.submit(asked, 'Publish', { 'alt-1': 'x'.repeat(2001) });
    expect([tooLong.status, (await read())[0]]).toEqual([400, 0]);
    expect((await visitor(site).send(asked, {})).status).not.toBe(200);
    await ada.submit(asked, 'Publish', { 'What is in the picture?': ' A roof, before.' });
    expect(await read()).toEqual([1, 'A roof, before.']);
    // It is published now: there is nothing to ask.
    expect((await ada.browser.get(asked)).headers.get('Location')).toBe(asked.replace('describe/', ''));

    const second = await publish({});
    const published = await ada.submit(second, 'Publish');
    expect(published.headers.get('Location')).toMatch(/\?published$/);
    expect(await read()).toEqual([1, '']);
  });

  test('only a person who may change a project adds files to it, up to the size limit', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = `${pathOf(1)}files/`;
    const megabyte = 1024 * 1024;
    const ada = await person(site, 'ada');
    /** Sends the form of the page with a file of this size. */
    const upload = async (sender: Person, bytes: number, values: FormValues = {}) => {
      const file = new File([new Uint8Array(bytes).fill(65)], 'plan.txt');
      return (await sender.browser.upload(path, file, values)).status;
    };

    expect(await upload(visitor(site), 3 * megabyte)).toBe(303);
    expect(await upload(visitor(site), 100)).toBe(303);
    const refused = await ada.browser.upload(path, new File([new Uint8Array(26 * megabyte)], 'plan.txt'));
    expect(refused.status).toBe(413);
    expect((await readPage(refused)).text).toContain(
      'Up to 26.2 MB can be sent at once. Please go back, and choose fewer or smaller files.',
    );
    expect(await upload(ada, 100, { [csrfTokenField]: 'forged' })).toBe(403);

    expect(await upload(ada, 3 * megabyte)).toBe(303);
    expect(await visitor(site).json('/api/v1/projects/1/?fields=media')).toMatchObject({
      media: [{ name: 'plan.txt', type: 'text/plain', bytes: 3 * megabyte }],
    });
    const page = await visitor(site).open(pathOf(1));
    expect(page.textsOf('bdi')).toContain('plan.txt');
  });
});
