// The steps of random people, through the API and the forms.

import { setSystemTime } from 'bun:test';
import fc from 'fast-check';
import { executeAlone } from '#sql';
import { transact } from '../../../src/core/changes/transact.ts';
import { sweep } from '../../../src/core/jobs/sweep.ts';
import { changeSite } from '../../../src/core/site/site-settings.ts';
import { readPage } from '../html.ts';
import { at, firstClass, idOf, type Name, type School, secondClass } from '../school.ts';
import { exportAll } from '../site.ts';
import { readMails } from './delivered.ts';
import {
  type Answer,
  classesOf,
  isOpen,
  isReviewed,
  type Model,
  names,
  newWord,
  noteClass,
  noteReaders,
  noteReadersOfNote,
  peopleOf,
  readersOfComment,
  requireReview,
  reviewersOf,
  send,
  teachers,
  textOf,
  type Word,
  type Work,
  widen,
} from './model.ts';
import { peopleAt, readEverything, requireOpened, requireSeen } from './reading.ts';

export type Step = fc.AsyncCommand<Model, { readonly school: School }>;

/** A step with its arguments, so that a failure prints them. */
function step<Args extends readonly unknown[]>(
  name: string,
  args: Args,
  run: (model: Model, school: School, ...args: Args) => Promise<unknown>,
): Step {
  return {
    check: () => true,
    async run(model, { school }) {
      await run(model, school, ...args);
      if (++model.steps % 12 === 0) await readEverything(model, school, ['visitor', 'tom', 'lee', 'tess']);
    },
    toString: () => `${name}(${args.join(', ')})`,
  };
}

/** Mostly one of the newest. */
const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  index < 24 ? items.at(-1 - (index % Math.min(4, items.length || 1))) : items[index % items.length];

const pickWork = ({ works }: Model, index: number): Work | undefined => {
  const work = pick(works, index);
  return work?.isGone ? undefined : work;
};

async function makeWork(model: Model, school: School, maker: Name, visibility: string, status: number) {
  if (model.gone.has(maker)) return undefined;
  const word = newWord(model, maker, [maker, 'mo']);
  const members = { title: textOf([word]), text: textOf([word]), visibility, status };
  const made = await send(school[maker], 'POST', at, members);
  return made && addWork(model, maker, made, [word]);
}

async function makeCollection(model: Model, school: School, maker: Name, visibility: string) {
  if (model.gone.has(maker)) return undefined;
  const word = newWord(model, maker, [maker, 'mo']);
  const members = { title: textOf([word]), content_type: 'collection', offers: 'open', visibility };
  const made = await send(school[maker], 'POST', at, members);
  return made && addWork(model, maker, made, [word], { isCollection: true });
}

function addWork(
  model: Model,
  maker: Name,
  { id, status, visibility, html_url }: Answer,
  words: Word[],
  kind: Partial<Pick<Work, 'copied' | 'isCopyOfTeacher' | 'isCollection' | 'madeFor'>> = {},
): Work {
  const path = new URL(html_url).pathname;
  const none = { copied: [], isCopyOfTeacher: false, isCollection: false, isGone: false };
  const unmade = { madeFor: undefined, isSentBack: false, asked: 1 };
  const work: Work = {
    id,
    maker,
    path,
    words,
    ...none,
    ...unmade,
    ...kind,
    editors: new Set(),
    classes: new Set(),
    status,
    visibility,
  };
  requireReview(model, work);
  model.works.push(work);
  noteReaders(model, work);
  return work;
}

interface Members {
  readonly visibility?: string;
  readonly status?: number;
  readonly isText?: boolean;
  /** The word that its maker has kept for later. */
  readonly isKept?: boolean;
}

async function changeWork(model: Model, school: School, who: Name, work: Work | undefined, members: Members) {
  if (!work || work.isGone || model.gone.has(who)) return;
  const { isText: isWritten, isKept, ...values } = members;
  const isText = isWritten || isKept;
  if (isKept && !work.kept) return;
  const word = isKept
    ? work.kept
    : isText
      ? newWord(model, who, [work.maker, who, 'mo', ...work.editors])
      : undefined;
  const kept = work.words.filter(({ isErased }) => !isErased);
  const text = textOf([...kept, ...(word ? [word] : [])]);
  const body = word ? (work.isCollection ? { title: text } : { text }) : values;
  const wasOpen = isOpen(work);
  // A moderator who publishes what waits has approved it.
  const isApproved = work.status === 5 && who === 'mo';
  const changed = isKept
    ? await send(school[who], 'POST', `${at}${work.id}/edits/`)
    : await send(school[who], 'PATCH', `${at}${work.id}/`, body);
  if (!changed) return;
  if (isKept) work.kept = undefined;
  if (isKept && word) widen([word], ['mo', ...work.editors]);
  if (word) work.words = [...work.words, word];
  const isMaker = who === work.maker;
  const path = new URL(changed.html_url).pathname;
  Object.assign(work, { path, status: changed.status, visibility: changed.visibility });
  if (isMaker && values.status !== undefined) work.asked = values.status;
  if (isMaker && (!wasOpen || isText)) requireReview(model, work);
  if (isText && isReviewed(model, who) && isOpen(work))
    throw new Error(`${who} has written on ${work.id}, which is open, and nobody has approved it`);
  // Somebody else may narrow it, or open again what its maker had opened.
  if (isMaker || wasOpen || isApproved) noteReaders(model, work);
}

/** The maker keeps a word for later: of others, only the teachers of a child read it. */
async function keepWord(model: Model, school: School, work: Work) {
  if (work.isGone || model.gone.has(work.maker)) return;
  const { maker } = work;
  const word = newWord(model, maker, [maker, ...(model.lookedAfter.has(maker) ? teachers : [])]);
  const body = work.isCollection ? { title: textOf([word]) } : { text: textOf([word]) };
  if (await send(school[maker], 'PUT', `${at}${work.id}/edits/`, body)) work.kept = word;
}

async function publishKept(model: Model, school: School, work: Work) {
  await changeWork(model, school, work.maker, work, { isKept: true });
}

async function copyWork(model: Model, school: School, who: Name, source: Work | undefined) {
  if (!source || source.isGone || source.isCollection || model.gone.has(who)) return undefined;
  const made = await send(school[who], 'POST', `${at}${source.id}/copy/`);
  if (!made) return undefined;
  const isOwn = source.maker === who;
  const words = [...source.words];
  const copied = isOwn ? source.copied : isOpen(source) ? [] : words;
  const isTeachers = [...teachers, 'tom'].includes(source.maker);
  const isCopyOfTeacher = isOwn
    ? source.isCopyOfTeacher
    : isTeachers && (source.copied.length === 0 || source.isCopyOfTeacher);
  const madeFor = isOwn ? source.madeFor : undefined;
  return addWork(model, who, made, words, { copied, isCopyOfTeacher, madeFor });
}

async function reviewWork(model: Model, school: School, who: Name, work: Work | undefined, decision: string) {
  if (!work || work.isGone || model.gone.has(who)) return;
  const word = newWord(model, who, reviewersOf(model, work));
  const body = { decision, reason: textOf([word]) };
  const reviewed = await send(school[who], 'POST', `${at}${work.id}/review/`, body);
  if (!reviewed) return;
  if (who === work.maker) throw new Error(`${who} has reviewed their own work ${work.id}`);
  if (decision === 'approve' && reviewed.status !== work.asked && work.status === 5)
    throw new Error(`${work.id} has status ${reviewed.status}, and its maker has asked for ${work.asked}`);
  if (decision === 'return' && work.status === 5) work.isSentBack = true;
  if (decision === 'approve')
    for (const note of model.notes) if (note.collection === work) note.waits = false;
  Object.assign(work, { status: reviewed.status, visibility: reviewed.visibility });
  noteReaders(model, work);
  await requireSeen(model, school, work.maker, who, '/api/v1/me/notifications/', word.text);
}

/** Through the API, or the form on the page. */
async function comment(
  model: Model,
  school: School,
  who: Name,
  place: { readonly root: Work; readonly answered?: Model['comments'][number] },
  isForm: boolean,
) {
  const { root, answered } = place;
  if (root.isGone || model.gone.has(who)) return undefined;
  const word = newWord(model, who, [who, 'mo']);
  const text = `${textOf([word])} @${root.maker}`;
  const parent = answered?.id ?? root.id;
  const made = isForm
    ? await sendComment(school, who, parent, root, text)
    : await send(school[who], 'POST', `${at}${root.id}/comments/`, { text, parent });
  if (!made) return undefined;
  const audience = readersOfComment(model, root, answered);
  const waits = made.status === 5;
  const own = { maker: who, editors: new Set<Name>(), isCopyOfTeacher: false };
  word.readers = waits ? reviewersOf(model, own) : audience && new Set([...audience, who, 'mo' as const]);
  // Once it is approved, everybody may read it.
  if (waits && audience === undefined) addWork(model, who, made, [word]);
  else model.comments.push({ id: made.id, root, author: who, readers: audience });
  for (const child of [root.maker, answered?.author])
    if (child) await requireSeen(model, school, child, who, `${at}${made.id}/`, word.text);
  return model.comments.at(-1);
}

async function sendComment(school: School, who: Name, parent: number, root: Work, text: string) {
  const answered = parent === root.id ? undefined : await send(school[who], 'GET', `${at}${parent}/`);
  const path = parent === root.id ? root.path : new URL(answered?.html_url ?? 'x:/nowhere/').pathname;
  const uuid = root.path.split('/').at(-2)?.split('-').at(-1) ?? '';
  const response = await school[who].send(`${path}comment/`, { text, page: uuid });
  if (response.status >= 500) throw new Error(`${path}comment/: ${response.status}`);
  const [, id] = /#comment-(\d+)$/.exec(response.headers.get('Location') ?? '') ?? [];
  return id === undefined ? undefined : send(school[who], 'GET', `${at}${id}/`);
}

async function commentOn(
  model: Model,
  school: School,
  who: Name,
  index: number,
  isAnswer: boolean,
  isForm: boolean,
) {
  const answered = isAnswer ? pick(model.comments, index) : undefined;
  const root = answered?.root ?? pickWork(model, index);
  if (root) await comment(model, school, who, { root, ...(answered && { answered }) }, isForm);
}

/** Its author writes it anew: what it says now is for those who read the work now. */
async function rewriteComment(model: Model, school: School, index: number) {
  const written = pick(model.comments, index);
  if (!written || written.root.isGone || model.gone.has(written.author)) return;
  const { id, root, author } = written;
  const word = newWord(model, author, [author, 'mo']);
  const changed = await send(school[author], 'PATCH', `${at}${id}/`, { title: textOf([word]) });
  if (!changed) return;
  const audience = written.readers ?? readersOfComment(model, root);
  word.readers = audience && new Set([...audience, author, 'mo' as const]);
  if (changed.status === 5) widen([word], teachers);
  if (audience) written.readers = audience;
}

/** The second class shows its page, and takes offers of everybody. */
async function openSecondClass(model: Model, school: School) {
  await send(school.tom, 'PATCH', `${at}${secondClass}/`, { visibility: 'public', offers: 'open' });
  model.isSecondOpen = true;
}

async function acceptIntoSecond(model: Model, school: School, work: Work) {
  const path = `${at}${secondClass}/items/`;
  const added = await send(school[work.maker], 'POST', path, { project: work.id });
  if (added && classesOf(model, work.maker).includes(secondClass)) noteClass(model, work, secondClass);
  await send(school.tom, 'PATCH', `${path}${work.id}/`, { state: 'included' });
}

/** A child writes no notes outside of its class. */
const noteOf = (model: Model, who: Name, isElsewhere: boolean, word: Word) =>
  model.lookedAfter.has(who) && isElsewhere ? '' : textOf([word]);

async function putIntoClass(model: Model, school: School, who: Name, work: Work | undefined, into: number) {
  if (!work || work.isGone || model.gone.has(who)) return;
  const isOpenToAll = into === secondClass && model.isSecondOpen && !isReviewed(model, who);
  const word = newWord(model, who, isOpenToAll ? undefined : peopleOf(model, into));
  const item = { project: work.id, note: noteOf(model, who, into !== firstClass, word) };
  const added = await send(school[who], 'POST', `${at}${into}/items/`, item);
  if (added && who === work.maker) noteClass(model, work, into);
}

/** Puts it in, or offers it, with a note. */
async function collect(
  model: Model,
  school: School,
  who: Name,
  work: Work | undefined,
  collection: Work | undefined,
) {
  if (!work || !collection || work.isGone || collection.isGone || model.gone.has(who)) return;
  const word = newWord(model, who, [who, work.maker, ...reviewersOf(model, collection)]);
  if (model.lookedAfter.has(who)) for (const teacher of teachers) word.readers?.add(teacher);
  const path = `${at}${collection.id}/items/`;
  const item = { project: work.id, note: noteOf(model, who, collection.maker !== who, word) };
  if (!(await send(school[who], 'POST', path, item))) return;
  const note = { word, author: who, work, collection, waits: isReviewed(model, who) };
  model.notes.push(note);
  noteReadersOfNote(note);
  await requireSeen(model, school, collection.maker, who, path, word.text);
}

const collectionOf = ({ works }: Model, index: number): Work | undefined => {
  const collections = works.filter(({ isCollection, isGone }) => isCollection && !isGone);
  return collections[index % collections.length];
};

async function acceptOffer(model: Model, school: School, index: number) {
  const note = pick(model.notes, index);
  if (!note || model.gone.has(note.collection.maker)) return;
  const path = `${at}${note.collection.id}/items/${note.work.id}/`;
  await send(school[note.collection.maker], 'PATCH', path, { state: 'included' });
}

async function addEditor(model: Model, school: School, who: Name, index: number) {
  const collection = collectionOf(model, index);
  if (!collection || model.gone.has(collection.maker) || model.gone.has(who)) return;
  const path = `${at}${collection.id}/people/${idOf(who)}/`;
  const response = await school[collection.maker].put(path, { role: 'editor' });
  if (!response.ok) return;
  collection.editors.add(who);
  const ofNotes = model.notes.filter((note) => note.collection === collection).map(({ word }) => word);
  for (const word of [...collection.words, ...ofNotes]) word.readers?.add(who);
}

async function trashWork(model: Model, school: School, who: Name, work: Work | undefined) {
  if (!work || work.isGone || model.gone.has(who)) return;
  const response = await school[who].delete(`${at}${work.id}/`);
  if (response.status === 204) work.isGone = true;
}

async function restoreWork(model: Model, school: School, index: number) {
  const work = pick(model.works, index);
  if (!work?.isGone || model.gone.has(work.maker)) return;
  const restored = await send(school[work.maker], 'POST', `${at}${work.id}/restore/`);
  if (!restored) return;
  Object.assign(work, { status: restored.status, visibility: restored.visibility, isGone: false });
}

/** A moderator removes it, and its maker and their teachers read why. */
async function removeWork(model: Model, school: School, work: Work | undefined) {
  if (!work || work.isGone || work.maker === 'mo') return;
  const word = newWord(model, 'mo', reviewersOf(model, work));
  const removed = await send(school.mo, 'PATCH', `${at}${work.id}/`, { status: 3, reason: textOf([word]) });
  if (!removed) return;
  Object.assign(work, { status: removed.status, visibility: removed.visibility });
  await requireSeen(model, school, work.maker, 'mo', '/api/v1/me/notifications/', word.text);
}

async function releaseChild(model: Model, { site }: School, who: Name) {
  if (model.gone.has(who)) return;
  await executeAlone(
    site.database,
  )`update account set looked_after_by = null where contributor = ${idOf(who)}`;
  model.lookedAfter.delete(who);
}

function noteErased(model: Model, who: Name) {
  model.gone.add(who);
  model.lookedAfter.delete(who);
  for (const work of model.works) if (work.maker === who) work.isGone = true;
  for (const word of model.words) if (word.author === who && word.readers) word.isErased = true;
}

async function eraseChild(model: Model, school: School, who: Name) {
  if (!model.lookedAfter.has(who)) return;
  const { html_url } = await school.tess.json<Answer>(`${at}${firstClass}/`);
  const erased = await school.tess.send(`${new URL(html_url).pathname}class/${idOf(who)}/erase/`);
  if (erased.status !== 303) throw new Error(`erasing ${who}: ${erased.status}`);
  noteErased(model, who);
  await sweepClasses(model, school);
}

/** A class erases nobody without two notices of that end. */
async function sweepClasses(model: Model, school: School) {
  await sweep(school.site.database, school.site.files);
  const kept = await exportAll(school.site);
  const erased = [...model.lookedAfter].filter((name) => !kept.includes(`"username":"${name}"`));
  if (erased.length === 0) return;
  const { endSet = Number.POSITIVE_INFINITY } = model;
  const { results } = await school.olga.json<{ results: { kind: string; created: string }[] }>(
    '/api/v1/me/notifications/?kind=ended',
  );
  if (results.filter(({ created }) => Date.parse(created) >= endSet).length < 2)
    throw new Error(`${erased} were erased without two notices of this end`);
  for (const name of erased) noteErased(model, name);
}

async function setEnd(model: Model, school: School, isSet: boolean) {
  const ends = isSet ? new Date(Date.now() - 70 * 24 * 3600_000).toISOString() : null;
  const changed = await send(school.olga, 'PATCH', `${at}${firstClass}/`, { ends });
  if (changed) model.endSet = isSet ? Date.now() : undefined;
}

async function waitForMonth(model: Model, school: School) {
  await readMails(model);
  setSystemTime(Date.now() + 31 * 24 * 3600_000);
  await sweepClasses(model, school);
  // The sessions have ended.
  Object.assign(school, await peopleAt(school.site, model));
}

const setDue = (_: Model, school: School) =>
  send(school.olga, 'PATCH', `${at}${firstClass}/`, { due: new Date(Date.now() - 1000).toISOString() });

async function setReview(model: Model, { site }: School, isOn: boolean) {
  await transact(site.database, null, (write) => changeSite(write, '', { review: isOn ? 'all' : 'off' }));
  model.hasReview = isOn;
}

async function keepExport(model: Model, { site }: School) {
  model.exported = await exportAll(site);
}

/** The maker opens it, and a moderator approves it. */
async function publish(model: Model, school: School, work: Work | undefined, visibility = 'public') {
  if (!work) return;
  await changeWork(model, school, work.maker, work, { visibility, status: 1 });
  if (work.status === 5) await reviewWork(model, school, 'mo', work, 'approve');
}

const hide = (model: Model, school: School, work: Work) =>
  changeWork(model, school, work.maker, work, { visibility: 'private' });

/** Several people copy it, each the copy of the one before, and the last one opens theirs. */
async function copyAndOpen(
  model: Model,
  school: School,
  index: number,
  who: readonly Name[],
  hidesSource: boolean,
) {
  const source = pickWork(model, index);
  let copy = source;
  for (const name of who) {
    const next = await copyWork(model, school, name, copy);
    if (!next) break;
    if (hidesSource && copy) await hide(model, school, copy);
    else await changeWork(model, school, name, next, { visibility: 'class', status: 1 });
    copy = next;
  }
  if (copy !== source) await publish(model, school, copy);
}

/** A child of two classes takes a copy into the other one. */
async function carry(model: Model, school: School, index: number) {
  const copy = await copyWork(model, school, 'sam', pickWork(model, index));
  if (!copy) return;
  await changeWork(model, school, 'sam', copy, { visibility: 'class', status: 1 });
  await putIntoClass(model, school, 'sam', copy, secondClass);
}

/** What two people say before a work is opened stays between those for whom it was said, and so does an answer to it later. */
async function talkAndOpen(
  model: Model,
  school: School,
  root: Work,
  who: Name,
  other: Name,
  isForm: boolean,
) {
  const answered = await comment(model, school, who, { root }, isForm);
  const answer = () =>
    answered?.root === root ? comment(model, school, other, { root, answered }, isForm) : undefined;
  await answer();
  await publish(model, school, root);
  await answer();
  await requireOpened(model, school);
}

/** The same about what a child wants to publish. */
async function talkAboutWaiting(model: Model, school: School, maker: Name, who: Name, isForm: boolean) {
  const root = await makeWork(model, school, maker, 'public', 1);
  if (root) await talkAndOpen(model, school, root, who, maker, isForm);
}

/** Somebody offers what they have published to a collection of somebody else, with a note, and it is taken. */
async function exhibit(model: Model, school: School, maker: Name, owner: Name, isReviewNew: boolean) {
  const collection = await makeCollection(model, school, owner, 'public');
  const work = await makeWork(model, school, maker, 'public', 1);
  for (const one of [collection, work]) await publish(model, school, one);
  // What was public before is not looked at, what they write from now on is.
  if (isReviewNew) await setReview(model, school, true);
  await collect(model, school, maker, work, collection);
  await acceptOffer(model, school, model.notes.length - 1);
}

/** Somebody has a copy when the account of its maker is erased. */
async function copyAndErase(model: Model, school: School, maker: Name, who: Name) {
  const source = await makeWork(model, school, maker, 'class', 1);
  if (source && (await copyWork(model, school, who, source))) await eraseChild(model, school, maker);
}

/** A child archives what is public, writes on it, and it is looked at. */
async function archiveAndSend(model: Model, school: School, maker: Name) {
  const work = await makeWork(model, school, maker, 'public', 1);
  if (!work) return;
  await publish(model, school, work);
  await changeWork(model, school, work.maker, work, { status: 2 });
  await changeWork(model, school, work.maker, work, { isText: true });
  if (work.status === 5) await reviewWork(model, school, 'mo', work, 'approve');
}

/** The first class is taken away from its members, and comes back. */
async function hideFirstClass(model: Model, school: School, how: 'draft' | 'private' | 'removed' | 'shown') {
  const isHidden = how !== 'shown';
  const path = `${at}${firstClass}/`;
  if (how === 'removed') await send(school.mo, 'PATCH', path, { status: 3, reason: 'Spam' });
  else if (how === 'shown') {
    await send(school.mo, 'PATCH', path, { status: 1 });
    await send(school.olga, 'PATCH', path, { status: 1, visibility: 'class' });
  } else await send(school.olga, 'PATCH', path, how === 'draft' ? { status: 0 } : { visibility: 'private' });
  const { status, visibility } = await school.mo.json<Answer>(path);
  model.isFirstHidden = status !== 1 || visibility !== 'class';
  if (model.isFirstHidden !== isHidden) throw new Error(`the class is not ${how}`);
  if (!isHidden) for (const work of model.works) noteReaders(model, work);
}

/** Ann comes into a class, or leaves it with her work. */
async function moveAnn(model: Model, school: School, id: number, comes: boolean) {
  const path = `${at}${id}/people/${idOf('ann')}/`;
  const response = comes ? await school.mo.put(path, { role: 'member' }) : await school.mo.delete(path);
  if (!response.ok) return;
  if (comes) model.classesOfAnn.add(id);
  else model.classesOfAnn.delete(id);
  if (comes) for (const work of model.works) noteReaders(model, work);
}

/** Work of Ann for her class, which she hides and shows when she has moved. */
async function takeAlong(model: Model, school: School) {
  await moveAnn(model, school, secondClass, false);
  await moveAnn(model, school, firstClass, true);
  const work = await makeWork(model, school, 'ann', 'class', 1);
  if (!work) return;
  await moveAnn(model, school, secondClass, true);
  await moveAnn(model, school, firstClass, false);
  await hide(model, school, work);
  await changeWork(model, school, 'ann', work, { visibility: 'class' });
}

/** All earlier versions of what was never open, after other words were written. */
async function redact(model: Model, school: School, who: Name, work: Work) {
  const isHidden = work.words.every(({ readers }) => readers !== undefined);
  if (!isHidden || work.isCollection || work.copied.length > 0 || model.gone.has(work.maker)) return;
  const word = newWord(model, work.maker, [work.maker, 'mo']);
  const path = `${at}${work.id}/`;
  const changed = await send(school[work.maker], 'PATCH', path, {
    title: textOf([word]),
    text: textOf([word]),
  });
  if (!changed) return;
  const { results } = await school.mo.json<{ results: { number: number }[] }>(
    `${path}history/?page_size=100`,
  );
  let isAll = true;
  for (const { number } of results.slice(1)) {
    const { status } = await school[who].post(`${path}history/${number}/redact/`);
    isAll &&= status === 204;
  }
  if (isAll)
    for (const old of work.words)
      if (old.author === work.maker) Object.assign(old, { isErased: true, isRedacted: true });
  Object.assign(work, {
    path: new URL(changed.html_url).pathname,
    status: changed.status,
    visibility: changed.visibility,
    words: [word],
  });
  noteReaders(model, work);
}

/** Somebody has a copy when its maker redacts what it was made of. */
async function copyAndRedact(model: Model, school: School, maker: Name, who: Name, by: Name) {
  const source = await makeWork(model, school, maker, 'class', 1);
  if (source && (await copyWork(model, school, who, source)))
    await redact(model, school, by === 'mo' ? by : maker, source);
}

/** Somebody sends a form with a visibility that it offers. */
async function chooseInForm(model: Model, school: School, who: Name, work: Work, index: number) {
  if (model.gone.has(who)) return;
  const path = `${work.path}edit/`;
  const response = await school[who].browser.get(path);
  if (response.status !== 200) return;
  const page = await readPage(response);
  const offered = page.attributesOf('input[name="visibility"]', 'value');
  const visibility = offered[index % offered.length];
  if (visibility === undefined) return;
  const wasOpen = isOpen(work);
  const { status } = await school[who].send(path, { ...page.fields, visibility });
  if (status === 403) throw new Error(`${who} is offered ${visibility} for ${work.id}, which is refused`);
  if (status === 303 && work.kept && JSON.stringify(page.fields).includes(work.kept.text)) {
    work.words = [...work.words, work.kept];
    widen([work.kept], ['mo', ...work.editors]);
  }
  const changed = await send(school.mo, 'GET', `${at}${work.id}/`);
  if (!changed) return;
  Object.assign(work, { status: changed.status, visibility: changed.visibility });
  if (who === work.maker || wasOpen) noteReaders(model, work);
}

/** Somebody chooses who sees a copy of what a classmate has made, or a moderator who sees somebody's work of the class. */
async function copyAndChoose(model: Model, school: School, maker: Name, who: Name, index: number) {
  const source = await makeWork(model, school, maker, 'class', 1);
  const copied = who === 'mo' ? source : await copyWork(model, school, who, source);
  if (copied) await chooseInForm(model, school, who, copied, index);
}

const whoever = fc.constantFrom(...names);
const pupil = fc.constantFrom<Name>('kim', 'lee', 'ann');
const inClass = fc.constantFrom<Name>('kim', 'lee', 'sam', 'ann', 'tess', 'olga', 'kim', 'lee', 'bob', 'mo');
const reviewer = fc.constantFrom<Name>('mo', 'olga', 'tess', 'tom', 'kim');
const some = fc.nat(40);
const shown = fc.constantFrom('public', 'unlisted', 'private', 'class');
const open = fc.constantFrom('public', 'unlisted');

const stepOf = <Args extends [unknown, ...unknown[]]>(
  name: string,
  args: { [Place in keyof Args]: fc.Arbitrary<Args[Place]> },
  run: (model: Model, school: School, ...args: Args) => Promise<unknown>,
): fc.Arbitrary<Step> => fc.tuple<Args>(...args).map((args) => step(name, args as Args, run));

/** With the work that the number picks when the step runs. */
const ofWork =
  <Args extends unknown[]>(
    run: (model: Model, school: School, work: Work, ...args: Args) => Promise<unknown>,
  ) =>
  async (model: Model, school: School, index: number, ...args: Args): Promise<void> => {
    const work = pickWork(model, index);
    if (work) await run(model, school, work, ...args);
  };

const never = fc.constant(null);

/** Steps of random people, more of those that matter more. */
export const steps: readonly fc.Arbitrary<Step>[] = [
  stepOf('makeWork', [whoever, shown, fc.constantFrom(0, 1)], makeWork),
  stepOf('makeWork', [inClass, fc.constant('class'), fc.constant(1)], makeWork),
  stepOf('makeWork', [inClass, fc.constant('class'), fc.constant(1)], makeWork),
  stepOf('makeWork', [fc.constantFrom<Name>('kim', 'lee'), open, fc.constant(1)], makeWork),
  stepOf('makeCollection', [fc.constantFrom<Name>('bob', 'mo', 'kim', 'tess'), shown], makeCollection),
  stepOf(
    'copyWork',
    [some, inClass],
    ofWork((model, school, work, who) => copyWork(model, school, who, work)),
  ),
  stepOf('publish', [some, open], ofWork(publish)),
  stepOf(
    'changeWork',
    [some, whoever, shown],
    ofWork((model, school, work, who, visibility) =>
      changeWork(model, school, who, work, { visibility, status: 1 }),
    ),
  ),
  stepOf('hide', [some], ofWork(hide)),
  stepOf(
    'edit',
    [some],
    ofWork((model, school, work) => changeWork(model, school, work.maker, work, { isText: true })),
  ),
  stepOf('keepWord', [some], ofWork(keepWord)),
  stepOf('publishKept', [some], ofWork(publishKept)),
  stepOf(
    'editAsEditor',
    [some, whoever],
    ofWork((model, school, work, who) =>
      changeWork(model, school, work.editors.has(who) ? who : work.maker, work, { isText: true }),
    ),
  ),
  stepOf(
    'reviewWork',
    [some, reviewer, fc.constantFrom('approve', 'return')],
    ofWork((model, school, work, who, decision) => reviewWork(model, school, who, work, decision)),
  ),
  stepOf('commentOn', [inClass, some, fc.boolean(), fc.boolean()], commentOn),
  stepOf('talkAndOpen', [some, inClass, pupil, fc.boolean()], ofWork(talkAndOpen)),
  stepOf('talkAboutWaiting', [fc.constantFrom<Name>('kim', 'lee'), reviewer, fc.boolean()], talkAboutWaiting),
  stepOf('copyAndErase', [fc.constantFrom<Name>('kim', 'lee', 'sam'), pupil], copyAndErase),
  stepOf('copyAndOpen', [some, fc.array(inClass, { minLength: 1, maxLength: 3 }), fc.boolean()], copyAndOpen),
  stepOf('copyAndOpen', [some, pupil.map((name) => [name, name]), fc.boolean()], copyAndOpen),
  stepOf('carry', [some], carry),
  stepOf('rewriteComment', [some], rewriteComment),
  stepOf('openSecondClass', [never], openSecondClass),
  stepOf('acceptIntoSecond', [some], ofWork(acceptIntoSecond)),
  stepOf(
    'putIntoClass',
    [some, inClass, fc.constantFrom(firstClass, secondClass)],
    ofWork((model, school, work, who, into) => putIntoClass(model, school, who, work, into)),
  ),
  stepOf(
    'collect',
    [some, inClass, some],
    ofWork((model, school, work, who, index) =>
      collect(model, school, who, work, collectionOf(model, index)),
    ),
  ),
  stepOf(
    'offer',
    [some, some],
    ofWork((model, school, work, index) =>
      collect(model, school, work.maker, work, collectionOf(model, index)),
    ),
  ),
  stepOf('acceptOffer', [some], acceptOffer),
  stepOf('exhibit', [whoever, fc.constantFrom<Name>('bob', 'mo', 'kim', 'tess'), fc.boolean()], exhibit),
  stepOf('addEditor', [fc.constantFrom<Name>('bob', 'ann', 'lee'), some], addEditor),
  stepOf(
    'trashWork',
    [some, whoever],
    ofWork((model, school, work, who) => trashWork(model, school, who, work)),
  ),
  stepOf('restoreWork', [some], restoreWork),
  stepOf('removeWork', [some], ofWork(removeWork)),
  stepOf('releaseChild', [fc.constantFrom<Name>('kim', 'lee')], releaseChild),
  stepOf('eraseChild', [fc.constantFrom<Name>('kim', 'lee', 'sam')], eraseChild),
  stepOf('setReview', [fc.boolean()], setReview),
  stepOf('setDue', [never], setDue),
  stepOf('setEnd', [fc.boolean()], setEnd),
  stepOf('archiveAndSend', [fc.constantFrom<Name>('kim', 'lee')], archiveAndSend),
  stepOf(
    'hideFirstClass',
    [fc.constantFrom('draft', 'private', 'removed', 'shown', 'shown')],
    hideFirstClass,
  ),
  stepOf('moveAnn', [fc.constantFrom(firstClass, secondClass), fc.boolean()], moveAnn),
  stepOf('takeAlong', [never], takeAlong),
  stepOf(
    'redact',
    [some, fc.boolean()],
    ofWork((model, school, work, byModerator) =>
      redact(model, school, byModerator ? 'mo' : work.maker, work),
    ),
  ),
  stepOf(
    'copyAndRedact',
    [fc.constantFrom<Name>('kim', 'lee', 'ann'), pupil, fc.constantFrom<Name>('mo', 'kim')],
    copyAndRedact,
  ),
  stepOf(
    'copyAndChoose',
    [pupil, fc.constantFrom<Name>('kim', 'lee', 'ann', 'mo'), fc.nat(3)],
    copyAndChoose,
  ),
  stepOf(
    'chooseInForm',
    [some, fc.boolean(), some],
    ofWork((model, school, work, isMaker, index) =>
      chooseInForm(model, school, isMaker ? work.maker : 'mo', work, index),
    ),
  ),
  stepOf('waitForMonth', [never], waitForMonth),
  stepOf('keepExport', [never], keepExport),
];
