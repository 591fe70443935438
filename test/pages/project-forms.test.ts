// The forms of projects, ratings and comments, as a browser without scripts sends them.

import { expect, test } from 'bun:test';
import { csrfTokenField } from '#rest/parsers.ts';
import { onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  project(1, { title: 'Kite', text: 'Of paper.', tags: ['wind'] }),
  project(2, { title: 'Hidden', visibility: 'private' }),
  project(3, { title: 'Draft', status: 0 }),
);

const locationOf = (response: Response) => response.headers.get('Location') ?? '';
const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];

onOneDatabase((kind) => {
  test('the form of a new project is shown again with the errors and the values', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const values = {
      title: '',
      text: 'Two\nlines & <b>',
      tags: 'a, b',
      visibility: 'unlisted',
      link: 'nowhere',
      once: 'x-1',
    };

    const response = await ada.send('/new/link/', { ...values, status: '1' });
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([400, 'no-store']);
    const { errors, fields } = await readPage(response);
    expect(errors).toEqual(['Title: Please fill this in.', 'Link: Enter a valid URL.']);
    const time = { publish_time: '', time_zone: 'UTC' };
    expect(fields).toEqual({ ...values, license: '', ...time, [csrfTokenField]: expect.any(String) });
  });

  test('a new photo begins with its file; what describes it is folded until it has a value or an error', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const readForm = async (response: Response) => {
      const [form = ''] =
        (await response.text()).match(/<form class="stacked-form project-form.*?<\/form>/s) ?? [];
      const parts = form.matchAll(
        /<details class="folded"( open)?|<label for="f-(file|alt|title|text|tags|publish_time)"|<fieldset[^>]* id="f-(\w+)"/g,
      );
      return [...parts]
        .map(([, open, label, group]) => label ?? group ?? (open ? 'open:' : 'folded:'))
        .join(' ');
    };

    expect(await readForm(await ada.get('/new/photo/'))).toBe(
      'file title alt folded: text tags folded: visibility publish_time',
    );
    expect(await readForm(await ada.get('/new/text/'))).toBe(
      'title text file tags folded: visibility publish_time',
    );
    const values = { title: '', visibility: 'public', status: '1', text: 'Of paper.' };
    expect(await readForm(await ada.send('/new/photo/', values))).toBe(
      'file title alt open: text tags folded: visibility publish_time',
    );
    const isPrivate = { title: '', visibility: 'private', status: '1' };
    expect(await readForm(await ada.send('/new/photo/', isPrivate))).toBe(
      'file title alt folded: text tags open: visibility publish_time',
    );
  });

  test('a new project is published once, even if its form is sent twice', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const values = {
      title: 'Found',
      text: 'Two\nlines & <b>',
      tags: 'a, b',
      visibility: 'unlisted',
      link: 'https://found.example/',
      status: '1',
      once: 'x-1',
    };

    const first = await ada.send('/new/link/', values);
    expect(redirectOf(first)).toEqual([303, expect.stringMatching(/^\/content\/\w+\/found\/\?published$/)]);
    const second = await ada.send('/new/link/', values);
    expect(redirectOf(second)).toEqual(redirectOf(first));

    const { status, once, ...members } = values;
    const list = await ada.json('/api/v1/projects/?contributor=me&search=found&include=link');
    expect(list).toMatchObject({ count: 1, results: [{ ...members, status: 1 }] });
  });

  test('a form publishes nothing that lacks what it is about, but saves it as a draft', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const errors = {
      text: [],
      question: ['Your question: Please fill this in.'],
      photo: ['Photo: A photo needs a picture: JPEG, PNG, GIF or WebP. Add one, or save a draft.'],
      document: ['Document: A document needs a file. Add it, or save a draft.'],
      link: ['Link: Enter the address, or save a draft.'],
      video: ['Video', 'Link to the video'].map(
        (label) => `${label}: A video needs a file or an address. Add one, or save a draft.`,
      ),
      quote: ['Quote: Enter the quote, or save a draft.'],
    };

    for (const [type, expected] of Object.entries(errors)) {
      // A browser sends an empty file field too.
      const save = (status: string, title: string) =>
        ada.browser.upload(`/new/${type}/`, new File([], ''), { title, visibility: 'public', status });

      expect((await readPage(await save('1', type === 'question' ? '' : type))).errors).toEqual(expected);
      const saved = await save('0', type);
      expect([type, saved.status]).toEqual([type, 303]);
      if (type === 'text' || type === 'question') continue;

      const address = locationOf(saved);
      expect((await ada.submit(`${address}edit/`, 'Publish')).status).toBe(400);
      expect((await ada.send(`${address}status/`, { status: '1' })).status).toBe(400);
    }
    expect(await visitor(site).json('/api/v1/projects/?fields=title&ordering=id')).toMatchObject({
      results: [{ title: 'Kite' }, { title: 'text' }],
    });
  });

  test('a quote has a field for its words and one for who said it, and its text stays Markdown', async () => {
    const stored = {
      11: [
        '> Look.\n>\n> *Leap.*\n\n— Henk, at the saw\n\nHe _laughed_.',
        'Look.\n\n*Leap.*',
        'Henk, at the saw',
        'He _laughed_.',
      ],
      12: ['Simple.', 'Simple.', '', undefined],
      13: ['Simple.\n– me', 'Simple.', 'me', undefined],
      14: ['> Simple.\n\n- no name', 'Simple.', 'no name', undefined],
      15: ['> Simple.\n\nI heard it.\n— twice', 'Simple.', '', 'I heard it.\n— twice'],
    } as const;
    const quotes = Object.entries(stored).map(([id, [text]]) =>
      project(Number(id), { content_type: 'quote', text }),
    );
    const site = await siteOn(kind, { dump: dump(gallery.trimEnd(), ...quotes) });
    const ada = await person(site, 'ada');
    const textOf = async (path: string) => (await ada.json<{ text: string }>(path)).text;

    for (const [id, [text, words, saidBy, note]] of Object.entries(stored)) {
      const path = `${pathOf(Number(id))}edit/`;
      const { fields } = await ada.open(path);
      expect([fields.text, fields.said_by, fields.note]).toEqual([words, saidBy, note]);
      expect((await ada.submit(path, 'Save')).status).toBe(303);
      expect(await textOf(`/api/v1/projects/${id}/`)).toBe(text);
    }

    await ada.submit(`${pathOf(12)}edit/`, 'Save', { 'Who said it': ' old\nAda ' });
    expect(await textOf('/api/v1/projects/12/')).toBe('> Simple.\n\n— old Ada');
    await ada.submit(`${pathOf(11)}edit/`, 'Save', { Quote: 'Look.\nLeap.', 'More about it': '' });
    expect(await textOf('/api/v1/projects/11/')).toBe('> Look.\n> Leap.\n\n— Henk, at the saw');

    const asked = { Title: 'Wise', Quote: 'Look & *leap*.', 'Who said it': 'Mo' };
    const preview = await readPage(await ada.submit('/new/quote/', 'Preview', asked));
    expect(preview.textsOf('#preview .text')).toEqual(['Look & leap . — Mo']);
    expect(preview.textsOf('.error-summary')).toEqual([]);
    expect([preview.fields.text, preview.fields.said_by]).toEqual(['Look & *leap*.', 'Mo']);
    const wordless = await readPage(await ada.submit('/new/quote/', 'Publish', { ...asked, Quote: ' ' }));
    expect(wordless.errors).toEqual(['Quote: Enter the quote, or save a draft.']);
    expect(wordless.fields.said_by).toBe('Mo');
    await ada.submit('/new/quote/', 'Publish', asked);
    expect(await ada.json('/api/v1/projects/?search=wise')).toMatchObject({
      results: [{ text: '> Look & *leap*.\n\n— Mo' }],
    });
  });

  test('an address gets its https', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const links = {
      'example.org': 'https://example.org',
      ' www.example.org:8080/a?b=c#d ': 'https://www.example.org:8080/a?b=c#d',
      'http://example.org/': 'http://example.org/',
    };

    for (const [typed, link] of Object.entries(links)) {
      const response = await ada.submit('/new/link/', 'Publish', { title: 'Place', link: typed });
      expect(await visitor(site).json(`${locationOf(response)}&format=json&fields=link`)).toEqual({ link });
    }
    for (const link of [
      'ada@example.org',
      'javascript:alert(1.5)',
      'mailto:ada@example.org',
      'two words.org',
    ]) {
      const page = await readPage(await ada.submit('/new/link/', 'Publish', { title: 'Place', link }));
      expect(page.errors).toEqual(['Link: Enter a valid URL.']);
    }
  });

  test('the preview shows the rendered text, and saves nothing', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const changes = await site.json('/api/v1/changes/');

    const values = { title: '', text: 'A *kite* <script>', preview: '1' };
    const page = await ada.send('/new/text/', values);
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<p>A <em>kite</em> &lt;script&gt;</p>'),
    ]);

    const withTitle = await ada.send('/preview/', { title: 'T', text: '# T\n\n**b**' });
    expect(await withTitle.text()).toBe('<p><strong>b</strong></p>\n');
    expect(await site.json('/api/v1/changes/')).toEqual(changes);
  });

  test('nobody changes a project of somebody else, or one in a way that is not allowed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];
    const before = await site.json('/api/v1/projects/1/');

    expect((await zoe.send(`${pathOf(1)}edit/`, { title: 'Mine' })).status).toBe(403);
    expect((await zoe.send(`${pathOf(1)}status/`, { status: '0' })).status).toBe(403);
    expect((await zoe.send(`${pathOf(1)}trash/`)).status).toBe(403);
    expect((await zoe.send(`${pathOf(2)}edit/`, { title: 'Mine' })).status).toBe(404);
    expect((await zoe.send(`${pathOf(3)}copy/`)).status).toBe(404);
    expect((await zoe.send('/mine/trash/1/restore/')).status).toBe(404);
    expect((await zoe.send('/account/keys/1/revoke/')).status).toBe(404);

    expect((await ada.send(`${pathOf(1)}rate/`, { value: '5' })).status).toBe(403);
    expect((await ada.send(`${pathOf(1)}status/`, { status: '3' })).status).toBe(400);
    expect((await ada.send(`${pathOf(1)}status/`, { status: '' })).status).toBe(400);
    expect((await ada.send(`${pathOf(1)}status/`)).status).toBe(400);
    expect(await site.json('/api/v1/projects/1/')).toEqual(before);
  });

  test('a person who would overwrite a later change is warned first', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const mo = await person(site, 'mo', { role: 'moderator' });
    const edit = `${pathOf(1)}edit/`;
    const storedText = () => visitor(site).json('/api/v1/projects/1/?fields=text');

    const adasForm = await ada.open(edit);
    const mosForm = await mo.open(edit);
    const mosChange = await mo.send(edit, { ...mosForm.fields, text: 'Of silk.' });
    expect(redirectOf(mosChange)).toEqual([303, pathOf(1)]);

    const warning = await readPage(await ada.send(edit, { ...adasForm.fields, text: 'Of foil.' }));
    expect(warning.errors).toEqual([
      'This was changed after you started editing. What you wrote is below. If you save again, it replaces that change.',
    ]);
    expect(await storedText()).toEqual({ text: 'Of silk.' });

    const adasChange = await ada.send(edit, warning.fields);
    expect(redirectOf(adasChange)).toEqual([303, pathOf(1)]);
    expect(await storedText()).toEqual({ text: 'Of foil.' });
  });

  test('a project is rated, and the rating is withdrawn', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');
    const rating = () => visitor(site).json('/api/v1/projects/1/?fields=rating_count,rating_sum');

    const response = await zoe.send(`${pathOf(1)}rate/`, { value: '4' });
    expect(redirectOf(response)).toEqual([303, `${pathOf(1)}?rated`]);
    const rated = await zoe.open(`${pathOf(1)}?rated`);
    expect(rated.textsOf('#rating button')).toEqual(['★', '★', '★', '★', '☆', 'Remove my rating']);
    expect(rated.textsOf('#rating [role=status]')).toEqual(['Saved.']);
    expect(rated.attributesOf('#rating [autofocus]', 'value')).toEqual(['4']);
    expect((await zoe.open('/')).textsOf('.card .figures')).toContain('★ 4 (1) 4 of 5 (1 rating)');
    expect(await rating()).toEqual({ rating_count: 1, rating_sum: 4 });

    expect((await zoe.send(`${pathOf(1)}rate/`, { value: '6' })).status).toBe(400);
    expect(await rating()).toEqual({ rating_count: 1, rating_sum: 4 });

    await zoe.send(`${pathOf(1)}rate/`, { value: '' });
    expect(await rating()).toEqual({ rating_count: 0, rating_sum: 0 });
    expect((await zoe.open(`${pathOf(1)}?rated`)).textsOf('#rating [role=status]')).toEqual([
      'Your rating is removed.',
    ]);
    expect((await zoe.open(pathOf(1))).textsOf('#rating button')).toEqual(['☆', '☆', '☆', '☆', '☆']);
  });

  test('a comment is created once, and an empty one is rejected', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');

    const empty = await zoe.send(`${pathOf(1)}comment/`, { text: '' });
    expect(empty.status).toBe(400);
    expect((await readPage(empty)).errors).toEqual(['Your comment: Please fill this in.']);

    const comment = { text: 'High!', once: 'c-1' };
    const first = await zoe.send(`${pathOf(1)}comment/`, comment);
    expect(redirectOf(first)).toEqual([303, `${pathOf(1)}?page=last#comment-4`]);
    await zoe.send(`${pathOf(1)}comment/`, comment);
    const comments = await visitor(site).json('/api/v1/projects/1/comments/');
    expect(comments).toMatchObject({ count: 1, results: [{ text: 'High!' }] });
  });

  test('a copy is private, and its form opens first', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];

    const response = await zoe.send(`${pathOf(1)}copy/`);
    expect(redirectOf(response)).toEqual([303, expect.stringMatching(/^\/content\/\w+\/kite\/edit\/$/)]);

    const { heading, fields } = await zoe.open(locationOf(response));
    expect([heading, fields.visibility]).toEqual(['Edit Kite', 'private']);
    expect((await ada.browser.get(locationOf(response).replace('edit/', ''))).status).toBe(404);
  });

  test('a deleted project is in the trash, and is restored from there', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    expect((await ada.open(`${pathOf(1)}trash/`)).heading).toBe('Delete Kite ?');
    const deletion = await ada.send(`${pathOf(1)}trash/`);
    expect(redirectOf(deletion)).toEqual([303, '/mine/?deleted=1']);
    expect((await ada.browser.get(pathOf(1))).status).toBe(404);

    const trash = await ada.open('/mine/?show=trash');
    const restore = trash.attributesOf('form', 'action').find((action) => action.endsWith('/restore/'));
    const restoration = await ada.send(String(restore));
    expect(redirectOf(restoration)).toEqual([303, pathOf(1)]);
    expect((await ada.browser.get(pathOf(1))).status).toBe(200);
  });

  test('the page after a deletion has a line with Undo, also where a comment stood', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe, mo] = [
      await person(site, 'ada'),
      await person(site, 'zoe'),
      await person(site, 'mo', { role: 'moderator' }),
    ];

    const after = locationOf(await ada.send(`${pathOf(1)}trash/`));
    expect((await ada.open(after)).notices).toEqual(['Deleted: Kite Undo : Kite']);
    for (const other of [zoe, mo]) expect((await other.open(after)).notices).toEqual([]);
    expect(redirectOf(await ada.submit(after, 'Undo : Kite'))).toEqual([303, pathOf(1)]);
    expect((await ada.open(after)).notices).toEqual([]);
    for (const nonsense of ['0', '-1', 'x', '9'.repeat(40), '1&deleted=2'])
      expect((await ada.open(`/mine/?deleted=${nonsense}`)).notices).toEqual([]);

    await zoe.send(`${pathOf(1)}comment/`, { text: 'How high does it fly?' });
    const { results } = await zoe.json<{ results: { html_url: string }[] }>('/api/v1/projects/1/comments/');
    const comment = new URL(results[0]?.html_url ?? '').pathname;
    const back = locationOf(await zoe.send(`${comment}trash/`));
    expect(back).toMatch(new RegExp(`^${pathOf(1)}\\?deleted=\\d+$`));
    const [notice = ''] = (await zoe.open(back)).notices;
    expect(notice).toStartWith('Deleted: How high does it fly?');
    expect((await visitor(site).open(back)).html).not.toContain('How high');
    await zoe.submit(back, 'Undo : How high does it fly?');
    expect((await visitor(site).open(back)).html).toContain('How high');
  });
});
