import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';

const comments = Array.from({ length: 4999 }, (_, index) =>
  project(index + 10, { content_type: 'comment', parent: index ? 10 : 1 }),
);

onBothDatabases((kind) => {
  test('a project has at most 5,000 comments, replies included', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, project(1), ...comments) });
    const ada = await person(site, 'ada');
    const comment = (id: number) => ada.post(`/api/v1/projects/${id}/comments/`, { text: 'One more.' });

    expect((await comment(1)).status).toBe(201);
    for (const id of [1, 10]) {
      const response = await comment(id);
      expect([response.status, await response.json()]).toEqual([
        400,
        { non_field_errors: ['A project has at most 5000 comments.'] },
      ]);
    }
  });
});
