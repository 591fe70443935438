// The row of featured projects on the home page, and the button with which moderators choose them.

import { isWork } from '../../core/content-types.ts';
import { Form } from '../../core/pages/layout/form.tsx';
import { form, type PageContext, type Sections, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { published } from '../../core/project-status.ts';
import { loadShelf, shelfSize } from '../../projects/pages/list/shelf.tsx';
import { findProject } from '../../projects/pages/project/find-project.ts';
import type { Project } from '../../projects/project.ts';
import { featureProject, listFeatured } from './choose.ts';

const loadFeatured = async (context: PageContext) =>
  loadShelf(
    context,
    { id: 'featured', title: 'home.featured' },
    await listFeatured(context.database, shelfSize),
  );

async function loadFeatureForm({ t }: PageContext, project: Project) {
  const isPublic = project.visibility === 'public' && project.status === published;
  const isFeatured = project.featured !== null;
  if (!isWork(project.content_type) || !(isPublic || isFeatured)) return undefined;
  return (
    <Form action={`${projectPath(project)}feature/`}>
      <button class="plain" type="submit" name="featured" value={isFeatured ? 'no' : 'yes'}>
        {t(isFeatured ? 'moderatorLinks.unfeature' : 'moderatorLinks.feature')}
      </button>
    </Form>
  );
}

export const sections: Sections = { 'home.shelves': loadFeatured, 'moderation.forms': loadFeatureForm };

export const routes = [
  form('/content/:uuid/:slug/feature/', 'featureProject', async (context) => {
    const project = await findProject(context);
    const { data } = await context.request.readBody();
    await context.transact((write) => featureProject(write, project.id, data.featured === 'yes'));
    return seeOther(projectPath(project));
  }),
];
