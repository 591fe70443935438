// The tables as migrations/ leaves them. Integers fit a JavaScript number; times are microseconds since 1970.

export * from './schema/accounts.ts';
export * from './schema/changes.ts';
export * from './schema/contributors.ts';
export * from './schema/moderation.ts';
export * from './schema/projects.ts';
export * from './schema/server.ts';
