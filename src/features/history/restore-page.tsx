// /content/<uuid>/<slug>/history/<number>/restore/: what would change if an earlier version became the newest, and the button
// that makes it so.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid, NotFound } from '#common/errors.ts';
import { requireId } from '../../core/ids.ts';
import { compareTexts } from '../../core/markdown/rendering.ts';
import { DateTimeText, LinkLine } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { historyPath, projectPath } from '../../core/paths.ts';
import { hasSameContent, loadEntries, mayRestore } from '../../projects/history/history.ts';
import { ReviewNotice } from '../../projects/pages/editing/project-form.tsx';
import { findEditableProject } from '../../projects/pages/project/find-project.ts';
import { projectStylesheet } from '../../projects/pages/project-assets.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { changeProject } from '../../projects/writing/change-project.ts';
import { compareContents, TextDifference, toContent } from './history-page.tsx';

const path = '/content/:uuid/:slug/history/:sequence/restore/';

async function findVersion({ database, params }: PageContext, { id }: Project) {
  const isIt = sql`sequence = ${requireId(params.sequence)}`;
  const [version] = await loadEntries(database, id, isIt, 1);
  if (!version?.content) throw new NotFound();
  return { at: version.at, content: version.content };
}

async function showRestorePage(context: PageContext) {
  const { params, formErrors, t, rich } = context;
  const project = await findEditableProject(context);
  const { at, content } = await findVersion(context, project);
  const now = toContent(project);
  const comparisons = compareContents(now, content);
  const compared = await compareTexts(comparisons);
  const date = <DateTimeText instant={at} />;
  return context.render(
    <FormPage
      title={t('history.restoreTitle', { project: project.title })}
      heading={rich('history.restoreHeading', { project: <ProjectLink project={project} />, date })}
      stylesheets={[projectStylesheet]}
    >
      {hasSameContent(now, content) ? (
        <>
          <ErrorSummary formErrors={formErrors} />
          <p class="empty">{t('history.isSame')}</p>
        </>
      ) : (
        <>
          <p>{t('history.restoreNote')}</p>
          {comparisons.map(({ label }, index) => (
            <TextDifference label={label} parts={compared[index]} />
          ))}
          <PostForm
            action={`${historyPath(project)}${params.sequence}/restore/`}
            formErrors={formErrors}
            after={<ReviewNotice project={project} />}
            button={t('history.restore')}
          >
            <input type="hidden" name="since" value={String(project.modified)} />
          </PostForm>
        </>
      )}
      <LinkLine href={historyPath(project)}>{t('form.cancel')}</LinkLine>
    </FormPage>,
  );
}

/** The content only: who sees the project, and who may comment, stays. */
async function submitRestore(context: PageContext) {
  const project = await findEditableProject(context);
  const { content } = await findVersion(context, project);
  if (!mayRestore(context.viewer, project, content)) throw new Forbidden(apiText('openedByMaker'));
  const { title, text, tags, link = null } = content;
  const { data } = await context.request.readBody();
  const restored = await context.transact((write) =>
    changeProject(write, project.id, (before) => {
      if (data.since !== String(before.modified))
        throw new Invalid({ non_field_errors: [context.t('edit.conflict')] });
      return { title, text, tags: [...tags], link };
    }),
  );
  return seeOther(projectPath(restored));
}

export const restoreVersionRoutes = [page(path, anyone, showRestorePage, submitRestore)];
