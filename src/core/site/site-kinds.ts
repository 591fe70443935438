// The purposes of galleries: whoever sets one up chooses.

export const siteKindNames = ['class', 'makerspace', 'showcase', 'company'] as const;
export type SiteKind = (typeof siteKindNames)[number];

declare module '../pages/page.ts' {
  interface Places {
    /** The page that comes after the settings of a gallery of this kind. */
    'setup.next': Section<SiteKind, string>;
  }
}
