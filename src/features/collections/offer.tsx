// /content/<uuid>/<slug>/offer/: a maker chooses one of their public projects for a collection. Those who arrange it put it in
// at once.

import { Forbidden, Invalid } from '#common/errors.ts';
import { readFields, toText } from '#rest/fields.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { listedProjectTypes } from '../../core/content-types.ts';
import { requireId } from '../../core/ids.ts';
import { DateText, LinkLine, Pager } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, Form, FormFields, OnceField, QuietButton } from '../../core/pages/layout/form.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { published, removed } from '../../core/project-status.ts';
import type { Translator } from '../../core/texts/translator.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { maxSearchWords } from '../../core/words.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { type CoverContent, loadCoverContents, ProjectCover } from '../../projects/pages/list/posters.tsx';
import { createProjectPage } from '../../projects/pages/project/find-project.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import type { ProjectFinder } from '../../projects/reading/find-projects.ts';
import { canChange } from '../../projects/writing/changeable.ts';
import { addItem, mayNote, removeItem } from './arrange.ts';
import { type ItemState, listItems, requireCollection } from './items.ts';
import { collectionPath } from './path.ts';
import { collectionStylesheet, findCollection, getNoteField } from './shared.ts';

const maxSearchLength = 100;

const getFields = (language: Translator) => ({ note: getNoteField(language) });

/** The viewer's own public projects, the newest first. */
function listOwn(projects: ProjectFinder, viewer: Viewer, search: string) {
  const filters = {
    contributor: 'me',
    content_type__in: listedProjectTypes.join(','),
    status: String(published),
    visibility: 'public',
    ...(search && { search }),
  };
  return projects.list(
    viewer,
    new Map(Object.entries(filters).flatMap(([name, text]) => [...projects.parseFilter(name, text)])),
  );
}

const showOfferPage = createProjectPage(
  (project) => collectionPath(project, 'offer'),
  async (context, project) => {
    const { database, projects, viewer, url, layout, formErrors, t, rich } = context;
    const collection = requireCollection(project);
    const arranges = canChange(viewer, collection);
    if (!arranges && (collection.offers !== 'open' || collection.status === removed)) throw new Forbidden();
    const words = (url.query.get('search') ?? '').slice(0, maxSearchLength).trim().split(/\s+/);
    const search = words.slice(0, maxSearchWords).join(' ');
    const own = await loadListPage(listOwn(projects, viewer, search), url.query);
    const covers = await loadCoverContents(projects, viewer, own.items);
    const items = await listItems(database, viewer, collection);
    const states = new Map(items.map(({ project, state }) => [project, state]));
    const path = collectionPath(collection, 'offer');
    const fields = mayNote(viewer, collection) ? getFields(layout.language) : {};
    const heading = arranges ? 'collections.addOwnTitle' : 'collections.offerTitle';
    return context.render(
      <Page title={t(heading, { title: collection.title })} isForm stylesheets={[collectionStylesheet]}>
        <h1>{rich(heading, { title: <ProjectLink project={collection} /> })}</h1>
        <ErrorSummary formErrors={formErrors} fields={fields} />
        {(own.last > 1 || search) && <SearchOwn path={path} search={search} />}
        {own.items.length === 0 ? (
          <p class="empty">
            {search
              ? t('home.nothingFound')
              : rich('collections.nothingToOffer', { link: (text) => <a href="/new/">{text}</a> })}
          </p>
        ) : (
          <Form class="stacked-form" action={path}>
            <OnceField {...(formErrors && { formErrors })} />
            <fieldset class="pick">
              <legend class="visually-hidden">{t('collections.chooseOwn')}</legend>
              <ul>
                {own.items.map((project) => (
                  <Choice
                    project={project}
                    cover={covers.get(project.id)}
                    state={states.get(project.id)}
                    arranges={arranges}
                  />
                ))}
              </ul>
            </fieldset>
            <FormFields fields={fields} formErrors={formErrors} />
            <button type="submit">{t(arranges ? 'collections.putIn' : 'collections.offerButton')}</button>
          </Form>
        )}
        <Pager {...own} urlOf={createPageUrl(path, new URLSearchParams(search && { search }))} />
        <LinkLine href={projectPath(collection)}>{t('collections.back')}</LinkLine>
      </Page>,
    );
  },
);

function SearchOwn({ path, search }: { path: string; search: string }) {
  const { t } = useLayout().language;
  return (
    <search>
      <form class="row search-own" action={path}>
        <div class="form-field">
          <input type="search" name="search" value={search} aria-label={t('collections.searchOwn')} />
        </div>
        <QuietButton>{t('people.lookUp')}</QuietButton>
      </form>
    </search>
  );
}

interface ChoiceProps {
  readonly project: Project;
  readonly cover: CoverContent | undefined;
  readonly state: ItemState | undefined;
  readonly arranges: boolean;
}

const stateNames = {
  included: 'collections.isIn',
  offered: 'collections.isOffered',
  declined: 'collections.isDeclined',
} as const;

function Choice({ project, cover, state, arranges }: ChoiceProps) {
  const { formErrors, language } = useLayout();
  const { id, title, created } = project;
  const isTaken = state === 'included' || (!arranges && (state === 'offered' || state === 'declined'));
  return (
    <li>
      <input
        type="radio"
        id={`project-${id}`}
        name="project"
        value={String(id)}
        required
        disabled={isTaken || undefined}
        checked={formErrors?.values.project === String(id) || undefined}
      />
      <ProjectCover project={project} cover={cover} />
      <label for={`project-${id}`} dir="auto">
        {title}
      </label>
      <small>{isTaken ? language.t(stateNames[state]) : <DateText instant={created} isAgo />}</small>
    </li>
  );
}

async function submitOffer(context: PageContext) {
  const { layout, t } = context;
  const collection = await findCollection(context);
  const { data } = await context.request.readBody();
  const { note } = readFields(getFields(layout.language), data);
  if (toText(data.project) === '') throw new Invalid({ non_field_errors: [t('collections.chooseOne')] });
  await context.transact((write) => addItem(write, { uuid: collection.uuid }, requireId(data.project), note));
  return seeOther(projectPath(collection));
}

async function submitTakingBack(context: PageContext) {
  const collection = await findCollection(context);
  const { data } = await context.request.readBody();
  await context.transact((write) => removeItem(write, { uuid: collection.uuid }, requireId(data.project)));
  return seeOther(projectPath(collection));
}

export const offerRoutes = [
  page('/content/:uuid/:slug/offer/', 'changeCollection', showOfferPage, submitOffer),
  form('/content/:uuid/:slug/offer/back/', 'changeCollection', submitTakingBack),
];
