// The limits of pictures, and how long files of different people wait for each other.

import { expect, spyOn, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { Refused } from '#common/errors.ts';
import { RequestLifetime } from '#common/request-lifetime.ts';
import { QueuePerPerson } from '#common/request-queue.ts';
import { encodeSizes } from '../../src/core/files/picture.ts';
import { wordParts, zip } from '../support/documents.ts';
import { person } from '../support/person.ts';
import { emptyProfile, jpegWithScans, png, pngWithHeader, withColorProfile } from '../support/pictures.ts';
import { ada as adasLine, contributor, dump, project, siteOn } from '../support/site.ts';
import { waitMs } from '../support/waiting.ts';

const gallery = dump(adasLine, contributor(2, 'bob'), project(1), project(2, { contributor: 2 }));

function form(content: Uint8Array): FormData {
  const form = new FormData();
  form.set('file', new Blob([new Uint8Array(content)]), 'file');
  return form;
}

const manyScans = { file: ['This JPEG has more than 50 scans. Save the picture again as JPEG.'] };
const unusualJpeg = { file: ['This kind of JPEG cannot be read here. Save the picture again as JPEG.'] };
const longSide = { file: ['Send a picture of at most 30,000 pixels on each side.'] };

/** The first bytes of a JPEG, then these. */
const beginsWith = (picture: Buffer, ...bytes: number[]) =>
  Buffer.concat([picture.subarray(0, 2), Buffer.from(bytes), picture.subarray(2)]);

test('a picture that would take long to decode is refused, however small its file is', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const fifty = await jpegWithScans(50);
  const fiftyOne = await jpegWithScans(51);
  const comment = [0xff, 0xfe, 0, 4, 0xff, 0xd9];
  const cases: [name: string, picture: Buffer, status: number, body: unknown][] = [
    ['fifty scans', fifty, 201, expect.anything()],
    ['fifty scans after a comment', beginsWith(fifty, ...comment), 201, expect.anything()],
    ['more', fiftyOne, 400, manyScans],
    ['more after a comment', beginsWith(fiftyOne, ...comment), 400, manyScans],
    ['more after a marker without a length', beginsWith(fiftyOne, 0xff, 0x01), 400, manyScans],
    ['more after bytes between markers', beginsWith(fiftyOne, ...comment, 0, 0xff, 0xff, 0), 400, manyScans],
    ['arithmetic coding', beginsWith(fifty, 0xff, 0xca, 0, 2), 400, unusualJpeg],
    [
      'a large colour profile',
      withColorProfile(png(40, 30), emptyProfile(100_000_000)),
      201,
      expect.anything(),
    ],
    ['a very long side', pngWithHeader(30_001, 1, deflateSync(Buffer.alloc(90_004))), 400, longSide],
  ];

  for (const [name, picture, ...expected] of cases) {
    const response = await ada.post('/api/v1/projects/1/media/', form(picture));
    expect([name, response.status, await response.json()]).toEqual([name, ...expected]);
  }
});

test.each([
  ['picture', png(300, 200)],
  ['document', zip(wordParts())],
])('a person’s %s does not wait for all those of somebody else', async (_, file) => {
  const site = await siteOn('SQLite', { dump: gallery });
  const [ada, bob] = [await person(site, 'ada'), await person(site, 'bob')];
  let waiting = 0;
  const begun: unknown[] = [];
  const allWait = Promise.withResolvers<void>();
  const { run } = QueuePerPerson.prototype;
  using __ = spyOn(QueuePerPerson.prototype, 'run').mockImplementation(function (
    this: QueuePerPerson<unknown>,
    contributor,
    work,
  ) {
    if (++waiting === 5) allWait.resolve();
    const workLater = async () => {
      begun.push(contributor);
      await allWait.promise;
      return work();
    };
    return run.call(this, contributor, workLater) as never;
  });

  const statuses = await Promise.all(
    [ada, ada, ada, ada, bob].map(async (sender) => {
      const path = `/api/v1/projects/${sender === ada ? 1 : 2}/media/`;
      return (await sender.post(path, form(file))).status;
    }),
  );

  expect(statuses).toEqual([201, 201, 201, 201, 201]);
  expect(begun.slice(0, 2).toSorted()).toEqual([1, 2]);
});

test('a picture that waits is not converted when its client has hung up', async () => {
  const picture = png(300, 200);
  const client = new AbortController();
  const request = new Request('http://gallery.example/', { signal: client.signal });

  const first = encodeSizes(picture, 1);
  const abandoned = new RequestLifetime(waitMs, { request }).run(() => encodeSizes(picture, 1));
  client.abort();

  expect(await abandoned.catch((error) => error)).toBeInstanceOf(Refused);
  expect(await first).toHaveLength(1);
});

test('one person’s pictures are refused if too many of them wait', async () => {
  const picture = png(300, 200);
  const requests = Array.from({ length: 12 }, () =>
    new RequestLifetime(waitMs).run(() => encodeSizes(picture, 1)),
  );

  const outcomes = await Promise.allSettled(requests);

  expect(outcomes.map(({ status }) => status)).toEqual([...Array(11).fill('fulfilled'), 'rejected']);
  expect(outcomes.at(-1)).toEqual({ status: 'rejected', reason: expect.any(Refused) });
});
