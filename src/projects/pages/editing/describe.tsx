// /content/<uuid>/<slug>/describe/: asks what is in the pictures of a draft, and publishes it.

import { readPartially } from '#rest/fields.ts';
import { describeMediaType } from '../../../core/files/stored-files.ts';
import { ErrorSummary, Form, FormFields } from '../../../core/pages/layout/form.tsx';
import { FormPage } from '../../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page, seeOther } from '../../../core/pages/page.ts';
import { projectPath } from '../../../core/paths.ts';
import { draft, published } from '../../../core/project-status.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import { mediaFields } from '../../media/file-fields.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import { changeProject } from '../../writing/change-project.ts';
import { arrangeFiles } from '../../writing/files.ts';
import { findEditableProject, loadFiles } from '../project/find-project.ts';
import { pathAfterChange } from '../project/share.tsx';
import { Cover } from '../project/shown-files.tsx';
import { filesStylesheet } from '../project-assets.ts';
import { requireContent } from './type-forms.ts';

const describePath = (project: Project) => `${projectPath(project)}describe/`;

type FileDescription = Pick<Media, 'type' | 'alt'>;

const isUndescribed = ({ type, alt }: FileDescription) =>
  alt.trim() === '' && describeMediaType(type).display === 'picture';

export const hasUndescribed = (files: readonly FileDescription[]): boolean => files.some(isUndescribed);

export const askForDescriptions = (project: Project) => seeOther(describePath(project));

const getDescriptionFields = ({ t }: Translator, media: readonly Media[]) =>
  Object.fromEntries(
    media.map(({ number }) => [
      `alt-${number}`,
      { ...mediaFields.alt, label: t('describe.title'), help: undefined },
    ]),
  );

const findUndescribed = async (context: PageContext, project: Project) =>
  (await loadFiles(context, project)).filter(isUndescribed);

async function showDescribePage(context: PageContext) {
  const { layout, formErrors, t } = context;
  const project = await findEditableProject(context);
  if (project.status !== draft) return seeOther(projectPath(project));
  const media = await findUndescribed(context, project);
  const fields = getDescriptionFields(layout.language, media);
  return context.render(
    <FormPage title={t('describe.title')} stylesheets={[filesStylesheet]}>
      <p>{t('describe.help')}</p>
      <ErrorSummary formErrors={formErrors} fields={fields} />
      <Form class="stacked-form" action={describePath(project)}>
        <ul class="own-files described">
          {media.map((file) => (
            <li>
              <Cover media={file} />
              <FormFields
                fields={getDescriptionFields(layout.language, [file])}
                values={{ [`alt-${file.number}`]: file.alt }}
                formErrors={formErrors}
              />
            </li>
          ))}
        </ul>
        <button type="submit">{t('edit.publish')}</button>
      </Form>
    </FormPage>,
  );
}

async function submitDescriptions(context: PageContext) {
  const { language } = context.layout;
  const project = await findEditableProject(context);
  if (project.status !== draft) return seeOther(projectPath(project));
  const media = await loadFiles(context, project);
  requireContent(language, project.content_type, { ...project, files: media.map(({ type }) => type) });
  const { data } = await context.request.readBody();
  const texts = readPartially(getDescriptionFields(language, media), data);
  const updated = await context.transact(async (write) => {
    await arrangeFiles(write, project.id, (files) =>
      files.map((file) => ({ ...file, alt: texts[`alt-${file.number}`]?.trim() ?? file.alt })),
    );
    return changeProject(write, project.id, () => ({ status: published }));
  });
  return seeOther(pathAfterChange(project, updated));
}

export const describeRoutes = [
  page('/content/:uuid/:slug/describe/', anyone, showDescribePage, submitDescriptions),
];
