// The pages in a copy of the gallery as a folder, and the elements that these pages leave out. Features add their own.

import { once } from '../feature.ts';

declare module '../feature.ts' {
  interface Feature {
    /** Pages below that of a project that the folder has, such as `history/`. */
    readonly staticProjectPages?: readonly string[];
    /** Selectors of what a page in the folder leaves out. */
    readonly staticOmissions?: readonly string[];
  }
}

export const listStaticProjectPages = once((features) =>
  features.flatMap(({ staticProjectPages = [] }) => staticProjectPages),
);

export const listStaticOmissions = once((features) =>
  features.flatMap(({ staticOmissions = [] }) => staticOmissions),
);
