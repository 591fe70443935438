// Writes a dump of any size, the same each time: `bun bench/make-dump.ts 1000000 > dump.ndjson`.

import { contributorLine } from '../src/gallery/contributors/contributor-line.ts';
import { contentTypes } from '../src/gallery/projects/project.ts';
import { projectLine } from '../src/gallery/projects/project-line.ts';
import { toSlug } from '../src/gallery/projects/slug.ts';

const words =
  'amber anvil badge beacon bobbin bracket cardboard circuit clay cobalt copper cotton crank dynamo ember felt gear glider hinge kite lantern lever linen loom magnet marble mosaic orbit origami paper pendulum pinhole pulley quilt robot rocket rotor sensor signal solder spindle spring sundial telescope thread turbine velcro walnut weather windmill wire yarn zoetrope'.split(
    ' ',
  );

/** A small generator of even numbers, so that every run makes the same dump. */
let state = 20140520;
const random = (below: number) => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return Math.floor((state / 2 ** 32) * below);
};
const word = () => words[random(words.length)] as string;
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

export function* dump(projects: number): Generator<string> {
  const contributors = Math.max(1, Math.floor(projects / 50));
  const start = Date.UTC(2014, 0, 1) * 1000;
  for (let id = 1; id <= contributors; id++) {
    const [first_name, last_name] = [word(), word()].map(
      (name) => name[0]?.toUpperCase() + name.slice(1),
    ) as [string, string];
    yield contributorLine.stringify({
      id,
      username: `${first_name.toLowerCase()}${id}`,
      first_name,
      last_name,
      created: start + id,
    });
  }
  for (let id = 1; id <= projects; id++) {
    const title = `${word()} ${word()} ${word()} ${id}`;
    const rating_count = random(40);
    const rating_sum = rating_count * (1 + random(5));
    const created = start + id * 300_000_000 + random(1_000_000);
    yield projectLine.stringify({
      id,
      uuid: Array.from({ length: 22 }, () => alphabet[random(alphabet.length)]).join(''),
      slug: toSlug(title),
      title,
      content_type: contentTypes[random(contentTypes.length)] ?? 'text',
      contributor: 1 + random(contributors),
      copied_from: id > 10 && random(10) === 0 ? 1 + random(id - 1) : null,
      visibility: random(20) === 0 ? 'unlisted' : 'public',
      status: random(20) === 0 ? 2 : 1,
      tags: Array.from(new Set([word(), word()])).slice(0, random(3)),
      text: Array.from({ length: 8 + random(16) }, word).join(' '),
      rating_count,
      rating_sum,
      karma: rating_sum + random(30),
      created,
      modified: created + random(1_000_000_000),
      parent: null,
      link: null,
      trashed: null,
    });
  }
}

if (import.meta.main) {
  const out = Bun.stdout.writer();
  let held = '';
  for (const line of dump(Number(process.argv[2] ?? 1000))) {
    held += `${line}\n`;
    if (held.length > 1 << 20) {
      out.write(held);
      await out.flush();
      held = '';
    }
  }
  out.write(held);
  await out.end();
}
