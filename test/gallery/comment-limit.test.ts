import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';

const comments = Array.from({ length: 1999 }, (_, index) =>
  project(index + 10, { content_type: 'comment', parent: index ? 10 : 1 }),
);

onBothDatabases((kind) => {
  test('a project has at most 2,000 comments, replies included', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1), ...comments) });
    const ada = await person(site, 'ada');
    const comment = (id: number) => ada.post(`/api/v1/projects/${id}/comments/`, { text: 'One more.' });

    expect((await comment(1)).status).toBe(201);
    for (const id of [1, 10]) {
      const response = await comment(id);
      expect([response.status, await response.json()]).toEqual([
        400,
        { non_field_errors: ['A project has at most 2000 comments.'] },
      ]);
    }
  });

  test('the comments on a project have at most 500 tags together', async () => {
    const tags = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    const tagged = Array.from({ length: 25 }, (_, index) =>
      project(index + 10, { content_type: 'comment', parent: index ? 10 : 1, tags }),
    );
    const site = await siteOn(kind, { dump: dump(adasLine, project(1), ...tagged) });
    const ada = await person(site, 'ada');
    const comment = (tags: string) => ada.post('/api/v1/projects/1/comments/', { text: 'One more.', tags });
    const refusal = [400, { tags: ['The comments on a project have at most 500 tags together.'] }];

    const refused = await comment('one');
    expect([refused.status, await refused.json()]).toEqual(refusal);
    expect((await comment('')).status).toBe(201);
    expect((await ada.patch('/api/v1/projects/10/', { tags: '' })).status).toBe(200);
    expect((await comment(tags.slice(1).join())).status).toBe(201);
    const changed = await ada.patch('/api/v1/projects/10/', { tags: 'one, two' });
    expect([changed.status, await changed.json()]).toEqual(refusal);
    expect((await ada.patch('/api/v1/projects/10/', { tags: 'one' })).status).toBe(200);
  });
});
