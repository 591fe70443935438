import { Unavailable } from '../errors.ts';
import { Wish } from '../wish.ts';

/** The work, or a failure when it takes longer. What was begun goes on: its result is dropped. */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  return orLate(milliseconds, work, () => {});
}

/** The same for what may write: afterwards nothing is written any more. */
export function writtenWithin<Result>(milliseconds: number, work: () => Promise<Result>): Promise<Result> {
  const wish = new Wish();
  return orLate(milliseconds, wish.during(work), () => {
    wish.givenUp = true;
  });
}

async function orLate<Result>(
  milliseconds: number,
  work: Promise<Result>,
  giveUp: () => void,
): Promise<Result> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      giveUp();
      reject(new Unavailable());
    }, milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
