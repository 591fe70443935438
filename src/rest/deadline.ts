import { Unavailable } from '../errors.ts';

/** The work, or a failure when it takes longer. What was begun goes on: its result is dropped. */
export async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: Timer | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Unavailable()), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
