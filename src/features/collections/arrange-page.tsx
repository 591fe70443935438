// /content/<uuid>/<slug>/arrange/: the offers for a collection, and the order and the notes of its projects. A long one has
// several pages: a number moves a project to another page.

import { NotFound } from '#common/errors.ts';
import { toText } from '#rest/fields.ts';
import { type PageNumbers, parsePage } from '#rest/pagination.ts';
import { requireId } from '../../core/ids.ts';
import { LinkLine, Pager } from '../../core/pages/layout/components.tsx';
import { ButtonForm, ErrorSummary, Form, FormFields, NamedAction } from '../../core/pages/layout/form.tsx';
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
import { arrangeEntries, changeItem, removeItem } from './arrange.ts';
import { getSectionFields, keyOf, maxPlace, readArrangement, versionOf } from './arrangement.ts';
import { collectionLimits, type Item, listItems } from './items.ts';
import { collectionPath } from './path.ts';
import { findWorks, PutIn, putInRoutes } from './put-in.tsx';
import { type Entry, isItem, isSection, listEntries, newSection, type Section } from './sections.ts';
import { collectionStylesheet, findCollection, requireArranger } from './shared.ts';
import { ProjectTitle, WorkRow } from './work-row.tsx';

/** A form has at most 1,000 fields. */
const pageSize = 100;

const arrangePath = (collection: Project) => collectionPath(collection, 'arrange');

type Row = ItemData | { readonly section: Section; readonly place: number };

interface ItemData {
  readonly item: Item;
  /** Among the projects and the sections. */
  readonly place: number;
  readonly project: Project;
  readonly cover: CoverContent | undefined;
}

const showArrangePage = createProjectPage(arrangePath, async (context, project) => {
  const { database, viewer, url, projects, formErrors, t, rich } = context;
  const collection = requireArranger(viewer, project);
  const items = await listItems(database, viewer, collection);
  const entries = await listEntries(database, viewer, collection, items);
  const numbers = parsePage(url.query.get('page') || '1', entries.length, pageSize);
  const start = (numbers.number - 1) * pageSize;
  const shown = entries.slice(start, start + pageSize);
  const offers = items.filter(({ state }) => state === 'offered');
  const ids = [...offers, ...shown.filter(isItem)].map((item) => item.project);
  const loaded = await loadVisible(database, ids, discoverableBy(viewer));
  const covers = await loadCoverContents(projects, viewer, loaded);
  const found = await findWorks(context, collection, items);
  const toItemData = (item: Item, index: number): ItemData[] => {
    const project = loaded.find(({ id }) => id === item.project);
    return project ? [{ item, project, cover: covers.get(project.id), place: start + index + 1 }] : [];
  };
  const toRows = (entry: Entry, index: number): Row[] =>
    isSection(entry) ? [{ section: entry, place: start + index + 1 }] : toItemData(entry, index);
  return context.render(
    <Page
      title={t('collections.arrangeTitle', { title: collection.title })}
      isForm
      stylesheets={[collectionStylesheet]}
      scripts={[arrangeFilesScript]}
    >
      <h1>{rich('collections.arrangeTitle', { title: <ProjectLink project={collection} /> })}</h1>
      <ErrorSummary formErrors={formErrors} />
      {offers.length > 0 && <Offers collection={collection} offers={offers.flatMap(toItemData)} />}
      {entries.length === 0 ? (
        <p class="empty">{t('collections.emptyArrange')}</p>
      ) : (
        <Arrangement
          collection={collection}
          version={versionOf(entries)}
          rows={shown.flatMap(toRows)}
          numbers={numbers}
        />
      )}
      <Pager {...numbers} urlOf={(number) => `${arrangePath(collection)}?page=${number}`} />
      <PutIn collection={collection} found={found} />
      <LinkLine href={projectPath(collection)}>{t('collections.back')}</LinkLine>
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
  readonly rows: readonly Row[];
  readonly numbers: PageNumbers;
}

function Arrangement({ collection, version, rows, numbers: { number, last } }: ArrangementProps) {
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
        {rows.map((row) => ('section' in row ? <SectionRow {...row} /> : <ItemRow {...row} />))}
      </ol>
      <NewSection />
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

function ItemRow({ item, project, cover, place }: ItemData) {
  const { t } = useLanguage();
  const { id, title } = project;
  return (
    <li id={`item-${id}`}>
      <Handle name={title} />
      <ProjectCover project={project} cover={cover} />
      <div class="item-title">
        <ProjectTitle project={project} />
      </div>
      <Words
        name={`note-${id}`}
        label={`${t('collections.note')} ${title}`}
        placeholder={t('collections.note')}
        value={item.note}
      />
      <PlaceAndMoves entry={item} place={place} name={title} out={t('collections.takeOut')} />
    </li>
  );
}

function SectionRow({ section, place }: { section: Section; place: number }) {
  const { formErrors, language } = useLayout();
  const { t } = language;
  const { heading } = section;
  const key = keyOf(section);
  return (
    <li id={`item-${key}`} class="section-row">
      <Handle name={heading} />
      <div class="form-field item-title">
        <input
          type="text"
          name={`heading-${key}`}
          maxlength={collectionLimits.heading}
          required
          dir="auto"
          aria-label={t('collections.sectionHeading')}
          value={toText(formErrors?.values[`heading-${key}`] ?? heading)}
        />
      </div>
      <Words
        name={`text-${key}`}
        label={`${t('collections.sectionText')} ${heading}`}
        placeholder={t('collections.sectionText')}
        value={section.text}
      />
      <PlaceAndMoves entry={section} place={place} name={heading} out={t('collections.deleteSection')} />
    </li>
  );
}

/** The script shows it. */
const Handle = ({ name }: { name: string }) => (
  <button type="button" class="quiet handle" hidden>
    <span aria-hidden="true">⠿</span>{' '}
    <span class="visually-hidden">
      {useLanguage().t('files.move')} {name}
    </span>
  </button>
);

interface WordsProps {
  readonly name: string;
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
}

const Words = ({ name, label, placeholder, value }: WordsProps) => (
  <div class="form-field item-note">
    <textarea
      name={name}
      rows={1}
      maxlength={collectionLimits.note}
      dir="auto"
      placeholder={placeholder}
      aria-label={label}
    >
      {`\n${toText(useLayout().formErrors?.values[name] ?? value)}`}
    </textarea>
  </div>
);

interface PlaceProps {
  readonly entry: Entry;
  readonly place: number;
  readonly name: string;
  /** Of the button that takes it out. */
  readonly out: string;
}

function PlaceAndMoves({ entry, place, name, out }: PlaceProps) {
  const { t } = useLanguage();
  const key = keyOf(entry);
  return (
    <>
      <div class="form-field item-place">
        <label class="visually-hidden" for={`place-${key}`}>
          {t('files.position')} {name}
        </label>
        <input type="number" id={`place-${key}`} name={`place-${key}`} min={1} max={maxPlace} value={place} />
      </div>
      <div class="buttons item-buttons">
        {Object.entries(moves).map(([move, { sign, label }]) => (
          <button type="submit" class="quiet" name="move" value={`${move} ${key}`}>
            <span aria-hidden="true">{sign}</span>
            <span class="visually-hidden">
              {t(label)} {name}
            </span>
          </button>
        ))}
        <button type="submit" class="quiet" name="out" value={key}>
          <NamedAction action={out} name={name} />
        </button>
      </div>
    </>
  );
}

function NewSection() {
  const { formErrors, language } = useLayout();
  const fields = getSectionFields(language, newSection);
  const isOpen = Object.keys(fields).some((name) => toText(formErrors?.values[name]) !== '');
  return (
    <details class="new-section" open={isOpen || undefined}>
      <summary>{language.t('collections.newSection')}</summary>
      <p class="help">{language.t('collections.newSectionHelp')}</p>
      <FormFields fields={fields} formErrors={formErrors} />
    </details>
  );
}

async function submitArrangement(context: PageContext) {
  const collection = await findCollection(context);
  const { data } = await context.request.readBody();
  const out = toText(data.out);
  const isSectionOut = out.startsWith('section-');
  let count = 0;
  await context.transact(async (write) => {
    await arrangeEntries(write, { uuid: collection.uuid }, (entries) => {
      const arranged = readArrangement(context.layout.language, data, entries);
      count = arranged.length;
      return arranged;
    });
    if (out !== '' && !isSectionOut) await removeItem(write, { uuid: collection.uuid }, requireId(out));
  });
  const isNew = toText(data[`heading-${keyOf(newSection)}`]).trim() !== '';
  if (!('move' in data || 'out' in data || isNew)) return seeOther(projectPath(collection));
  const last = Math.max(1, Math.ceil((count - (out === '' || isSectionOut ? 0 : 1)) / pageSize));
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
