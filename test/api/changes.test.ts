import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { appendHiddenChanges } from '../support/hidden-changes.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';

interface Changes {
  readonly last: number;
  readonly next: string | null;
  readonly results: readonly { readonly action: string }[];
}

onBothDatabases((kind) => {
  test('a visitor who follows the changes reaches those behind thousands that they may not see', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1)) });
    const ada = await person(site, 'ada');
    await ada.patch('/api/v1/projects/1/', { title: 'Before' });
    await appendHiddenChanges(site, 12_000);
    await ada.patch('/api/v1/projects/1/', { title: 'After' });

    const pages: Changes[] = [];
    for (let path: string | undefined = '/api/v1/changes/'; path; ) {
      const page: Changes = await visitor(site).json(path);
      pages.push(page);
      path = page.next?.slice('http://gallery.example'.length);
    }
    expect(pages.map(({ results }) => results.map(({ action }) => action))).toEqual([
      ['imported', 'imported', 'changed'],
      [],
      ['changed'],
    ]);
    const last = pages.at(-1)?.last ?? 0;
    expect(await visitor(site).json(`/api/v1/changes/?since=${last}`)).toEqual({
      last,
      next: null,
      results: [],
    });
  });

  test('the head changes with every change, also one that a visitor does not see', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1)) });
    const readHead = () => visitor(site).json<{ sequence: number; hash: string }>('/api/v1/changes/head/');
    const ada = await person(site, 'ada');
    const head = await readHead();
    expect(await readHead()).toEqual(head);
    await ada.post('/api/v1/projects/', { title: 'Private', visibility: 'private' });
    const { sequence, hash } = await readHead();
    // Her key is a change, too.
    expect(sequence).toBe(head.sequence + 2);
    expect(hash).not.toBe(head.hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });
});
