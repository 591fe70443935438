// /content/<uuid>/<slug>/edits/: keeps what the form for a project says, publishes it or throws it away. And what the form, and the page
// of the project, say about kept changes.

import { Invalid } from '#common/errors.ts';
import { parseWholeNumber } from '#common/whole-number.ts';
import { readPartially, toText } from '#rest/fields.ts';
import { raw } from '#rest/jsx/jsx-runtime.ts';
import { prepareResponse } from '#rest/prepared-response.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { joinQuote } from '../../core/markdown/quote.ts';
import { renderMarkdownText } from '../../core/markdown/rendering.ts';
import { ButtonForm } from '../../core/pages/layout/form.tsx';
import { anyone, form, type PageContext, page, type Sections, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { isPubliclyReadable } from '../../core/project-status.ts';
import { isAnonymous } from '../../core/viewer/viewer.ts';
import { showEditPage } from '../../projects/pages/editing/edit.tsx';
import { readArrangement, readNewFiles } from '../../projects/pages/editing/files.tsx';
import { getEditFields } from '../../projects/pages/editing/type-forms.ts';
import { findEditableProject } from '../../projects/pages/project/find-project.ts';
import { ProjectMedia } from '../../projects/pages/project/shown-files.tsx';
import { toTextPictures } from '../../projects/pages/text-pictures.ts';
import type { Project } from '../../projects/project.ts';
import { projectFields } from '../../projects/project-fields.ts';
import type { Arrange } from '../../projects/writing/files.ts';
import {
  discardChanges,
  findKeptChanges,
  type KeptChanges,
  type KeptMembers,
  keepChanges,
  publishKeptChanges,
  toMembers,
} from './kept-changes.ts';
import { addToPlan, loadKeptFiles, planFiles } from './kept-files.ts';

const keptPath = (project: Project) => `${projectPath(project)}edits/`;

async function loadForm({ database, viewer, t }: PageContext, project: Project) {
  if (viewer.contributor !== project.contributor || !isPubliclyReadable(project.status)) return undefined;
  const kept = await findKeptChanges(database, viewer, project.id);
  const action = keptPath(project);
  return {
    since: kept?.since,
    values: kept?.members,
    autosave: kept && action,
    files: kept && {
      media: await loadKeptFiles(database, project.id, kept.files),
      path: `${action}files/`,
      fields: <KeptVersion kept={kept} />,
    },
    notice: kept && (
      <div class="notice draft">
        <p>{t(viewer.lookedAfterBy === undefined ? 'keptChanges.own' : 'keptChanges.ownOfClass')}</p>
        <ButtonForm action={action} variant="quiet" values={{ do: 'discard' }}>
          {t('keptChanges.discard')}
        </ButtonForm>
      </div>
    ),
    buttons: (
      <>
        {kept ? (
          <button type="submit" formaction={action} name="do" value="publish">
            {t('keptChanges.publish')}
          </button>
        ) : (
          <button type="submit">{t('form.save')}</button>
        )}
        <button class="quiet" type="submit" formaction={action} name="do" value="keep">
          {t('keptChanges.keep')}
        </button>
        <KeptVersion kept={kept} />
        {/* The script shows them. */}
        <p
          class="help"
          role="status"
          data-kept={t('keptChanges.kept')}
          data-retrying={t('keptChanges.retrying')}
          data-signed-out={t('keptChanges.signedOut')}
        />
        <div class="buttons" data-kept-elsewhere hidden>
          <button type="button" class="quiet">
            {t('keptChanges.loadOthers')}
          </button>
          <button type="button" class="quiet">
            {t('keptChanges.keepMine')}
          </button>
        </div>
      </>
    ),
  };
}

/** Of two windows, the second names an earlier one. */
const KeptVersion = ({ kept }: { kept: KeptChanges | undefined }) => (
  <input type="hidden" name="kept" value={String(kept?.modified ?? '')} />
);

function requireVersion({ t }: PageContext, sent: unknown, kept: KeptChanges | undefined): void {
  if (toText(sent) !== String(kept?.modified ?? ''))
    throw new Invalid({ non_field_errors: [t('keptChanges.elsewhere')] });
}

async function loadNotice(context: PageContext, project: Project) {
  const { database, viewer, t, rich } = context;
  if (isAnonymous(viewer) || !isPubliclyReadable(project.status)) return undefined;
  const kept = await findKeptChanges(database, viewer, project.id);
  if (!kept) return undefined;
  if (viewer.contributor === project.contributor)
    return (
      <p class="notice">
        {rich('keptChanges.notice', { link: (text) => <a href={`${projectPath(project)}edit/`}>{text}</a> })}
      </p>
    );
  const { title = project.title, text = project.text, tags, link } = kept.members;
  const files = await loadKeptFiles(database, project.id, kept.files);
  const pictures = toTextPictures(files);
  const html = await renderMarkdownText({ title: String(title), text: String(text), level: 3, pictures });
  return (
    <details class="notice">
      <summary>{rich('keptChanges.ofPupil', { name: <bdi>{displayName(project)}</bdi> })}</summary>
      <p>{t('keptChanges.ofPupilHelp')}</p>
      <h2 dir="auto">{String(title)}</h2>
      <div class="text" dir="auto">
        {raw(html)}
      </div>
      {[tags, link].map((value) => value && <p dir="auto">{String(value)}</p>)}
      <ProjectMedia media={files.filter(({ isNew }) => isNew)} />
      <ol>
        {files.map(({ name, alt }) => (
          <li dir="auto">
            <b>{name}</b> {alt}
          </li>
        ))}
      </ol>
    </details>
  );
}

export const sections: Sections = { 'project.edit': loadForm, 'project.notices': loadNotice };

/** The values of the form, with the kept changes that it does not show. */
function readForm(
  context: PageContext,
  project: Project,
  data: Readonly<Record<string, unknown>>,
  kept: KeptMembers,
) {
  const { visibility } = projectFields;
  const shown = { ...getEditFields(project.content_type, context.layout.language), visibility };
  const others = Object.entries(kept).filter(([name]) => !(name in data));
  return { ...Object.fromEntries(others), ...toMembers(readPartially(shown, data)) };
}

async function submitForm(context: PageContext) {
  const project = await findEditableProject(context);
  const { data: sent } = await context.request.readBody();
  const { id } = project;
  if (sent.do === 'discard') {
    await context.transact((write) => discardChanges(write, id));
    return seeOther(projectPath(project));
  }
  const data = joinQuote(sent, project.text);
  const since = parseWholeNumber(toText(data.since));
  const { kept, published } = await context.transact(async (write) => {
    const { kept } = await keepChanges(write, id, (before, kept) => {
      requireVersion(context, sent.kept, kept);
      if (sent.do === 'publish' && since !== before.modified)
        throw new Invalid({ non_field_errors: [context.t('edit.conflict')] });
      const members = readForm(context, project, data, kept?.members ?? {});
      return { members, since: Math.min(since, before.modified) };
    });
    return { kept, published: sent.do === 'publish' ? await publishKeptChanges(write, id) : undefined };
  });
  if (sent.do === 'autosave')
    return prepareResponse(
      200,
      { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' },
      `${kept.modified}`,
    );
  return seeOther(published ? projectPath(published) : `${projectPath(project)}edit/`);
}

async function submitNewFiles(context: PageContext) {
  const project = await findEditableProject(context);
  const { prepared, alt = [] } = await readNewFiles(context);
  await context.transact((write) =>
    keepChanges(write, project.id, async (before, kept) => ({
      files: await addToPlan(write, before, kept?.files, prepared, alt),
    })),
  );
  return seeOther(`${projectPath(project)}edit/`);
}

async function submitArrangement(context: PageContext) {
  const project = await findEditableProject(context);
  const { data } = await context.request.readBody();
  await context.transact((write) =>
    keepChanges(write, project.id, async (before, kept) => {
      requireVersion(context, data.kept, kept);
      const arrange: Arrange = (files) => readArrangement(context.layout.language, data, files, files);
      return { files: await planFiles(write, before, kept?.files, arrange) };
    }),
  );
  return seeOther(`${projectPath(project)}edit/`);
}

const path = '/content/:uuid/:slug/edits/';

export const routes = [
  page([path, `${path}files/`, `${path}files/save/`], anyone, showEditPage),
  form(path, anyone, submitForm),
  { ...form(`${path}files/`, anyone, submitNewFiles), acceptsFiles: true },
  form(`${path}files/save/`, anyone, submitArrangement),
];
