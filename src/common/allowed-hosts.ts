// The hosts that a site serves: names, names with a dot before them for all their subdomains too, or * for all.

/** Whether these settings allow a host, in lower case and without its port. */
export const isServed = (host: string, allowed: readonly string[]) =>
  allowed.some(
    (name) => name === '*' || name === host || (name.startsWith('.') && `.${host}`.endsWith(name)),
  );
