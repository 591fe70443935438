// The frame of the pages of a class, with the links between them.

import { requireTeacher } from '../../gallery/hand-ins/hand-in.ts';
import { projectPath } from '../../gallery/paths.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { LinkItem } from '../layout/components.tsx';
import { Page, type PageProps } from '../layout/layout.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import type { PageContext } from '../page.ts';
import { findProject } from '../project/find-project.ts';

const sections = {
  '': 'classes.work',
  'class/': 'classes.people',
  'class/waiting/': 'classes.waiting',
  'hand-ins/': 'handIns.title',
} as const;

export const classPath = (collection: Project, section: keyof typeof sections): string =>
  projectPath(collection) + section;

/** The class in the path, for those who look after it. */
export async function findClass(context: PageContext): Promise<Project> {
  const collection = await findProject(context);
  requireTeacher(context.viewer, collection);
  return collection;
}

interface ClassPageProps extends Pick<PageProps, 'scripts' | 'stylesheets'> {
  readonly collection: Project;
  readonly section: keyof typeof sections;
  readonly children: Child;
}

export function ClassPage({ collection, section, children, ...props }: ClassPageProps) {
  const { t } = useLanguage();
  return (
    <Page title={`${t(sections[section])} · ${collection.title}`} isForm {...props}>
      <h1>
        <bdi>{collection.title}</bdi>
      </h1>
      <ClassSections collection={collection} section={section} />
      {children}
    </Page>
  );
}

export function ClassSections({ collection, section }: Pick<ClassPageProps, 'collection' | 'section'>) {
  const { t } = useLanguage();
  return (
    <nav class="list-filters" aria-label={t('classes.sections')}>
      <ul class="types all-shown">
        {Object.entries(sections).map(([path, name]) => (
          <LinkItem href={projectPath(collection) + path} current={path === section && 'page'}>
            {t(name)}
          </LinkItem>
        ))}
      </ul>
    </nav>
  );
}
