// A row of projects below a heading of its own.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { type PageLink, useLanguage } from '../../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../../core/pages/page.ts';
import type { MessageKey } from '../../../core/texts/languages.ts';
import type { Project } from '../../project.ts';
import { Cards, loadCardData } from './cards.tsx';

/** One row on wide screens. */
export const shelfSize = 4;

interface ShelfProps {
  /** That of its heading. */
  readonly id: string;
  readonly title: MessageKey;
  /** Beside the heading. */
  readonly links?: Child;
  readonly children: Child;
}

export const Shelf = ({ id, title, links, children }: ShelfProps) => (
  <section class="home-shelf" aria-labelledby={id}>
    <div class="list-heading">
      <h2 id={id}>{useLanguage().t(title)}</h2>
      {links}
    </div>
    {children}
  </section>
);

export const ShelfLink = ({ href, text }: PageLink) => (
  <p class="to-wall">
    <a href={href}>{useLanguage().t(text)}</a>
  </p>
);

interface ProjectShelf extends Pick<ShelfProps, 'id' | 'title'> {
  /** A link beside the heading. */
  readonly all?: PageLink;
}

/** Undefined if there are no projects. */
export async function loadShelf(
  { projects, viewer }: PageContext,
  { all, ...shelf }: ProjectShelf,
  shown: readonly Project[],
) {
  if (shown.length === 0) return undefined;
  const data = await loadCardData(projects, viewer, shown);
  return (
    <Shelf {...shelf} links={all && <ShelfLink {...all} />}>
      <Cards data={data} level="h3" />
    </Shelf>
  );
}
