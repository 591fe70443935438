// Whatever a moderator does to somebody else's project is in the moderation log, and what was removed is not copied.

import { expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  project(1, { visibility: 'private', status: 0 }),
);

interface LogEntry {
  readonly action: string;
  readonly project: number;
  readonly moderator_name: string;
  readonly reason: string;
}

async function logOf(moderator: Person): Promise<LogEntry[]> {
  const { results } = await moderator.json<{ results: LogEntry[] }>('/api/v1/decisions/');
  return results.map(({ action, project, moderator_name, reason }) => ({
    action,
    project,
    moderator_name,
    reason,
  }));
}

onBothDatabases((kind) => {
  test('rewriting, hiding and redacting somebody else’s project is in the log, and only its maker publishes it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
    const file = new FormData();
    file.set('file', new File(['Notes.'], 'notes.txt'));

    expect((await mo.patch('/api/v1/projects/1/', { text: 'Rewritten.' })).status).toBe(200);
    for (const opened of [{ visibility: 'unlisted' }, { status: 1, visibility: 'public' }])
      expect(await (await mo.patch('/api/v1/projects/1/', opened)).json()).toEqual({
        detail: 'Only who made it opens it to others.',
      });
    await ada.patch('/api/v1/projects/1/', { status: 1, visibility: 'public' });
    expect((await mo.patch('/api/v1/projects/1/', { visibility: 'unlisted' })).status).toBe(200);
    expect((await mo.post('/api/v1/projects/1/media/', file)).status).toBe(201);
    const history = await mo.json<{ results: { number: number }[] }>('/api/v1/projects/1/history/');
    const oldest = history.results.at(-1)?.number;
    expect((await mo.post(`/api/v1/projects/1/history/${oldest}/redact/`)).status).toBe(204);
    expect((await ada.patch('/api/v1/projects/1/', { text: 'My own words.' })).status).toBe(200);

    const byMo = { project: 1, moderator_name: 'mo' };
    expect(await logOf(mo)).toEqual([
      { ...byMo, action: 'redacted', reason: '' },
      { ...byMo, action: 'changed', reason: 'files' },
      { ...byMo, action: 'changed', reason: 'visibility' },
      { ...byMo, action: 'changed', reason: 'text' },
    ]);
    const page = await mo.open('/moderation/log/');
    expect(page.text).toContain('mo erased a version of A project by ada');
  });

  test('a removal that also rewrites is two entries in the log', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const mo = await person(site, 'mo', { role: 'moderator' });

    await mo.patch('/api/v1/projects/1/', { status: 3, title: 'Removed' });
    expect((await logOf(mo)).map(({ action, reason }) => [action, reason])).toEqual([
      ['changed', 'title, status'],
      ['removed', ''],
    ]);
  });

  test('a moderator’s own projects are not in the log', async () => {
    const site = await siteOn(kind, { dump: dump(contributor(3, 'mo'), project(1, { contributor: 3 })) });
    const mo = await person(site, 'mo', { role: 'moderator' });

    await mo.patch('/api/v1/projects/1/', { text: 'My own words.' });
    expect(await logOf(mo)).toEqual([]);
  });

  test('what a moderator removed cannot be copied, not even by its owner', async () => {
    const site = await siteOn(kind, { dump: dump(adasLine, contributor(3, 'mo'), project(1)) });
    const [ada, mo] = [await person(site, 'ada'), await person(site, 'mo', { role: 'moderator' })];
    await mo.patch('/api/v1/projects/1/', { status: 3 });

    for (const viewer of [ada, mo]) {
      const response = await viewer.post('/api/v1/projects/1/copy/');
      expect([response.status, await response.json()]).toEqual([
        403,
        { detail: 'What a moderator removed cannot be copied.' },
      ]);
      expect((await viewer.open(pathOf(1))).text).not.toContain('Remix this');
    }
  });
});
