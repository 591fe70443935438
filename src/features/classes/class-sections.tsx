// The links between the pages of a class.

import { LinkItem, LinkTabs } from '../../core/pages/layout/components.tsx';
import { type PageLink, useLanguage, useLinks } from '../../core/pages/layout/layout-data.ts';
import { projectPath } from '../../core/paths.ts';
import type { Project } from '../../projects/project.ts';

declare module '../../core/pages/layout/layout-data.ts' {
  interface LinkPlaces {
    /** Pages below that of a class, for its teachers. */
    class: true;
  }
}

/** With those of features behind them. */
const sections: readonly PageLink[] = [
  { href: '', text: 'classes.work' },
  { href: 'class/', text: 'classes.people' },
  { href: 'class/waiting/', text: 'classes.waiting' },
];

export const useSections = (): readonly PageLink[] => [...sections, ...useLinks('class')];

interface ClassSectionsProps {
  readonly collection: Project;
  /** The path below that of the class; missing on other pages. */
  readonly section?: string;
}

export function ClassSections({ collection, section }: ClassSectionsProps) {
  const { t } = useLanguage();
  return (
    <LinkTabs label={t('classes.sections')}>
      {useSections().map(({ href, text }) => (
        <LinkItem href={projectPath(collection) + href} current={href === section && 'page'}>
          {t(text)}
        </LinkItem>
      ))}
    </LinkTabs>
  );
}
