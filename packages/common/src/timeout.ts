/** Resolves with the result of the work, or rejects with the error. The work continues; its result is dropped. */
export async function withTimeout<Result>(
  timeoutMs: number,
  work: Promise<Result>,
  error: Error,
): Promise<Result> {
  let timer: Timer | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
