// What all pages for moderators have around them, and the way from one to the other.

import type { Child } from 'hono/jsx';
import { Conflict, Invalid } from '../../errors.ts';
import { titleOf } from '../form.tsx';
import { page } from '../layout.tsx';
import type { Served } from '../serve.ts';

const rooms = {
  '/moderation/': 'Queue',
  '/moderation/log/': 'Log',
  '/moderation/removed/': 'Removed',
  '/moderation/trash/': 'Trash',
  '/moderation/people/': 'People',
} as const;

interface Room {
  readonly path: keyof typeof rooms;
  readonly scripts?: readonly string[];
  readonly children: Child;
}

export function room({ frame, refused }: Served, { path, scripts, children }: Room) {
  return page(frame, {
    title: titleOf(refused, `Moderation: ${rooms[path]}`),
    listed: false,
    keeps: 'nothing',
    scripts,
    children: (
      <>
        <h1>Moderation</h1>
        <nav class="narrowing" aria-label="Moderation">
          <ul class="types">
            {Object.entries(rooms).map(([address, name]) => (
              <li>
                <a href={address} aria-current={address === path ? 'page' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {children}
      </>
    ),
  });
}

/** Somebody else was there before: that is told on the page, which has what there is to do now. */
export async function toldOnPage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new Invalid({ non_field_errors: [error.message] });
  }
}
