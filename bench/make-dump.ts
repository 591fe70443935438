// Writes a dump with any number of projects: `bun bench/make-dump.ts 1000000 > dump.ndjson`.
// The same number always gives the same dump.

import { listedTypes } from '../src/core/content-types.ts';
import { contributorLine } from '../src/core/contributors/contributor-line.ts';
import { toSlug } from '../src/projects/address.ts';
import { projectLine } from '../src/projects/dump/project-line.ts';
import { aspectOf } from '../src/projects/project-fields.ts';
import { englishWords, generateTexts } from './texts.ts';

/** The state of a pseudorandom number generator. Its seed is fixed, so that every run writes the same dump. */
let state = 20140520;
const randomBelow = (limit: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};
const randomWord = () => englishWords[randomBelow(englishWords.length)] as string;
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export function* generateDump(projectCount: number): Generator<string> {
  const contributorCount = Math.max(1, Math.floor(projectCount / 50));
  const start = Date.UTC(2014, 0, 1) * 1000;
  for (let id = 1; id <= contributorCount; id++) {
    const [first_name, last_name] = [randomWord(), randomWord()].map(
      (name) => name[0]?.toUpperCase() + name.slice(1),
    ) as [string, string];
    yield contributorLine.stringify({
      id,
      username: `${first_name.toLowerCase()}${id}`,
      first_name,
      last_name,
      created: start + id,
      shown_name: null,
    });
  }
  for (let id = 1; id <= projectCount; id++) {
    const texts = generateTexts(randomBelow);
    const title = `${texts.title} ${id}`;
    const rating_count = randomBelow(40);
    const rating_sum = rating_count * (1 + randomBelow(5));
    const created = start + id * 300_000_000 + randomBelow(1_000_000);
    yield projectLine.stringify({
      ...aspectOf('initial'),
      id,
      uuid: Array.from({ length: 22 }, () => alphabet[randomBelow(alphabet.length)]).join(''),
      slug: toSlug(title),
      title,
      content_type: listedTypes[randomBelow(listedTypes.length)] ?? 'text',
      contributor: 1 + randomBelow(contributorCount),
      copied_from: id > 10 && randomBelow(10) === 0 ? 1 + randomBelow(id - 1) : null,
      visibility: randomBelow(20) === 0 ? 'unlisted' : 'public',
      status: randomBelow(20) === 0 ? 2 : 1,
      tags: Array.from(new Set([randomWord(), randomWord()])).slice(0, randomBelow(3)),
      text: texts.text,
      rating_count,
      rating_sum,
      karma: rating_sum + randomBelow(30),
      created,
      modified: created + randomBelow(1_000_000_000),
      trashed: null,
      removed_files: 0,
      trashed_by: null,
      never_listed: 0,
      answer: null,
      featured: null,
      source_license: null,
      made_for: null,
      source_maker: null,
      ends_set: null,
      asked_status: null,
      kind: null,
      offers: null,
      due: null,
      ends: null,
    });
  }
}

if (import.meta.main) {
  const output = Bun.stdout.writer();
  let buffer = '';
  for (const line of generateDump(Number(process.argv[2] ?? 1000))) {
    buffer += `${line}\n`;
    if (buffer.length > 1 << 20) {
      output.write(buffer);
      await output.flush();
      buffer = '';
    }
  }
  output.write(buffer);
  await output.end();
}
