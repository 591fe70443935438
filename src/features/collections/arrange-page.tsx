// /content/<uuid>/<slug>/arrange/: the offers for a collection, and the order and the notes of its projects. A long one has
// several pages: a number moves a project to another page.

import { NotFound } from '#common/errors.ts';
import { toText } from '#rest/fields.ts';
import { type PageNumbers, parsePage } from '#rest/pagination.ts';
import { requireId } from '../../core/ids.ts';
import { Pager } from '../../core/pages/layout/components.tsx';
import { ButtonForm, ErrorSummary, Form, NamedAction } from '../../core/pages/layout/form.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { type CoverContent, loadCoverContents, ProjectCover } from '../../projects/pages/list/posters.tsx';
import { createProjectPage } from '../../projects/pages/project/find-project.ts';
import { arrangeFilesScript } from '../../projects/pages/project-assets.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { loadVisible } from '../../projects/reading/listing.ts';
import { discoverableBy } from '../../projects/visibility/visible-to.ts';
import { arrangeItems, changeItem, removeItem } from './arrange.ts';
import { readArrangement, versionOf } from './arrangement.ts';
import { collectionLimits, type Item, listItems } from './items.ts';
import { collectionPath } from './path.ts';
import { findWorks, PutIn, putInRoutes } from './put-in.tsx';
import { collectionStylesheet, findCollection, requireArranger } from './shared.ts';
import { ProjectTitle, WorkRow } from './work-row.tsx';

/** A form has at most 1,000 fields. */
const pageSize = 100;

const arrangePath = (collection: Project) => collectionPath(collection, 'arrange');

interface ItemData {
  readonly item: Item;
  readonly project: Project;
  readonly cover: CoverContent | undefined;
}

const showArrangePage = createProjectPage(arrangePath, async (context, project) => {
  const { database, viewer, url, projects, formErrors, t, rich } = context;
  const collection = requireArranger(viewer, project);
  const items = await listItems(database, viewer, collection);
  const included = items.filter(({ state }) => state === 'included');
  const numbers = parsePage(url.query.get('page') || '1', included.length, pageSize);
  const shown = included.slice((numbers.number - 1) * pageSize, numbers.number * pageSize);
  const offers = items.filter(({ state }) => state === 'offered');
  const ids = [...offers, ...shown].map((item) => item.project);
  const loaded = await loadVisible(database, ids, discoverableBy(viewer));
  const covers = await loadCoverContents(projects, viewer, loaded);
  const found = await findWorks(context, collection, items);
  const toData = (some: readonly Item[]): ItemData[] =>
    some.flatMap((item) => {
      const project = loaded.find(({ id }) => id === item.project);
      return project ? { item, project, cover: covers.get(project.id) } : [];
    });
  return context.render(
    <Page
      title={t('collections.arrangeTitle', { title: collection.title })}
      isForm
      stylesheets={[collectionStylesheet]}
      scripts={[arrangeFilesScript]}
    >
      <h1>{rich('collections.arrangeTitle', { title: <ProjectLink project={collection} /> })}</h1>
      <ErrorSummary formErrors={formErrors} />
      {offers.length > 0 && <Offers collection={collection} offers={toData(offers)} />}
      {included.length === 0 ? (
        <p class="empty">{t('collections.emptyArrange')}</p>
      ) : (
        <Arrangement
          collection={collection}
          version={versionOf(included)}
          items={toData(shown)}
          numbers={numbers}
        />
      )}
      <Pager {...numbers} urlOf={(number) => `${arrangePath(collection)}?page=${number}`} />
      <PutIn collection={collection} found={found} />
      <p>
        <a href={projectPath(collection)}>{t('collections.back')}</a>
      </p>
    </Page>,
  );
});

function Offers({ collection, offers }: { collection: Project; offers: readonly ItemData[] }) {
  const { t } = useLanguage();
  const action = `${arrangePath(collection)}answer/`;
  const answers = [
    { state: 'included', variant: undefined, label: t('collections.putIn') },
    { state: 'declined', variant: 'quiet', label: t('collections.decline') },
  ] as const;
  return (
    <section aria-labelledby="offers">
      <h2 id="offers">{t('collections.offersWait', { count: offers.length })}</h2>
      <ul class="rows offers">
        {offers.map(({ item, project, cover }) => (
          <li>
            <WorkRow project={project} cover={cover}>
              {item.note && <p dir="auto">{item.note}</p>}
            </WorkRow>
            <div class="buttons">
              {answers.map(({ state, variant, label }) => (
                <ButtonForm
                  action={action}
                  values={{ project: project.id, state }}
                  {...(variant && { variant })}
                >
                  <NamedAction action={label} name={project.title} />
                </ButtonForm>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ArrangementProps {
  readonly collection: Project;
  readonly version: string;
  readonly items: readonly ItemData[];
  readonly numbers: PageNumbers;
}

function Arrangement({ collection, version, items, numbers: { number, last } }: ArrangementProps) {
  const { t } = useLanguage();
  const action = `${arrangePath(collection)}?page=${number}`;
  return (
    <Form class="arrangement" action={action} data-unsaved={t('collections.unsaved')}>
      <input type="hidden" name="since" value={version} />
      <p class="help">
        {t('collections.arrangeHelp')} {last > 1 && t('collections.arrangePages')}
      </p>
      {/* The first button is the one that Enter presses. */}
      <button type="submit" class="visually-hidden" tabindex={-1}>
        {t('form.save')}
      </button>
      <ol class="own-items" start={(number - 1) * pageSize + 1}>
        {items.map((data) => (
          <ItemRow {...data} />
        ))}
      </ol>
      <p class="save-bar">
        <button type="submit">{t('form.save')}</button>
      </p>
    </Form>
  );
}

const moves = {
  top: { sign: '⤒', label: 'collections.toTop' },
  up: { sign: '↑', label: 'collections.up' },
  down: { sign: '↓', label: 'collections.down' },
} as const;

function ItemRow({ item, project, cover }: ItemData) {
  const { formErrors, language } = useLayout();
  const { t } = language;
  const { id, title } = project;
  return (
    <li id={`item-${id}`}>
      {/* The script shows it. */}
      <button type="button" class="quiet handle" hidden>
        <span aria-hidden="true">⠿</span>{' '}
        <span class="visually-hidden">
          {t('files.move')} {title}
        </span>
      </button>
      <ProjectCover project={project} cover={cover} />
      <div class="item-title">
        <ProjectTitle project={project} />
      </div>
      <div class="form-field item-note">
        <textarea
          name={`note-${id}`}
          rows={1}
          maxlength={collectionLimits.note}
          dir="auto"
          placeholder={t('collections.note')}
          aria-label={`${t('collections.note')} ${title}`}
        >
          {`\n${toText(formErrors?.values[`note-${id}`] ?? item.note)}`}
        </textarea>
      </div>
      <div class="form-field item-place">
        <label class="visually-hidden" for={`place-${id}`}>
          {t('files.position')} {title}
        </label>
        <input
          type="number"
          id={`place-${id}`}
          name={`place-${id}`}
          min={1}
          max={collectionLimits.items}
          value={item.position}
        />
      </div>
      <div class="buttons item-buttons">
        {Object.entries(moves).map(([name, { sign, label }]) => (
          <button type="submit" class="quiet" name="move" value={`${name} ${id}`}>
            <span aria-hidden="true">{sign}</span>
            <span class="visually-hidden">
              {t(label)} {title}
            </span>
          </button>
        ))}
        <button type="submit" class="quiet" name="out" value={String(id)}>
          <NamedAction action={t('collections.takeOut')} name={title} />
        </button>
      </div>
    </li>
  );
}

async function submitArrangement(context: PageContext) {
  const collection = await findCollection(context);
  const { data } = await context.request.readBody();
  const out = 'out' in data ? requireId(data.out) : undefined;
  let count = 0;
  await context.transact(async (write) => {
    await arrangeItems(write, { uuid: collection.uuid }, (items) => {
      count = items.length;
      return readArrangement(context.layout.language, data, items);
    });
    if (out !== undefined) await removeItem(write, { uuid: collection.uuid }, out);
  });
  if (!('move' in data || 'out' in data)) return seeOther(projectPath(collection));
  const last = Math.max(1, Math.ceil((count - (out === undefined ? 0 : 1)) / pageSize));
  const number = Math.max(1, Math.min(last, Number(context.url.query.get('page')) || 1));
  const id = toText(data.move).split(' ')[1];
  return seeOther(`${arrangePath(collection)}?page=${number}${id ? `#item-${encodeURIComponent(id)}` : ''}`);
}

async function submitAnswer(context: PageContext) {
  const collection = await findCollection(context);
  const { data } = await context.request.readBody();
  const state = (['included', 'declined'] as const).find((known) => known === data.state);
  if (!state) throw new NotFound();
  await context.transact((write) =>
    changeItem(write, { uuid: collection.uuid }, requireId(data.project), () => ({ state })),
  );
  return seeOther(arrangePath(collection));
}

export const arrangeRoutes = [
  ...putInRoutes,
  page(
    [
      '/content/:uuid/:slug/arrange/',
      '/content/:uuid/:slug/arrange/answer/',
      '/content/:uuid/:slug/arrange/add/',
    ],
    'changeCollection',
    showArrangePage,
  ),
  form('/content/:uuid/:slug/arrange/', 'changeCollection', submitArrangement),
  form('/content/:uuid/:slug/arrange/answer/', 'changeCollection', submitAnswer),
];
