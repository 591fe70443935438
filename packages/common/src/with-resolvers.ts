/** As `Promise.withResolvers`, which Node has since version 22. */
export function withResolvers<Result>(): PromiseWithResolvers<Result> {
  const all = {} as PromiseWithResolvers<Result>;
  all.promise = new Promise((resolve, reject) => Object.assign(all, { resolve, reject }));
  return all;
}
