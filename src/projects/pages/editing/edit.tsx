// /content/<uuid>/<slug>/edit/, …/status/ and …/trash/: changing a project, its status, and moving it to the trash.

import { Invalid } from '#common/errors.ts';
import { readPartially } from '#rest/fields.ts';
import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { first, pick } from '#sql';
import { isWork } from '../../../core/content-types.ts';
import { joinQuote } from '../../../core/markdown/quote.ts';
import { QuietLink } from '../../../core/pages/layout/components.tsx';
import { ButtonForm } from '../../../core/pages/layout/form.tsx';
import { FormPage, Page } from '../../../core/pages/layout/layout.tsx';
import { useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import { readTimeField } from '../../../core/pages/layout/time-field.tsx';
import { anyone, form, loadSections, type PageContext, page, seeOther } from '../../../core/pages/page.ts';
import { filesPath, projectPath } from '../../../core/paths.ts';
import { archived, draft, nextStatuses, published } from '../../../core/project-status.ts';
import { can } from '../../../core/viewer/permissions.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import { type Project, projectColumns } from '../../project.ts';
import { isAsStored, projectFields } from '../../project-fields.ts';
import { changeProject, moveToTrash } from '../../writing/change-project.ts';
import { daysInTrash } from '../../writing/erase.ts';
import { findEditableProject, loadFiles } from '../project/find-project.ts';
import { pathAfterChange } from '../project/share.tsx';
import { formScripts, formStylesheets } from '../project-assets.ts';
import { ProjectLink } from '../project-parts.tsx';
import { pathAfterDeletion } from './deleted.tsx';
import { type EditedFiles, FileTray } from './files.tsx';
import { loadFormPreview, ProjectForm } from './project-form.tsx';
import { findMissing, getEditFields, requireContent, takesFiles } from './type-forms.ts';
import { textUploadAttributes } from './upload.ts';

const boundColumns = pick(projectColumns, 'source_maker');

/** The buttons of a feature in place of "Save". */
interface EditForm {
  /** In place of those of the project. */
  readonly values: Readonly<Record<string, unknown>> | undefined;
  /** When the project had been changed for the last time as they were begun. */
  readonly since: number | undefined;
  readonly notice: Child;
  readonly buttons: Child;
  /** Where the script saves them. */
  readonly autosave: string | undefined;
  readonly files: EditedFiles | undefined;
}

declare module '../../../core/pages/page.ts' {
  interface Places {
    /** In the form that changes a project; the first feature that has any counts. */
    'project.edit': Section<Project, EditForm>;
  }
}

/** Only its maker publishes a draft. */
const isDraftOf = ({ contributor }: Viewer, project: Project): boolean =>
  project.status === draft && project.contributor === contributor;

export async function showEditPage(context: PageContext) {
  const project = await findEditableProject(context);
  const { layout, t, rich } = context;
  const path = projectPath(project);
  const hasFiles = isWork(project.content_type);
  const media = await loadFiles(context, project);
  const [changes] = await loadSections(context, 'project.edit', project);
  const edited = changes?.files;
  const hasTray = hasFiles && (edited !== undefined || media.length > 0 || takesFiles(project.content_type));
  const preview = await loadFormPreview(context, edited?.media ?? media);
  const files = media.map(({ type }) => type);
  const missing = findMissing(layout.language, project.content_type, { ...project, files });
  const since = (context.formErrors ? undefined : changes?.since) ?? project.modified;
  const bound = await first(context.database, boundColumns)`from project where id = ${project.id}`;
  return context.render(
    <Page
      title={t('edit.title', { title: project.title })}
      isForm
      stylesheets={formStylesheets}
      scripts={formScripts(hasFiles, hasTray)}
    >
      <div class="narrow">
        <p class="eyebrow">{t(`type.${project.content_type}`)}</p>
        <h1>{rich('edit.title', { title: <ProjectLink project={project} /> })}</h1>
        <EditNotice project={project} missing={missing} />
        {changes?.notice}
        {hasTray && <FileTray context={context} project={project} media={media} edited={edited} />}
        <ProjectForm
          context={context}
          type={project.content_type}
          fields={getEditFields(project.content_type, layout.language)}
          action={`${path}edit/`}
          preview={preview}
          values={{ ...project, ...changes?.values }}
          project={{ ...project, modified: since, source_maker: bound?.source_maker ?? null }}
          upload={{
            ...(hasFiles && textUploadAttributes(layout.language, edited?.path ?? filesPath(project))),
            ...(changes?.autosave && { 'data-autosave': changes.autosave }),
          }}
        >
          {isDraftOf(layout.viewer, project) ? (
            <>
              <button type="submit" name="status" value={String(published)}>
                {t('edit.publish')}
              </button>
              <button class="quiet" type="submit" name="status" value={String(draft)}>
                {t('edit.saveDraft')}
              </button>
            </>
          ) : (
            (changes?.buttons ?? <button type="submit">{t('form.save')}</button>)
          )}
        </ProjectForm>
        <OtherActions project={project} hasTray={hasTray} />
      </div>
    </Page>,
  );
}

/** Says that a draft still needs a file, or that a new remix is private. */
function EditNotice({ project, missing }: { project: Project; missing: Record<string, unknown> }) {
  const { t, rich } = useLanguage();
  if (project.status === draft && 'file' in missing)
    return (
      <p class="notice">
        {rich('edit.addFile', { link: (text) => <a href={filesPath(project)}>{text}</a> })}
      </p>
    );
  if (project.copied_from !== null && project.visibility === 'private')
    return <p class="notice">{t('edit.ownRemix')}</p>;
  return null;
}

const statusActions = {
  [draft]: { label: 'edit.toDraft', help: 'edit.toDraftHelp' },
  [published]: { label: 'edit.republish', help: 'edit.republishHelp' },
  [archived]: { label: 'edit.archive', help: 'edit.archiveHelp' },
} as const;

/** The actions besides editing the text. */
function OtherActions({ project, hasTray }: { project: Project; hasTray: boolean }) {
  const { viewer, language } = useLayout();
  const { t } = language;
  const path = projectPath(project);
  const isItsStatus = can(viewer, 'changeProject', project.contributor);
  // A draft is published with the form's own buttons.
  const statuses = project.status === draft || !isItsStatus ? [] : nextStatuses[project.status];
  return (
    <section class="other-actions" aria-labelledby="otherwise">
      <h2 id="otherwise">{t('edit.more')}</h2>
      <ul class="rows">
        {isWork(project.content_type) && !hasTray && (
          <li>
            <span>{t('edit.filesHelp')}</span>
            <QuietLink href={filesPath(project)}>{t('edit.files')}</QuietLink>
          </li>
        )}
        {statuses.map((status) => (
          <li>
            <span>{t(statusActions[status].help)}</span>
            <ButtonForm action={`${path}status/`} variant="quiet" name="status" value={String(status)}>
              {t(statusActions[status].label)}
            </ButtonForm>
          </li>
        ))}
        {can(viewer, 'trashProject', project.contributor) && (
          <li>
            <span>{t('edit.deleteHelp', { days: daysInTrash })}</span>
            <QuietLink href={`${path}trash/`}>{t('edit.delete')}</QuietLink>
          </li>
        )}
      </ul>
    </section>
  );
}

async function submitEdit(context: PageContext) {
  const { data: sent } = await context.request.readBody();
  if ('preview' in sent) return showEditPage({ ...context, formErrors: { values: sent, errors: {} } });
  const project = await findEditableProject(context);
  const { language } = context.layout;
  const { visibility, status } = projectFields;
  const fields = { ...getEditFields(project.content_type, language), visibility, status };
  const files = (await loadFiles(context, project)).map(({ type }) => type);
  const publish_at = readTimeField(sent, 'publish_time', context.timeZone);
  const updated = await context.transact((write) =>
    changeProject(write, project.id, (before) => {
      const data = joinQuote(sent, before.text);
      if (data.since !== String(before.modified))
        throw new Invalid({ non_field_errors: [language.t('edit.conflict')] });
      const isUnchanged = (name: string, value: unknown) => isAsStored(before, name, value);
      const values = readPartially(fields, data, { isUnchanged });
      const { status, text, link } = { ...before, ...values };
      // A project that was published without a file can be edited.
      if (before.status === draft && (status !== draft || publish_at))
        requireContent(language, before.content_type, { text, link, files });
      return { ...values, publish_at };
    }),
  );
  return seeOther(pathAfterChange(project, updated));
}

async function showMoveToTrashPage(context: PageContext) {
  const project = await findEditableProject(context);
  const { t, rich } = context;
  const path = projectPath(project);
  return context.render(
    <FormPage
      title={t('edit.deleteTitle', { title: project.title })}
      heading={rich('edit.deleteHeading', { title: <bdi>{project.title}</bdi> })}
    >
      <p>
        {rich('edit.deleteNote', {
          link: (text) => <a href="/mine/?show=trash">{text}</a>,
          days: daysInTrash,
        })}
      </p>
      <div class="buttons">
        <ButtonForm action={`${path}trash/`} variant="danger">
          {t('edit.delete')}
        </ButtonForm>
        <a href={path}>{t('form.cancel')}</a>
      </div>
    </FormPage>,
  );
}

export const editRoutes = [
  page('/content/:uuid/:slug/edit/', anyone, showEditPage, submitEdit),
  form('/content/:uuid/:slug/status/', anyone, async (context) => {
    const project = await findEditableProject(context);
    const statusField = { ...projectFields.status, required: true };
    const { status } = await context.readForm({ status: statusField });
    if (project.status === draft && status !== draft) {
      const files = (await loadFiles(context, project)).map(({ type }) => type);
      requireContent(context.layout.language, project.content_type, { ...project, files });
    }
    const updated = await context.transact((write) => changeProject(write, project.id, () => ({ status })));
    return seeOther(pathAfterChange(project, updated));
  }),
  page('/content/:uuid/:slug/trash/', anyone, showMoveToTrashPage, async (context) => {
    const project = await findEditableProject(context);
    await context.transact((write) => moveToTrash(write, project.id));
    const isOwn = project.contributor === context.viewer.contributor;
    return seeOther(isOwn ? await pathAfterDeletion(context, project) : '/moderation/');
  }),
];
