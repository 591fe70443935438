// The frame of the pages of a class, with the links between them.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { Page, type PageProps } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { findProject } from '../../projects/pages/project/find-project.ts';
import type { Project } from '../../projects/project.ts';
import { ClassSections, useSections } from './class-sections.tsx';
import { requireTeacher } from './pupils.ts';

export const classPath = (collection: Project, section: string): string => projectPath(collection) + section;

/** The class in the path, for those who look after it. */
export async function findClass(context: PageContext): Promise<Project> {
  const collection = await findProject(context);
  requireTeacher(context.viewer, collection);
  return collection;
}

interface ClassPageProps extends Pick<PageProps, 'scripts' | 'stylesheets'> {
  readonly collection: Project;
  /** The path below that of the class. */
  readonly section: string;
  readonly children: Child;
}

export function ClassPage({ collection, section, children, ...props }: ClassPageProps) {
  const { t } = useLanguage();
  const { text = 'classes.work' } = useSections().find(({ href }) => href === section) ?? {};
  return (
    <Page title={`${t(text)} · ${collection.title}`} isForm {...props}>
      <h1>
        <bdi>{collection.title}</bdi>
      </h1>
      <ClassSections collection={collection} section={section} />
      {children}
    </Page>
  );
}
