// The forms for the files of a project, as a browser without scripts sends them, and what a project's page and cards then show.

import { expect, test } from 'bun:test';
import { csrfTokenField } from '#rest/parsers.ts';
import { transact } from '../../src/core/changes/transact.ts';
import { changeSite } from '../../src/core/site/site-settings.ts';
import { onOneDatabase } from '../support/databases.ts';
import { type FormValues, readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { jpeg, png } from '../support/pictures.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1, { title: 'Kite', content_type: 'document' }));

function asForm(values: Readonly<Record<string, string>>, file: File): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...values, file })) form.set(name, value);
  return form;
}

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

    const pictures = ['door.png', 'wall.png'].map((name) => new File([new Uint8Array(png(40, 30))], name));
    const several = async (...alt: string[]) => {
      const response = await ada.browser.upload('/new/document/', pictures, {
        ...values,
        alt,
        visibility: 'private',
      });
      return [response.status, response.headers.get('Location') ?? (await readPage(response)).errors.join()];
    };
    const [status, wall] = await several('A door.', 'A wall.');
    expect([status, (await ada.open(String(wall))).attributesOf('.pictures img', 'alt')]).toEqual([
      303,
      ['A door.', 'A wall.'],
    ]);
    expect(await several('A door.', 'A wall.', 'A roof.')).toEqual([
      400,
      expect.stringContaining('There are more texts than files.'),
    ]);

    const files = `${path}files/`;
    expect((await ada.open(path)).hasLink(`${path}edit/`)).toBe(true);
    const tray = (await ada.open(`${path}edit/`)).attributesOf('form.arrangement', 'action');
    expect(tray).toEqual([`${files}save/`]);
    const described = await ada.submit(`${path}edit/`, 'Save the files', {
      'alt-1': 'The sun above a roof.',
    });
    expect(described.headers.get('Location')).toBe(`${path}edit/`);
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

  test('publishing publishes, and asks afterwards for what is missing, one picture at a time', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const picture = () => new File([new Uint8Array(png(40, 30))], 'roof.png');
    const publish = async (alt: string) => {
      const sent = { title: 'Roof', visibility: 'public', status: '1', alt };
      return (await ada.browser.upload('/new/photo/', picture(), sent)).headers.get('Location') ?? '';
    };
    const newest = '/api/v1/projects/?contributor=me&ordering=-id&fields=status,media&status__in=0,1,5';
    const read = async () => {
      const { results } = await ada.json<{ results: { status: number; media: { alt: string }[] }[] }>(newest);
      return [results[0]?.status, ...(results[0]?.media ?? []).map(({ alt }) => alt)];
    };
    const questionsOn = async (path: string, reader = ada) =>
      (await reader.open(path)).textsOf('.describe label');
    const question = ['What is in the picture?'];

    const described = await publish('A roof.');
    expect([described, await questionsOn(described)]).toEqual([
      expect.stringMatching(/\/roof\/\?published$/),
      [],
    ]);

    const path = await publish(' ');
    expect(path).toMatch(/\/roof\/\?published$/);
    expect(await read()).toEqual([1, ' ']);
    const project = path.replace('?published', '');
    await ada.browser.upload(`${project}files/`, picture());
    expect([
      await questionsOn(path),
      await questionsOn(path, visitor(site)),
      await questionsOn(project),
    ]).toEqual([question, [], []]);
    expect((await ada.open(path)).hasLink(`${path}=1`)).toBe(true);

    const wrong = await ada.submit(path, 'Save', { 'What is in the picture?': ' ' });
    const again = await readPage(wrong);
    expect([wrong.status, again.errors, again.textsOf('.describe label')]).toEqual([
      400,
      ['What is in the picture? Please fill this in.'],
      question,
    ]);
    const tooLong = await ada.send(`${project}describe/?published=0`, { number: '1', alt: 'x'.repeat(2001) });
    expect([tooLong.status, await read()]).toEqual([400, [1, ' ', '']]);
    expect((await ada.send(`${project}describe/`, { number: '3', alt: 'A roof.' })).status).toBe(404);
    const unknown = await visitor(site).send(`${project}describe/`, { number: '1', alt: 'Mine.' });
    expect(unknown.headers.get('Location')).toMatch(/^\/sign-in\//);

    const saved = await ada.submit(`${path}=1`, 'Save', { 'What is in the picture?': 'A roof, after.' });
    expect(saved.headers.get('Location')).toBe(`${path}=1`);
    expect([await questionsOn(`${path}=1`), await questionsOn(path), await read()]).toEqual([
      [],
      question,
      [1, ' ', 'A roof, after.'],
    ]);
    await ada.submit(path, 'Save', { 'What is in the picture?': 'A roof, before.' });
    expect([await questionsOn(path), await read()]).toEqual([[], [1, 'A roof, before.', 'A roof, after.']]);
  });

  test('a site can require descriptions before anything is published, by forms and by programs', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    await transact(site.database, null, (write) => changeSite(write, '', { descriptions: 'required' }));
    const picture = () => new File([new Uint8Array(png(40, 30))], 'roof.png');
    const problem = 'Describe the picture “roof.webp” first. A draft needs no description.';
    const send = async (values: FormValues) => {
      const sent = { title: 'Roof', visibility: 'public', ...values };
      return ada.browser.upload('/new/document/', picture(), sent);
    };
    const count = async () => (await ada.json<{ count: number }>('/api/v1/projects/?status__in=0,1,5')).count;
    const before = await count();
    const labels = (await ada.open('/new/document/')).textsOf('label').join();
    expect(labels).toContain('Describe the picture (for people who can’t see it)');

    const refused = await send({ status: '1' });
    expect([refused.status, (await readPage(refused)).errors, await count()]).toEqual([
      400,
      [
        'Document: Please choose the files again.',
        `Describe the picture (for people who can’t see it): ${problem}`,
      ],
      before,
    ]);
    expect((await send({ status: '1', alt: 'A roof.' })).headers.get('Location')).toMatch(/\?published$/);

    const draft = (await send({ status: '0' })).headers.get('Location') ?? '';
    const [{ id }] = (
      await ada.json<{ results: [{ id: number }] }>('/api/v1/projects/?contributor=me&status=0')
    ).results;
    const later = new Date(Date.now() + 86_400_000).toISOString();
    for (const change of [{ status: 1 }, { status: 2 }, { publish_at: later }]) {
      const response = await ada.patch(`/api/v1/projects/${id}/`, change);
      expect([response.status, await response.json()]).toEqual([400, { alt: [problem] }]);
    }
    expect((await ada.patch(`/api/v1/projects/${id}/`, { title: 'Old roof' })).status).toBe(200);
    expect((await ada.submit(`${draft}edit/`, 'Publish')).status).toBe(400);
    await ada.patch(`/api/v1/projects/${id}/media/1/`, { alt: 'A roof.' });
    expect((await ada.patch(`/api/v1/projects/${id}/`, { status: 1 })).status).toBe(200);
    // What is open stays open.
    expect((await ada.patch(`/api/v1/projects/${id}/media/1/`, { alt: '' })).status).toBe(200);
    expect((await ada.patch(`/api/v1/projects/${id}/`, { title: 'A roof', status: 2 })).status).toBe(200);

    // A copy is opened later.
    const copied = (await (await ada.post(`/api/v1/projects/${id}/copy/`)).json()) as { id: number };
    const shown = await ada.patch(`/api/v1/projects/${copied.id}/`, { visibility: 'unlisted' });
    expect([shown.status, await shown.json()]).toEqual([400, { alt: [problem] }]);
    expect((await ada.patch(`/api/v1/projects/${copied.id}/`, { title: 'For me' })).status).toBe(200);
    // What waits is published as it is then.
    await transact(site.database, null, (write) => changeSite(write, '', { review: 'all' }));
    const sent = { title: 'Ridge', content_type: 'document', status: '1', alt: 'A ridge.' };
    const response = await ada.post('/api/v1/projects/', asForm(sent, picture()));
    const waiting = (await response.json()) as { id: number; status: number; html_url: string };
    expect(waiting.status).toBe(5);
    const media = `/api/v1/projects/${waiting.id}/media/`;
    for (const change of [ada.patch(`${media}1/`, { alt: ' ' }), ada.post(media, asForm({}, picture()))])
      expect((await change).status).toBe(400);
    const files = `${new URL(waiting.html_url).pathname}files/`;
    expect((await ada.browser.upload(files, picture())).status).toBe(400);
    expect((await ada.browser.upload(files, picture(), { alt: 'Its end.' })).status).toBe(303);
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
