// /new/ and /new/<type>/: choosing a content type and creating a project.

import { NotFound } from '../../errors.ts';
import { readFields } from '../../fields.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { prepareUploads } from '../../gallery/media/prepare.ts';
import { projectPath } from '../../gallery/paths.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { projectFields } from '../../gallery/projects/fields.ts';
import { createProjectWithFiles } from '../../gallery/projects/media.ts';
import { type ProjectContentType, projectContentTypes } from '../../gallery/projects/project.ts';
import { draft, published } from '../../gallery/projects/status.ts';
import { lookupScript, projectFormScript } from '../assets.ts';
import { getFormTitle } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { colourOf, Poster } from '../posters.tsx';
import { seeOther } from '../redirects.ts';
import { typeNames } from '../type-names.ts';
import { requireContent } from './completeness.ts';
import { loadFormPreview, ProjectForm } from './project-form.tsx';
import { getNewFields, hasTypeForm, typeForms } from './type-forms.ts';

export async function showTypeChoicePage(_: PageDependencies, { layout, viewer }: PageContext) {
  authorizeAny(viewer, 'makeProject');
  return renderPage(layout, {
    title: 'Create',
    isIndexed: false,
    cache: 'no-store',
    children: (
      <>
        <h1>What would you like to share?</h1>
        <ul class="cards">
          {projectContentTypes.map((type, index) => (
            <li class="card">
              <Poster type={type} colour={colourOf(index)}>
                {typeForms[type].description}
              </Poster>
              <h2 class="name">
                <a href={`/new/${type}/`}>{typeNames[type].one}</a>
              </h2>
            </li>
          ))}
        </ul>
      </>
    ),
  });
}

export async function showNewProjectPage(_: PageDependencies, context: PageContext) {
  const { layout, viewer, formErrors } = context;
  const type = parseType(context);
  authorizeAny(viewer, 'makeProject');
  const heading = `New ${typeNames[type].one.toLowerCase()}`;
  const preview = await loadFormPreview(context);
  return renderPage(layout, {
    title: getFormTitle(formErrors, heading),
    isIndexed: false,
    cache: 'no-store',
    scripts: [projectFormScript, lookupScript],
    children: (
      <div class="narrow">
        <h1>{heading}</h1>
        <p class="byline">{typeForms[type].description}</p>
        <ProjectForm
          context={context}
          type={type}
          fields={getNewFields(type)}
          action={`/new/${type}/`}
          preview={preview}
          values={{ visibility: 'public' }}
        >
          <button type="submit" name="status" value={String(published)}>
            Publish
          </button>
          <button class="quiet" type="submit" name="status" value={String(draft)}>
            Save as draft
          </button>
        </ProjectForm>
      </div>
    ),
  });
}

export async function submitNewProject(deps: PageDependencies, context: PageContext) {
  const type = parseType(context);
  const { data } = await context.request.readBody();
  if ('preview' in data)
    return showNewProjectPage(deps, { ...context, formErrors: { values: data, errors: {} } });
  const { visibility, status } = projectFields;
  const { file = [], alt, ...values } = readFields({ ...getNewFields(type), visibility, status }, data);
  if (values.status !== draft) requireContent(type, { ...values, hasFile: file.length > 0 });
  const preparedUploads = await prepareUploads(deps, context.viewer, file);
  const project = await transactOnce(deps.database, context, (write) =>
    createProjectWithFiles(write, { ...values, content_type: type }, preparedUploads, alt),
  );
  return seeOther(projectPath(project));
}

function parseType({ params: { type = '' } }: PageContext): ProjectContentType {
  if (!hasTypeForm(type)) throw new NotFound();
  return type;
}
