// The texts that random people have written, and for whom: every text has a word of its own, and the model knows who may read it.

import type { Person } from '../person.ts';
import { firstClass, type Name, secondClass } from '../school.ts';
import type { MailSite } from '../smtp.ts';
import type { Receiver, Webhook } from '../webhook-receiver.ts';

export const names: readonly Name[] = ['mo', 'olga', 'tess', 'tom', 'kim', 'lee', 'sam', 'bob', 'ann'];
export const readers = ['visitor', ...names] as const;
export type Reader = (typeof readers)[number];

/** Those of a class at first: its people, its teachers, and moderators. Ann comes and goes. */
const firstPeople: Readonly<Record<number, readonly Reader[]>> = {
  [firstClass]: ['olga', 'tess', 'kim', 'lee', 'sam', 'mo'],
  [secondClass]: ['tom', 'sam', 'mo'],
};
export const peopleOf = ({ classesOfAnn }: Model, id: number): Reader[] => [
  ...(firstPeople[id] ?? []),
  ...(classesOfAnn.has(id) ? (['ann'] as const) : []),
];
export const teachers: readonly Name[] = ['olga', 'tess'];

/** A word that stands in one text. */
export interface Word {
  readonly text: string;
  readonly author: Name;
  /** Undefined for everybody. Who was once allowed to read it stays so. */
  readers: Set<Reader> | undefined;
  isErased: boolean;
  /** Its version was redacted: an import brings it back. */
  isRedacted?: boolean;
}

/** A project or a collection. */
export interface Work {
  readonly id: number;
  readonly maker: Name;
  path: string;
  readonly isCollection: boolean;
  /** Of a collection. */
  readonly editors: Set<Name>;
  words: Word[];
  /** The word that its maker keeps for later. */
  kept?: Word | undefined;
  /** The words that stand in it because it is a copy of what somebody else has made for the class. */
  readonly copied: readonly Word[];
  readonly isCopyOfTeacher: boolean;
  /** The classes into which its maker has put it, beside their own. */
  readonly classes: Set<number>;
  /** Those for which its maker has made it. */
  madeFor: readonly number[] | undefined;
  /** Somebody has sent it back to its maker. */
  isSentBack: boolean;
  /** The status for which its maker has asked. */
  asked: number;
  status: number;
  visibility: string;
  isGone: boolean;
}

export interface Comment {
  readonly id: number;
  readonly root: Work;
  readonly author: Name;
  readers: Set<Reader> | undefined;
}

export interface Note {
  readonly word: Word;
  readonly author: Name;
  readonly work: Work;
  readonly collection: Work;
  waits: boolean;
}

/** Where the gallery sends what people have asked for. */
export interface Deliveries {
  readonly mails: MailSite;
  readonly receiver: Receiver;
  readonly webhooks: ReadonlyMap<Name, Webhook>;
}

export interface Model {
  readonly deliveries: Deliveries;
  readonly works: Work[];
  readonly comments: Comment[];
  readonly notes: Note[];
  readonly words: Word[];
  readonly lookedAfter: Set<Name>;
  readonly gone: Set<Name>;
  hasReview: boolean;
  isSecondOpen: boolean;
  readonly classesOfAnn: Set<number>;
  /** The first class is a draft, removed or private. */
  isFirstHidden: boolean;
  /** When the end of the first class was set. */
  endSet: number | undefined;
  /** An export of some moment. */
  exported: string | undefined;
  steps: number;
}

export const newModel = (deliveries: Deliveries): Model => ({
  deliveries,
  works: [],
  comments: [],
  notes: [],
  words: [],
  lookedAfter: new Set(['kim', 'lee', 'sam']),
  gone: new Set(),
  hasReview: false,
  isSecondOpen: false,
  classesOfAnn: new Set([firstClass]),
  isFirstHidden: false,
  endSet: undefined,
  exported: undefined,
  steps: 0,
});

export function newWord(model: Model, author: Name, audience: Iterable<Reader> | undefined): Word {
  const text = `word${model.words.length}x`;
  const word = { text, author, readers: audience && new Set(audience), isErased: false };
  model.words.push(word);
  return word;
}

export const isOpen = ({ status, visibility, isGone }: Work) =>
  !isGone && (status === 1 || status === 2) && (visibility === 'public' || visibility === 'unlisted');

const isForClass = ({ status, visibility, isGone }: Work) =>
  !isGone && (status === 1 || status === 2) && visibility === 'class';

export const classesOf = (model: Model, name: Name) =>
  [firstClass, secondClass].filter((id) => peopleOf(model, id).includes(name));

/** It waits to be seen by everybody, and was made for a class, which goes on reading it. */
const staysInClass = ({ status, visibility, isGone, madeFor, isSentBack }: Work) =>
  !isGone && status === 5 && visibility === 'public' && madeFor !== undefined && !isSentBack;

/** What somebody publishes is looked at first. */
export const isReviewed = (model: Model, name: Name): boolean =>
  model.lookedAfter.has(name) || (model.hasReview && name !== 'mo');

/** Who reads hidden work, now or once it waits: its maker, moderators and the teachers of its maker. */
export function reviewersOf(
  model: Model,
  { maker, editors, isCopyOfTeacher }: Pick<Work, 'maker' | 'editors' | 'isCopyOfTeacher'>,
): Set<Reader> {
  const isTheirs = model.lookedAfter.has(maker) || isCopyOfTeacher;
  return new Set<Reader>([maker, 'mo', ...editors, ...(isTheirs ? teachers : [])]);
}

/** The words have more readers from now on. */
export function widen(words: readonly Word[], to: Iterable<Reader> | undefined): void {
  for (const word of words) {
    if (word.readers === undefined) continue;
    word.readers = to === undefined ? undefined : word.readers.union(new Set(to));
  }
}

const ownWords = ({ words, copied }: Work) => words.filter((word) => !copied.includes(word));

/** A class that is hidden is there for those who look after it. */
const presentPeopleOf = (model: Model, id: number): Reader[] =>
  id === firstClass && model.isFirstHidden ? ['olga', 'tess', 'mo'] : peopleOf(model, id);

/** Undefined if there is none for which the person makes something now. */
function presentClassesOf(model: Model, name: Name): number[] | undefined {
  const classes = classesOf(model, name).filter((id) => presentPeopleOf(model, id).includes(name));
  return classes.length > 0 ? classes : undefined;
}

/** Its maker has shown the work to its class, or to everybody. What others made of it stays with the class. */
export function noteReaders(model: Model, work: Work): void {
  const own = ownWords(work);
  if (work.status === 5) widen(own, reviewersOf(model, work));
  if (work.visibility === 'class')
    work.madeFor ??= model.lookedAfter.has(work.maker) ? [firstClass] : presentClassesOf(model, work.maker);
  if (isForClass(work) || staysInClass(work)) {
    const { madeFor = [] } = work;
    const places = work.copied.length > 0 ? madeFor.slice(0, 1) : [...madeFor, ...work.classes];
    for (const id of places) widen(own, presentPeopleOf(model, id));
  }
  if (isOpen(work)) widen(work.isCopyOfTeacher ? work.words : own, undefined);
  for (const note of model.notes) noteReadersOfNote(note);
}

/** Its maker has put the work into a class. */
export function noteClass(model: Model, work: Work, into: number): void {
  work.classes.add(into);
  work.madeFor ??= work.visibility === 'private' ? [into] : undefined;
  if (work.visibility === 'class' || staysInClass(work)) widen(ownWords(work), presentPeopleOf(model, into));
}

/** A note that does not wait is read by those who see both the collection and the work. */
export function noteReadersOfNote({ word, work, collection, waits }: Note): void {
  if (waits) return;
  const isOpenTo = (place: Work) => (isOpen(place) ? undefined : place.words[0]?.readers);
  const [ofWork, ofCollection] = [isOpenTo(work), isOpenTo(collection)];
  widen([word], ofWork && ofCollection ? ofWork.intersection(ofCollection) : (ofWork ?? ofCollection));
}

/** Of a comment on the work as it is now. */
export function readersOfComment(model: Model, root: Work, answered?: Comment): Set<Reader> | undefined {
  if (answered?.readers) return answered.readers;
  if (isOpen(root)) return undefined;
  const classes = classesOf(model, root.maker);
  return (isForClass(root) || staysInClass(root)) && classes.length > 0
    ? new Set(classes.flatMap((id) => peopleOf(model, id)))
    : reviewersOf(model, root);
}

/** Nothing of people whose work is looked at first is public that nobody has approved. */
export function requireReview(model: Model, work: Work): void {
  if (isReviewed(model, work.maker) && isOpen(work))
    throw new Error(`${work.id} of ${work.maker} is public, and nobody has approved it`);
}

export interface Answer {
  readonly id: number;
  readonly html_url: string;
  readonly status: number;
  readonly visibility: string;
}

/** Undefined if it was refused. */
export async function send(
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

export const textOf = (words: readonly Word[]) => `Kite ${words.map(({ text }) => text).join(' ')}`;

/** Throws if the text has a word that was not written for this reader. */
export function requireOwnWords(model: Model, reader: Reader, where: string, read: string): void {
  for (const [text, index] of read.matchAll(/word(\d+)x/g)) {
    const word = model.words[Number(index)];
    if (word?.isErased)
      throw new Error(`${reader} reads ${text} of ${word.author}, who was erased, at ${where}`);
    if (word?.readers && !word.readers.has(reader) && word.author !== reader)
      throw new Error(`${reader} reads ${text} of ${word.author} at ${where}`);
  }
}
