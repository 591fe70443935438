// /content/<uuid>/<slug>/edit/, …/status/ and …/trash/: changing a project, its status, and moving it to the trash.

import { Invalid } from '../../errors.ts';
import { readFields, readPartially } from '../../fields.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { filesPath, projectPath } from '../../gallery/paths.ts';
import { changeProject, moveToTrash } from '../../gallery/projects/change.ts';
import { anyVersion } from '../../gallery/projects/changeable.ts';
import { daysInTrash } from '../../gallery/projects/erase.ts';
import { projectFields } from '../../gallery/projects/fields.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { archived, draft, nextStatuses, published } from '../../gallery/projects/status.ts';
import { lookupScript, projectFormScript } from '../assets.ts';
import { ButtonForm, CsrfField, getFormTitle } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import { ProjectLink } from '../links.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { typeNames } from '../type-names.ts';
import { requireContent } from './completeness.ts';
import { findEditableProject } from './find-editable.ts';
import { loadFormPreview, ProjectForm } from './project-form.tsx';
import { getEditFields } from './type-forms.ts';

export async function showEditPage(deps: PageDependencies, context: PageContext) {
  const project = await findEditableProject(deps, context);
  const { layout, formErrors } = context;
  const path = projectPath(project);
  const preview = await loadFormPreview(context);
  return renderPage(layout, {
    title: getFormTitle(formErrors, `Edit ${project.title}`),
    isIndexed: false,
    cache: 'no-store',
    scripts: [projectFormScript, lookupScript],
    children: (
      <div class="narrow">
        <p class="eyebrow">{typeNames[project.content_type].one}</p>
        <h1>
          Edit <ProjectLink project={project} />
        </h1>
        <ProjectForm
          context={context}
          type={project.content_type}
          fields={getEditFields(project.content_type)}
          action={`${path}edit/`}
          preview={preview}
          values={{ ...project }}
          loadedModified={project.modified}
        >
          {project.status === draft ? (
            <>
              <button type="submit" name="status" value={String(published)}>
                Publish
              </button>
              <button class="quiet" type="submit" name="status" value={String(draft)}>
                Save draft
              </button>
            </>
          ) : (
            <button type="submit">Save</button>
          )}
        </ProjectForm>
        <OtherActions project={project} />
      </div>
    ),
  });
}

const statusActions = {
  [draft]: { label: 'Make it a draft', help: 'Only you can see a draft.' },
  [published]: { label: 'Publish again', help: 'Lists show it again.' },
  [archived]: {
    label: 'Archive',
    help: 'People can still look at it, but it is no longer listed.',
  },
};

/** The actions besides editing the text. */
function OtherActions({ project }: { project: Project }) {
  const path = projectPath(project);
  // A draft is published with the form's own buttons.
  const statuses = project.status === draft ? [] : nextStatuses[project.status];
  return (
    <section class="other-actions" aria-labelledby="otherwise">
      <h2 id="otherwise">More options</h2>
      <ul class="rows">
        {project.content_type !== 'comment' && (
          <li>
            <span>Add pictures, videos or documents.</span>
            <a class="button quiet" href={filesPath(project)}>
              Files
            </a>
          </li>
        )}
        {statuses.map((status) => (
          <li>
            <span>{statusActions[status].help}</span>
            <form method="post" action={`${path}status/`}>
              <CsrfField />
              <button class="quiet" type="submit" name="status" value={String(status)}>
                {statusActions[status].label}
              </button>
            </form>
          </li>
        ))}
        <li>
          <span>You can restore it from the trash for {daysInTrash} days.</span>
          <a class="button quiet" href={`${path}trash/`}>
            Delete
          </a>
        </li>
      </ul>
    </section>
  );
}

const hasFiles = async ({ projects }: PageDependencies, { id }: Project) =>
  (await projects.loadMedia([id])).has(id);

export async function submitEdit(deps: PageDependencies, context: PageContext) {
  const { data } = await context.request.readBody();
  if ('preview' in data) return showEditPage(deps, { ...context, formErrors: { values: data, errors: {} } });
  const project = await findEditableProject(deps, context);
  const { visibility, status } = projectFields;
  const fields = { ...getEditFields(project.content_type), visibility, status };
  const hasFile = project.status !== draft || (await hasFiles(deps, project));
  const updated = await transactOnce(deps.database, context, (write) =>
    changeProject(write, project.id, anyVersion, (before) => {
      if (data.since !== String(before.modified))
        throw new Invalid({
          non_field_errors: [
            'This was changed after you started editing. What you wrote is below. If you save again, it replaces that change.',
          ],
        });
      const values = readPartially(fields, data);
      const { status, text, link } = { ...before, ...values };
      if (status !== draft) requireContent(before.content_type, { text, link, hasFile });
      return values;
    }),
  );
  return seeOther(projectPath(updated));
}

export async function submitStatus(deps: PageDependencies, context: PageContext) {
  const project = await findEditableProject(deps, context);
  const statusField = { ...projectFields.status, required: true };
  const { status } = readFields({ status: statusField }, (await context.request.readBody()).data);
  if (project.status === draft && status !== draft)
    requireContent(project.content_type, { ...project, hasFile: await hasFiles(deps, project) });
  await transactOnce(deps.database, context, (write) =>
    changeProject(write, project.id, anyVersion, () => ({ status })),
  );
  return seeOther(projectPath(project));
}

export async function showMoveToTrashPage(deps: PageDependencies, context: PageContext) {
  const project = await findEditableProject(deps, context);
  const { layout } = context;
  const path = projectPath(project);
  return renderPage(layout, {
    title: `Delete ${project.title}`,
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>
          Delete <bdi>{project.title}</bdi>?
        </h1>
        <p>
          It disappears from the gallery, together with its comments. You can restore it from{' '}
          <a href="/mine/?show=trash">the trash</a> for {daysInTrash} days. Other people’s remixes stay, but
          lose the pictures and files that came from here.
        </p>
        <div class="buttons">
          <ButtonForm action={`${path}trash/`} variant="danger">
            Delete
          </ButtonForm>
          <a href={path}>Cancel</a>
        </div>
      </div>
    ),
  });
}

export async function submitTrash(deps: PageDependencies, context: PageContext) {
  const project = await findEditableProject(deps, context);
  await transactOnce(deps.database, context, (write) => moveToTrash(write, project.id, anyVersion));
  return seeOther(project.contributor === context.viewer.contributor ? '/mine/?show=trash' : '/moderation/');
}
