// /new/ and /new/<type>/: choosing a content type and creating a project.

import { Invalid, NotFound } from '#common/errors.ts';
import { type Fields, readFields, type Values } from '#rest/fields.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { isWork, type ProjectContentType, projectContentTypes } from '../../../core/content-types.ts';
import { prepareUploads } from '../../../core/files/prepare.ts';
import { joinQuote } from '../../../core/markdown/quote.ts';
import { colourOf } from '../../../core/pages/layout/colours.ts';
import { FormPage, Page } from '../../../core/pages/layout/layout.tsx';
import { useLayout } from '../../../core/pages/layout/layout-data.ts';
import { readTimeField } from '../../../core/pages/layout/time-field.tsx';
import { anyone, type PageContext, page, seeOther } from '../../../core/pages/page.ts';
import { draft, published } from '../../../core/project-status.ts';
import { isTypeOffered } from '../../../core/site/site-fields.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import { authorizeAny } from '../../../core/viewer/permissions.ts';
import { projectFields } from '../../project-fields.ts';
import { requireOffered } from '../../writing/changeable.ts';
import { createProject } from '../../writing/create.ts';
import { isProjectType } from '../content-types.ts';
import { Poster } from '../list/posters.tsx';
import { pathAfterChange } from '../project/share.tsx';
import { cabinetStylesheet, formScripts, formStylesheets } from '../project-assets.ts';
import { initialVisibility, loadFormPreview, ProjectForm } from './project-form.tsx';
import { findMissing, getFileFields, getNewFields, requireContent } from './type-forms.ts';
import { textUploadAttributes, uploadAttributes } from './upload.ts';

async function showTypeChoicePage(context: PageContext) {
  const { layout, url, t } = context;
  const chosen = { visibility: url.query.get('visibility') ?? '' };
  const offered = projectContentTypes.filter((type) => isTypeOffered(layout.site.types, type));
  return context.render(
    <Page title={t('new.title')} stylesheets={[cabinetStylesheet]}>
      {url.query.has('welcome') && <Welcome />}
      <h1>{t('new.heading')}</h1>
      <ul class="cards">
        {offered.map((type, index) => (
          <li class="card">
            <Poster type={type} colour={colourOf(index)}>
              {t(`type.${type}.description`)}
            </Poster>
            <h2 class="name">
              <a href={urlWithParameters(`/new/${type}/`, new URLSearchParams(), chosen)}>
                {t(`type.${type}`)}
              </a>
            </h2>
          </li>
        ))}
      </ul>
    </Page>,
  );
}

/** After signing up. */
function Welcome() {
  const { name = '', language } = useLayout();
  const { rich } = language;
  return (
    <p class="notice" role="status">
      <b>{rich('new.welcome', { name: <bdi>{name}</bdi> })}</b>{' '}
      {rich('new.welcomeHelp', { link: (text) => <a href="/">{text}</a> })}
    </p>
  );
}

async function showNewProjectPage(context: PageContext) {
  const { layout, viewer, url, t } = context;
  const type = parseType(context);
  authorizeAny(viewer, 'makeProject');
  const heading = t('new.project', { type: t(`type.${type}`) });
  const fields = getNewFields(type, layout.language, viewer);
  const preview = await loadFormPreview(context);
  return context.render(
    <FormPage
      title={heading}
      stylesheets={formStylesheets}
      scripts={formScripts(isWork(type), 'file' in fields)}
    >
      <p class="byline">{t(`type.${type}.description`)}</p>
      <ProjectForm
        context={context}
        type={type}
        fields={fields}
        action={`/new/${type}/`}
        preview={preview}
        values={{
          visibility: initialVisibility(viewer, type, url.query.get('visibility')),
          license: viewer.license,
        }}
        upload={{
          ...(isWork(type) && textUploadAttributes(layout.language)),
          ...('file' in fields && uploadAttributes(layout.language, context.uploads)),
        }}
      >
        <button type="submit" name="status" value={String(published)} data-sending={t('edit.publishing')}>
          {t('edit.publish')}
        </button>
        <button
          class="quiet"
          type="submit"
          name="status"
          value={String(draft)}
          data-sending={t('edit.saving')}
        >
          {t('new.saveAsDraft')}
        </button>
      </ProjectForm>
    </FormPage>,
  );
}

async function submitNewProject(context: PageContext) {
  const type = parseType(context);
  const { data: sent } = await context.request.readBody();
  if ('preview' in sent) return showNewProjectPage({ ...context, formErrors: { values: sent, errors: {} } });
  const data = joinQuote(sent);
  const { language } = context.layout;
  const { visibility, status } = projectFields;
  // A picture in the text of any type makes it a draft with a file (text-pictures.js), and each file has a description (upload.js).
  const fields = {
    ...getFileFields(language),
    ...getNewFields(type, language, context.viewer),
    visibility,
    status,
  };
  const { file = [], alt, ...values } = readAllFields(language, type, fields, data);
  const publish_at = readTimeField(data, 'publish_time', context.timeZone) ?? null;
  const preparedUploads = await prepareUploads(context, context.viewer, file);
  const files = preparedUploads.map((upload) => upload.type);
  if (values.status !== draft || publish_at !== null) requireContent(language, type, { ...values, files });
  const project = await context.transact((write) =>
    createProject(write, { ...values, publish_at, content_type: type }, preparedUploads, alt),
  );
  return seeOther(pathAfterChange({ status: draft }, project));
}

/** Says what is missing together with what is wrong. What the files are is not known yet. */
function readAllFields<Declared extends Fields>(
  language: Translator,
  type: ProjectContentType,
  fields: Declared,
  data: Readonly<Record<string, unknown>>,
): Values<Declared> {
  try {
    return readFields(fields, data);
  } catch (error) {
    if (!(error instanceof Invalid) || data.status === String(draft)) throw error;
    const hasFile = [data.file].flat().some((file) => file instanceof File && file.name);
    const missing = findMissing(language, type, { ...data, files: [] });
    throw new Invalid({ ...(!hasFile && missing), ...error.fields });
  }
}

function parseType({ viewer, params: { type = '' } }: PageContext): ProjectContentType {
  if (!isProjectType(type)) throw new NotFound();
  requireOffered(viewer, type);
  return type;
}

export const newProjectRoutes = [
  page('/new/', 'makeProject', showTypeChoicePage),
  { ...page('/new/:type/', anyone, showNewProjectPage, submitNewProject), acceptsFiles: true },
];
