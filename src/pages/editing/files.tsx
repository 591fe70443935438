// /content/<uuid>/<slug>/files/: adding, describing, ordering and removing the files of a project.

import { readFields } from '../../fields.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { requireId } from '../../gallery/ids.ts';
import { mediaFields, newFileFields } from '../../gallery/media/fields.ts';
import { describeMediaType, type Media, mediaLimits } from '../../gallery/media/media.ts';
import { prepareUploads } from '../../gallery/media/prepare.ts';
import { filesPath, projectPath } from '../../gallery/paths.ts';
import { anyVersion } from '../../gallery/projects/changeable.ts';
import { addFiles, changeMedia, removeFile } from '../../gallery/projects/media.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { ButtonForm, CsrfField, ErrorSummary, FormFields, getFormTitle } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import { ProjectLink } from '../links.tsx';
import { Cover, formatBytes } from '../media.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { findEditableProject } from './find-editable.ts';
import { altTexts, singleFileFields } from './type-forms.ts';

const altField = { ...mediaFields.alt, ...altTexts };
const fields = {
  ...singleFileFields,
  file: { ...singleFileFields.file, required: true, read: newFileFields.file.read },
};

export async function showFilesPage(deps: PageDependencies, context: PageContext) {
  const project = await findEditableProject(deps, context);
  const { layout, formErrors, params } = context;
  const media = (await deps.projects.loadMedia([project.id])).get(project.id) ?? [];
  const addErrors = params.number === undefined ? formErrors : undefined;
  return renderPage(layout, {
    title: getFormTitle(formErrors, `Files of ${project.title}`),
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>
          Files of <ProjectLink project={project} />
        </h1>
        <ErrorSummary formErrors={formErrors} fields={fields} />
        {media.length === 0 && <p class="empty">No files yet.</p>}
        <ol class="rows own-files">
          {media.map((file) => (
            <FileRow media={file} project={project} />
          ))}
        </ol>
        {media.length < mediaLimits.files ? (
          <>
            <h2>Add a file</h2>
            <form
              class="stacked-form"
              method="post"
              action={filesPath(project)}
              enctype="multipart/form-data"
            >
              <CsrfField />
              <FormFields fields={fields} formErrors={addErrors} />
              <button type="submit">Add file</button>
            </form>
          </>
        ) : (
          <p>A project can have up to {mediaLimits.files} files.</p>
        )}
        <p>
          <a href={projectPath(project)}>Done</a>
        </p>
      </div>
    ),
  });
}

interface FileRowProps {
  readonly media: Media;
  readonly project: Project;
}

function FileRow({ media, project }: FileRowProps) {
  const action = `${filesPath(project)}${media.number}/`;
  const isPicture = describeMediaType(media.type).display === 'picture';
  return (
    <li>
      {isPicture && <Cover media={media} />}
      <div>
        <b>
          <bdi>{media.name}</bdi>
        </b>
        <p class="byline">
          {describeMediaType(media.type).label}, {formatBytes(media.sizes.at(-1)?.bytes ?? 0)}
        </p>
        <form class="stacked-form" method="post" action={action}>
          <CsrfField />
          <FormFields
            prefix={`file-${media.number}`}
            fields={{ alt: isPicture ? altField : { ...altField, label: 'Description' } }}
            values={{ alt: media.alt }}
          />
          <div class="buttons">
            <button class="quiet" type="submit">
              Save description<span class="visually-hidden"> for {media.name}</span>
            </button>
            {media.position > 1 && (
              <button class="quiet" type="submit" name="position" value="1">
                Move to top<span class="visually-hidden"> {media.name}</span>
              </button>
            )}
          </div>
        </form>
        <ButtonForm action={`${action}remove/`} variant="plain">
          Remove<span class="visually-hidden"> {media.name}</span>
        </ButtonForm>
      </div>
    </li>
  );
}

export async function submitNewFile(deps: PageDependencies, context: PageContext) {
  const project = await findEditableProject(deps, context);
  const { file = [], alt = [] } = readFields(fields, (await context.request.readBody()).data);
  const preparedUploads = await prepareUploads(deps, context.viewer, file);
  await transactOnce(deps.database, context, (write) =>
    addFiles(write, project.id, anyVersion, preparedUploads, alt),
  );
  return seeOther(filesPath(project));
}

export async function submitFileChange(deps: PageDependencies, context: PageContext) {
  const project = await findEditableProject(deps, context);
  const values = readFields(mediaFields, (await context.request.readBody()).data);
  await transactOnce(deps.database, context, (write) =>
    changeMedia(write, project.id, parseFileNumber(context), anyVersion, () => values),
  );
  return seeOther(filesPath(project));
}

export async function submitFileRemoval(deps: PageDependencies, context: PageContext) {
  const project = await findEditableProject(deps, context);
  await transactOnce(deps.database, context, (write) =>
    removeFile(write, project.id, parseFileNumber(context), anyVersion),
  );
  return seeOther(filesPath(project));
}

const parseFileNumber = ({ params }: PageContext) => requireId(params.number);
