// A model of who may read what, for random people who do random things. Every text has a word of its own, and the model
// knows for whom each word was written; after some steps everybody reads everything that they can reach.

import fc from 'fast-check';
import { executeAlone } from '../../src/database/query.ts';
import { transact } from '../../src/gallery/changes/transact.ts';
import { changeSite } from '../../src/gallery/site/settings.ts';
import { sweep } from '../../src/gallery/sweep.ts';
import type { Kind } from './databases.ts';
import { Person } from './person.ts';
import { firstClass, idOf, type Name, openSchool, type School, secondClass } from './school.ts';
import { exportAll, type Site, siteOn } from './site.ts';

const at = '/api/v1/projects/';

const names: readonly Name[] = ['mo', 'olga', 'tess', 'tom', 'kim', 'lee', 'sam', 'bob', 'ann'];
const readers = ['visitor', ...names] as const;
type Reader = (typeof readers)[number];

/** Those of the first class: its people, its teachers, and moderators. */
const peopleOf: Readonly<Record<number, readonly Reader[]>> = {
  [firstClass]: ['olga', 'tess', 'kim', 'lee', 'sam', 'ann', 'mo'],
  [secondClass]: ['tom', 'sam', 'mo'],
};
const teachersOf: Readonly<Record<number, readonly Reader[]>> = {
  [firstClass]: ['olga', 'tess', 'mo'],
  [secondClass]: ['tom', 'mo'],
};

/** A word that stands in one text, and those who may read it. */
interface Word {
  readonly text: string;
  readonly author: Name;
  /** Undefined for everybody. */
  readers: Set<Reader> | undefined;
  isErased: boolean;
}

interface Work {
  readonly id: number;
  readonly maker: Name;
  readonly path: string;
  /** The words that stand in it, with those of what it was copied from. */
  words: Word[];
  /** The words that stand in it because it is a copy. */
  readonly copied: readonly Word[];
  readonly isCopyOfTeacher: boolean;
  status: number;
  visibility: string;
  isGone: boolean;
}

/** A comment, or a note on an item. */
interface Comment {
  readonly id: number;
  readonly root: Work;
  readonly author: Name;
  readonly word: Word;
  readonly readers: Set<Reader> | undefined;
}

interface Model {
  readonly works: Work[];
  readonly comments: Comment[];
  readonly words: Word[];
  readonly lookedAfter: Set<Name>;
  readonly gone: Set<Name>;
  hasReview: boolean;
  steps: number;
}

const newModel = (): Model => ({
  works: [],
  comments: [],
  words: [],
  lookedAfter: new Set(['kim', 'lee', 'sam']),
  gone: new Set(),
  hasReview: false,
  steps: 0,
});

function newWord(model: Model, author: Name, audience: Set<Reader> | undefined): Word {
  const word = { text: `word${model.words.length}x`, author, readers: audience, isErased: false };
  model.words.push(word);
  return word;
}

const isOpen = ({ status, visibility, isGone }: Work) =>
  !isGone && (status === 1 || status === 2) && (visibility === 'public' || visibility === 'unlisted');

/** Who reads hidden work, now or once it waits: its maker, moderators and the teachers of its maker. */
function reviewersOf(model: Model, maker: Name): Set<Reader> {
  const own = model.lookedAfter.has(maker) ? (teachersOf[firstClass] ?? []) : [];
  return new Set<Reader>([maker, 'mo', ...own]);
}

/** The words of a work have more readers from now on. */
function widen(words: readonly Word[], to: Iterable<Reader> | undefined): void {
  for (const word of words) {
    if (word.readers === undefined) continue;
    word.readers = to === undefined ? undefined : word.readers.union(new Set(to));
  }
}

/** Its maker has shown the work to its class, or to everybody. What others made of it stays with the class. */
function noteReaders(model: Model, work: Work): void {
  const own = work.words.filter((word) => !work.copied.includes(word));
  if (work.status === 5) widen(own, reviewersOf(model, work.maker));
  if (work.visibility === 'class' && (work.status === 1 || work.status === 2)) {
    const classes = [firstClass, secondClass].filter((id) => peopleOf[id]?.includes(work.maker));
    const shown = model.lookedAfter.has(work.maker) ? [firstClass] : classes;
    for (const id of work.copied.length > 0 ? shown.slice(0, 1) : shown) widen(own, peopleOf[id]);
  }
  if (isOpen(work)) widen(work.isCopyOfTeacher ? work.words : own, undefined);
}

interface Real {
  readonly school: School;
}

interface Answer {
  readonly id: number;
  readonly html_url: string;
  readonly status: number;
  readonly visibility: string;
  readonly contributor?: number;
}

type Step = fc.AsyncCommand<Model, Real>;

/** A step with its arguments, so that a failure prints them. */
function step<Args extends readonly unknown[]>(
  name: string,
  args: Args,
  run: (model: Model, school: School, ...args: Args) => Promise<void>,
): Step {
  return {
    check: () => true,
    async run(model, { school }) {
      await run(model, school, ...args);
      if (++model.steps % 6 === 0) await readEverything(model, school);
    },
    toString: () => `${name}(${args.join(', ')})`,
  };
}

const pick = <Item>(items: readonly Item[], index: number): Item | undefined => items[index % items.length];

async function send(
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<Answer | undefined> {
  const response = await person.request(method, path, body);
  if (response.status >= 500) throw new Error(`${method} ${path}: ${response.status}`);
  if (!response.ok || response.status === 204) return undefined;
  return (await response.json()) as Answer;
}

const textOf = (words: readonly Word[]) => `Kite ${words.map(({ text }) => text).join(' ')}`;

async function makeWork(model: Model, school: School, maker: Name, visibility: string, status: number) {
  if (model.gone.has(maker)) return;
  const word = newWord(model, maker, new Set<Reader>([maker, 'mo']));
  const made = await send(school[maker], 'POST', at, {
    ...{ title: textOf([word]), text: textOf([word]), visibility, status },
  });
  if (!made) return;
  addWork(model, maker, made, [word], [], false);
}

function addWork(
  model: Model,
  maker: Name,
  made: Answer,
  words: Word[],
  copied: Word[],
  isCopyOfTeacher: boolean,
) {
  const { id, status, visibility, html_url } = made;
  const path = new URL(html_url).pathname;
  const work: Work = {
    ...{ id, maker, path, words, copied, isCopyOfTeacher, status, visibility },
    isGone: false,
  };
  requireReview(model, work);
  model.works.push(work);
  noteReaders(model, work);
}

/** Nothing of people who need review is public that nobody has approved. */
function requireReview(model: Model, work: Work): void {
  const needs = model.lookedAfter.has(work.maker) || (model.hasReview && work.maker !== 'mo');
  if (needs && isOpen(work))
    throw new Error(`${work.id} of ${work.maker} is public, and nobody has approved it`);
}

async function changeWork(
  model: Model,
  school: School,
  who: Name,
  index: number,
  members: { readonly visibility?: string; readonly status?: number; readonly text?: string },
) {
  const work = pick(model.works, index);
  if (!work || work.isGone || model.gone.has(who)) return;
  const isText = members.text !== undefined;
  const word = isText ? newWord(model, work.maker, new Set<Reader>([work.maker, who, 'mo'])) : undefined;
  const body = word ? { text: textOf([...work.words, word]) } : members;
  const wasOpen = isOpen(work);
  // A moderator who publishes what waits has approved it.
  const isApproved = work.status === 5 && who === 'mo';
  const changed = await send(school[who], 'PATCH', `${at}${work.id}/`, body);
  if (!changed) return;
  if (word) work.words = [...work.words, word];
  const isMaker = who === work.maker;
  Object.assign(work, { status: changed.status, visibility: changed.visibility });
  if (isMaker && (!wasOpen || isText)) requireReview(model, work);
  // Somebody else may narrow it, or open again what its maker had opened.
  if (isMaker || wasOpen || isApproved) noteReaders(model, work);
}

async function copyWork(model: Model, school: School, who: Name, index: number) {
  const source = pick(model.works, index);
  if (!source || model.gone.has(who)) return;
  const made = await send(school[who], 'POST', `${at}${source.id}/copy/`);
  if (!made) return;
  const isOwn = source.maker === who;
  const words = [...source.words];
  const copied = isOwn ? [...source.copied] : isOpen(source) ? [] : words;
  const isTeacher = (teachersOf[firstClass] ?? []).includes(source.maker) || source.maker === 'tom';
  const isCopyOfTeacher = isOwn
    ? source.isCopyOfTeacher
    : isTeacher && (source.copied.length === 0 || source.isCopyOfTeacher);
  addWork(model, who, made, words, copied, isCopyOfTeacher);
}

async function reviewWork(model: Model, school: School, who: Name, index: number, decision: string) {
  const work = pick(model.works, index);
  if (!work || work.isGone || model.gone.has(who)) return;
  const reviewed = await send(school[who], 'POST', `${at}${work.id}/review/`, { decision, reason: 'Why' });
  if (!reviewed) return;
  if (who === work.maker) throw new Error(`${who} has reviewed their own work ${work.id}`);
  Object.assign(work, { status: reviewed.status, visibility: reviewed.visibility });
  noteReaders(model, work);
}

async function commentOn(model: Model, school: School, who: Name, index: number, isAnswer: boolean) {
  if (model.gone.has(who)) return;
  const answered = isAnswer ? pick(model.comments, index) : undefined;
  const root = answered?.root ?? pick(model.works, index);
  if (!root || root.isGone) return;
  const word = newWord(model, who, new Set<Reader>([who, 'mo']));
  const parent = answered?.id ?? root.id;
  const made = await send(school[who], 'POST', `${at}${root.id}/comments/`, {
    ...{ title: textOf([word]), text: textOf([word]), parent },
  });
  if (!made) return;
  const audience = readersOfComment(model, root, answered);
  const waits = made.status === 5;
  word.readers = waits ? reviewersOf(model, who) : audience && new Set<Reader>([...audience, who, 'mo']);
  // Once it is approved, everybody may read it.
  if (waits && audience === undefined) addWork(model, who, made, [word], [], false);
  else model.comments.push({ id: made.id, root, author: who, word, readers: audience });
}

function readersOfComment(model: Model, root: Work, answered?: Comment): Set<Reader> | undefined {
  if (answered?.readers) return answered.readers;
  if (isOpen(root)) return undefined;
  const isForClass = root.visibility === 'class' && (root.status === 1 || root.status === 2);
  const classes = [firstClass, secondClass].filter((id) => peopleOf[id]?.includes(root.maker));
  return isForClass && classes.length > 0
    ? new Set(classes.flatMap((id) => peopleOf[id] ?? []))
    : reviewersOf(model, root.maker);
}

async function collectWork(model: Model, school: School, who: Name, index: number, into: number) {
  const work = pick(model.works, index);
  if (!work || work.isGone || model.gone.has(who)) return;
  const added = await send(school[who], 'POST', `${at}${into}/items/`, { project: work.id });
  if (!added || who !== work.maker || work.visibility !== 'class') return;
  const own = work.words.filter((word) => !work.copied.includes(word));
  widen(own, peopleOf[into]);
}

async function trashWork(model: Model, school: School, who: Name, index: number) {
  const work = pick(model.works, index);
  if (!work || work.isGone || model.gone.has(who)) return;
  const response = await school[who].delete(`${at}${work.id}/`);
  if (response.status === 204) work.isGone = true;
}

async function releaseChild(model: Model, { site }: School, who: Name) {
  if (model.gone.has(who)) return;
  await executeAlone(
    site.database,
  )`update account set looked_after_by = null where contributor = ${idOf(who)}`;
  model.lookedAfter.delete(who);
}

async function eraseChild(model: Model, school: School, who: Name) {
  if (!model.lookedAfter.has(who)) return;
  const { html_url } = await school.tess.json<Answer>(`${at}${firstClass}/`);
  const erased = await school.tess.send(`${new URL(html_url).pathname}class/${idOf(who)}/erase/`);
  if (erased.status !== 303) throw new Error(`erasing ${who}: ${erased.status}`);
  await sweep(school.site.database, school.site.files);
  model.gone.add(who);
  model.lookedAfter.delete(who);
  for (const work of model.works) if (work.maker === who) work.isGone = true;
  for (const word of model.words) if (word.author === who && word.readers) word.isErased = true;
}

async function setReview(model: Model, { site }: School, isOn: boolean) {
  await transact(site.database, null, (write) => changeSite(write, '', { review: isOn ? 'all' : 'off' }));
  model.hasReview = isOn;
}

/** The maker opens it, and a moderator approves it. */
async function publish(model: Model, school: School, index: number, visibility: string) {
  const work = pick(model.works, index);
  if (!work) return;
  await changeWork(model, school, work.maker, index, { visibility, status: 1 });
  if (work.status === 5) await reviewWork(model, school, 'mo', index, 'approve');
}

async function editOwn(model: Model, school: School, index: number) {
  const work = pick(model.works, index);
  if (work) await changeWork(model, school, work.maker, index, { text: 'more' });
}

const whoever = fc.constantFrom(...names);
const inClass = fc.constantFrom<Name>('kim', 'lee', 'sam', 'ann', 'tess', 'olga', 'kim', 'lee', 'bob', 'mo');
const reviewer = fc.constantFrom<Name>('mo', 'olga', 'tess', 'tom', 'kim');
const some = fc.nat(40);
const shown = fc.constantFrom('public', 'unlisted', 'private', 'class');
const open = fc.constantFrom('public', 'unlisted');

const stepOf = <Args extends [unknown, ...unknown[]]>(
  name: string,
  args: { [Place in keyof Args]: fc.Arbitrary<Args[Place]> },
  run: (model: Model, school: School, ...args: Args) => Promise<void>,
): fc.Arbitrary<Step> => fc.tuple<Args>(...args).map((args) => step(name, args as Args, run));

/** Steps of random people, more of those that matter more. */
const steps = [
  stepOf('makeWork', [whoever, shown, fc.constantFrom(0, 1)], makeWork),
  stepOf('makeWork', [inClass, fc.constant('class'), fc.constant(1)], makeWork),
  stepOf('makeWork', [fc.constantFrom<Name>('kim', 'lee'), open, fc.constant(1)], makeWork),
  stepOf('copyWork', [inClass, some], copyWork),
  stepOf('copyWork', [inClass, some], copyWork),
  stepOf('publish', [some, open], publish),
  stepOf('publish', [some, open], publish),
  stepOf('changeWork', [whoever, some, shown], (model, school, who, index, visibility) =>
    changeWork(model, school, who, index, { visibility, status: 1 }),
  ),
  stepOf('hide', [some], (model, school, index) =>
    changeWork(model, school, pick(model.works, index)?.maker ?? 'mo', index, { visibility: 'private' }),
  ),
  stepOf('editOwn', [some], editOwn),
  stepOf('reviewWork', [reviewer, some, fc.constantFrom('approve', 'return')], reviewWork),
  stepOf('commentOn', [inClass, some, fc.boolean()], commentOn),
  stepOf('commentOn', [inClass, some, fc.boolean()], commentOn),
  stepOf('collectWork', [inClass, some, fc.constantFrom(firstClass, secondClass)], collectWork),
  stepOf('trashWork', [whoever, some], trashWork),
  stepOf('releaseChild', [fc.constantFrom<Name>('kim', 'lee')], releaseChild),
  stepOf('eraseChild', [fc.constantFrom<Name>('kim', 'lee', 'sam')], eraseChild),
  stepOf('setReview', [fc.boolean()], setReview),
];

/** All that a person can reach, with the address where it stands. */
async function* everythingFor(model: Model, person: Person): AsyncGenerator<[address: string, body: string]> {
  const read = async (path: string, ofBrowser = false): Promise<[string, string]> => {
    const response = await (ofBrowser ? person.browser.get(path) : person.get(path));
    return [path, response.status === 200 ? await response.text() : ''];
  };
  for (const path of [
    `${at}?page_size=100&content_type__in=text,comment,collection`,
    `${at}?page_size=100&search=kite`,
    `${at}?page_size=100&contributor=me`,
    '/api/v1/changes/?page_size=100',
    '/api/v1/me/notifications/?page_size=100',
    '/api/v1/me/dump/?format=ndjson',
    `${at}${firstClass}/items/`,
    `${at}${firstClass}/comments/`,
  ])
    yield read(path);
  for (const path of ['/', '/feed/']) yield read(path, true);
  for (const { id, path } of model.works) {
    const [record, page] = [await read(`${at}${id}/`), await read(path, true)];
    yield record;
    yield page;
    if (page[1] === '') continue;
    for (const part of ['comments/', 'history/', 'lineage/', 'copies/']) yield read(`${at}${id}/${part}`);
  }
  for (const { id } of model.comments) yield read(`${at}${id}/`);
}

const writtenWord = /word\d+x/g;

/** Throws if somebody reads a word that was not written for them. */
async function readEverything(model: Model, school: School): Promise<void> {
  const words = new Map(model.words.map((word) => [word.text, word]));
  for (const reader of readers) {
    if (reader !== 'visitor' && model.gone.has(reader)) continue;
    for await (const [address, body] of everythingFor(model, school[reader]))
      for (const [text] of body.matchAll(writtenWord)) {
        const word = words.get(text);
        if (word?.isErased)
          throw new Error(`${reader} reads ${text} of ${word.author}, who was erased, at ${address}`);
        if (word?.readers && !word.readers.has(reader) && word.author !== reader)
          throw new Error(`${reader} reads ${text} of ${word.author} at ${address}`);
      }
  }
}

/** The same people in a gallery that was made of the other's export. */
async function readImported(model: Model, { site }: School, kind: Kind): Promise<void> {
  const exported = await exportAll(site);
  for (const { text, isErased } of model.words)
    if (isErased && exported.includes(text)) throw new Error(`${text} is in the export, and was erased`);
  const copy = await siteOn(kind, { dump: exported });
  if ((await exportAll(copy)) !== exported) throw new Error('the export of the copy is another one');
  await readEverything(model, await peopleAt(copy));
  await copy.close();
}

async function peopleAt(site: Site): Promise<School> {
  const people = await Promise.all(
    names.map(async (name) => {
      const isThere = (await site.json(`/api/v1/contributors/?username=${name}`)) !== undefined;
      return [
        name,
        isThere ? new Person(site, await site.signIn(name).catch(() => ({})), name) : new Person(site),
      ] as const;
    }),
  );
  return { site, visitor: new Person(site), ...(Object.fromEntries(people) as Record<Name, Person>) };
}

/** SEED repeats a run. */
export const modelSeed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Random people: SEED=${modelSeed}`);

/** Runs random steps in galleries of their own. A failure prints the seed and the shortest steps. */
export async function checkModel(
  kind: Kind,
  options: fc.Parameters<[Iterable<Step>]>,
  maxSteps = 30,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.commands(steps, { maxCommands: maxSteps, size: 'max' }), async (commands) => {
      const school = await openSchool(kind);
      const model = newModel();
      try {
        await fc.asyncModelRun(() => ({ model, real: { school } }), commands);
        await readEverything(model, school);
        await readImported(model, school, kind);
      } finally {
        await school.site.close();
      }
    }),
    options as never,
  );
}
