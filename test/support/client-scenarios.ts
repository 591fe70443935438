// A program that uses clients/typescript while the server misbehaves. Arguments: the name of a scenario, and the address. It
// prints the results as JSON.

import { type Change, Gallery, GalleryError } from '../../clients/typescript/src/index.ts';

const [name = '', address = ''] = process.argv.slice(2);
const gallery = new Gallery(address, { key: 'vtr_test' });

async function follow(count: number): Promise<string[]> {
  const changes: Change[] = [];
  for await (const change of gallery.changes.follow({ since: 4, filters: { tags: ['kite', 'wind'] } })) {
    changes.push(change);
    if (changes.length === count) break;
  }
  return changes.map(({ sequence, action }) => `${sequence} ${action}`);
}

const scenarios: Record<string, () => Promise<unknown>> = {
  get: async () => (await gallery.projects.get(1)).title,
  list: async () => {
    const titles: string[] = [];
    for await (const { title } of gallery.projects.list({ tags: ['a', 'b'] })) titles.push(title);
    return titles;
  },
  create: async () => (await gallery.projects.create({ title: 'Kite' })).title,
  updateFromList: async () => {
    const project = { id: 1, modified: '2024-01-01T00:00:01.000001+00:00' };
    return (await gallery.projects.update(project, { title: 'Red kite' })).title;
  },
  delete: async () => (await gallery.projects.delete(1)) ?? 'deleted',
  upload: async () => {
    const sent: number[] = [];
    let total = 0;
    const file = new File([new Uint8Array(1_000_000).fill(65)], 'notes.txt');
    const media = await gallery.projects.media(1).upload(file, {
      onProgress: ({ sentBytes, totalBytes }) => {
        sent.push(sentBytes);
        total = totalBytes;
      },
    });
    const steps = sent.filter((bytes, index) => index > 0 && bytes > (sent[index - 1] ?? 0)).length;
    return [media, sent.at(-1) === total, total > 1_000_000, steps > 10];
  },
  follow: () => follow(3),
  abort: async () => {
    const reason = new Error('given up');
    const controller = new AbortController();
    const get = gallery.projects.get(1, { signal: controller.signal });
    setTimeout(() => controller.abort(reason), 50);
    const rejection = await get.catch((error) => error === reason);
    const followed: Change[] = [];
    for await (const change of gallery.changes.follow({ since: 4, signal: controller.signal }))
      followed.push(change);
    return [rejection, followed.length];
  },
};

try {
  console.log(JSON.stringify(await scenarios[name]?.()));
} catch (error) {
  if (!(error instanceof GalleryError)) throw error;
  const { status, detail, fields, requestId, retryAfter } = error;
  console.log(JSON.stringify({ error: error.name, status, detail, fields, requestId, retryAfter }));
}
