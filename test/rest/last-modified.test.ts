// Last-Modified has whole seconds: it is sent and compared only when no further change can have the same date.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { onOneDatabase } from '../support/databases.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1));
const record = '/api/v1/projects/1/';
const start = Date.UTC(2026, 4, 20, 12, 0, 0);
const at = (seconds: number) => setSystemTime(new Date(start + seconds * 1000));
const dateAt = (seconds: number) => new Date(start + seconds * 1000).toUTCString();

afterEach(() => void setSystemTime());

onOneDatabase((kind) => {
  test('a record that was changed within a second of the copy is sent again', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');

    for (let round = 0; round < 10; round++) {
      const second = round * 10;
      at(second + round / 20);
      await ada.patch(record, { title: `Copied ${round}` });
      const copy = await visitor(site).get(record);
      const copiedAt = copy.headers.get('Last-Modified') ?? dateAt(second);
      at(second + round / 20 + 0.4);
      await ada.patch(record, { title: `Changed ${round}` });

      const response = await visitor(site).get(record, { 'If-Modified-Since': copiedAt });
      expect([round, response.status]).toEqual([round, 200]);
      expect(await response.json()).toMatchObject({ title: `Changed ${round}` });
    }
  });

  test.each([record, `${record}?format=api`, `${record}media/`])(
    '%s has its date two seconds after the change, and then 304 for it',
    async (path) => {
      const site = await siteOn(kind, { dump: gallery });
      const ada = await person(site, 'ada');
      at(0.9);
      await ada.patch(record, { title: 'Lamp' });
      const anonymous = visitor(site);
      const dateAfter = async (seconds: number) => {
        at(seconds);
        return (await anonymous.get(path)).headers.get('Last-Modified');
      };

      expect(await dateAfter(0.9)).toBeNull();
      expect(await dateAfter(1.999)).toBeNull();
      const since = { 'If-Modified-Since': dateAt(0) };
      expect((await anonymous.get(path, since)).status).toBe(200);
      expect(await dateAfter(2)).toBe(dateAt(0));
      expect((await anonymous.get(path, since)).status).toBe(304);
    },
  );

  test('after the clock was set back, the date is not in the future and no change is missed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, anonymous] = [await person(site, 'ada'), visitor(site)];
    at(0.5);
    await ada.patch(record, { title: 'Before' });
    at(10);
    const since = { 'If-Modified-Since': (await anonymous.get(record)).headers.get('Last-Modified') ?? '' };
    expect(since).toEqual({ 'If-Modified-Since': dateAt(0) });

    at(-3600);
    expect((await anonymous.get(record)).headers.get('Last-Modified')).toBeNull();
    await ada.patch(record, { title: 'After' });
    expect((await anonymous.get(record, since)).status).toBe(200);

    at(20);
    const response = await anonymous.get(record, since);
    expect([response.status, response.headers.get('Last-Modified')]).toEqual([200, dateAt(1)]);
  });
});
