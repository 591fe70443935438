// The projects of a collection on its page, in order and with notes; above them, the ways to change it.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { type PageNumbers, parsePage } from '#rest/pagination.ts';
import { isCollection } from '../../core/content-types.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { NameLink, Pager, QuietLink } from '../../core/pages/layout/components.tsx';
import { ButtonForm, NamedAction } from '../../core/pages/layout/form.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { ListLinks } from '../../core/pages/list-links.tsx';
import { loadSections, type PageContext } from '../../core/pages/page.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import { removed } from '../../core/project-status.ts';
import { can } from '../../core/viewer/permissions.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { type CardData, Cards, loadCardData } from '../../projects/pages/list/cards.tsx';
import type { ProjectParts } from '../../projects/pages/project/article.tsx';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { loadVisible } from '../../projects/reading/listing.ts';
import { discoverableBy, isPublic } from '../../projects/visibility/visible-to.ts';
import { canChange } from '../../projects/writing/changeable.ts';
import { canArrange, listItems } from './items.ts';
import { collectionPath } from './path.ts';
import { type CollectionPerson, listPeople } from './people.ts';
import { groupBySection, listEntries, type SectionWithItems } from './sections.ts';

const pageSize = 24;

declare module '../../core/pages/page.ts' {
  interface Places {
    /** Above the projects of a collection. */
    'collection.head': Section<Project>;
  }
}

interface CollectionData extends PageNumbers {
  readonly works: CardData;
  readonly groups: readonly SectionWithItems[];
  readonly notes: ReadonlyMap<number, string>;
  readonly count: number;
  /** For those who arrange it. */
  readonly offerCount: number;
  /** The viewer's own projects that wait for an answer. */
  readonly offered: readonly Project[];
  /** The parts that features add. */
  readonly head: readonly Child[];
}

/** The number of queries does not depend on the number of projects. */
async function loadCollection(context: PageContext, collection: Project): Promise<CollectionData> {
  const { database, viewer, projects, url } = context;
  const [items, head] = await Promise.all([
    listItems(database, viewer, collection),
    loadSections(context, 'collection.head', collection),
  ]);
  const included = items.filter(({ state }) => state === 'included');
  const offers = items.filter(({ state }) => state === 'offered');
  const numbers = parsePage(url.query.get('items') || '1', included.length, pageSize);
  const shown = included.slice((numbers.number - 1) * pageSize, numbers.number * pageSize);
  const groups = groupBySection(await listEntries(database, viewer, collection, items));
  const isOnPage = new Set(shown);
  const ids = (some: typeof items) => some.map(({ project }) => project);
  const arranges = canArrange(viewer, collection);
  const loaded = await loadVisible(
    database,
    ids(arranges ? shown : [...shown, ...offers]),
    discoverableBy(viewer),
  );
  const isShown = new Set(ids(shown));
  return {
    ...numbers,
    works: await loadCardData(
      projects,
      viewer,
      loaded.filter(({ id }) => isShown.has(id)),
    ),
    groups: groups
      .map(({ section, items }) => ({ section, items: items.filter((item) => isOnPage.has(item)) }))
      .filter(({ items }) => items.length > 0),
    notes: new Map(shown.map(({ project, note }) => [project, note])),
    count: included.length,
    offerCount: arranges ? offers.length : 0,
    offered: loaded.filter(({ id }) => !isShown.has(id)),
    head,
  };
}

/** Undefined for what is no collection. */
export async function loadParts(context: PageContext, project: Project): Promise<ProjectParts | undefined> {
  if (!isCollection(project)) return undefined;
  const data = await loadCollection(context, project);
  return { works: data.works, content: <CollectionWorks collection={project} data={data} /> };
}

interface CollectionProps {
  readonly collection: Project;
  readonly data: CollectionData;
}

function CollectionWorks({ collection, data }: CollectionProps) {
  const { t } = useLanguage();
  const path = projectPath(collection);
  const pageUrl = (number: number) => (number === 1 ? path : `${path}?items=${number}`);
  return (
    <section class="collection-works" aria-labelledby="works">
      {data.head}
      <div class="list-heading">
        <h2 id="works">
          {t(collection.kind === 'class' ? 'collections.worksOfClass' : 'collections.works')}
        </h2>
        <p class="count">{t('count.projects', { count: data.count })}</p>
        {isPublic(collection) && data.count > 0 && (
          <ListLinks query={new URLSearchParams({ collection: String(collection.id) })} />
        )}
      </div>
      <CollectionLinks collection={collection} data={data} />
      <OwnOffers collection={collection} data={data} />
      {data.count === 0 ? (
        <EmptyCollection collection={collection} />
      ) : (
        data.groups.map((group) => <WorksOfSection group={group} data={data} />)
      )}
      {/* The script that loads more has one list of cards. */}
      <Pager
        {...data}
        urlOf={pageUrl}
        loadedCount={data.groups.some(({ section }) => section) ? undefined : data.works.projects.length}
      />
    </section>
  );
}

function WorksOfSection({ group, data }: { group: SectionWithItems; data: CollectionData }) {
  const { section, items } = group;
  const ids = new Set(items.map(({ project }) => project));
  const projects = data.works.projects.filter(({ id }) => ids.has(id));
  return (
    <>
      {section && (
        <div class="section-heading">
          <h3 dir="auto">{section.heading}</h3>
          {section.text && <p dir="auto">{section.text}</p>}
        </div>
      )}
      <Cards data={{ ...data.works, projects }} notes={data.notes} level={section ? 'h4' : 'h3'} />
    </>
  );
}

const canOffer = (viewer: Viewer, { offers, status }: Pick<Project, 'offers' | 'status'>) =>
  offers === 'open' && status !== removed && can(viewer, 'changeCollection');

function CollectionLinks({ collection, data }: CollectionProps) {
  const { viewer, language } = useLayout();
  const { t } = language;
  const arranges = canChange(viewer, collection);
  const isVisitor = viewer.contributor === null;
  if (!arranges && !canOffer(viewer, collection) && !(isVisitor && collection.offers === 'open')) return null;
  return (
    <div class="buttons">
      {arranges && (
        <a class="button" href={collectionPath(collection, 'arrange')}>
          {t('collections.arrange')}
          {data.offerCount > 0 && (
            <>
              {' · '}
              {t('collections.offersWait', { count: data.offerCount })}
            </>
          )}
        </a>
      )}
      <a
        class={arranges ? 'button quiet' : 'button'}
        href={collectionPath(collection, 'offer')}
        rel="nofollow"
      >
        {t(arranges ? 'collections.addOwn' : 'collections.offer')}
      </a>
      {arranges && (
        <>
          {collection.kind === 'collection' && (
            <QuietLink href={collectionPath(collection, 'people')}>{t('collections.people')}</QuietLink>
          )}
          {data.count > 0 && (
            <QuietLink href={collectionPath(collection, 'labels')}>{t('collections.labels')}</QuietLink>
          )}
        </>
      )}
    </div>
  );
}

function OwnOffers({ collection, data }: CollectionProps) {
  const { t, rich } = useLanguage();
  if (data.offered.length === 0) return null;
  return (
    <ul class="rows own-offers" aria-label={t('collections.yourOffers')}>
      {data.offered.map((project) => (
        <li>
          <p>{rich('collections.waits', { project: <ProjectLink project={project} /> })}</p>
          <TakeBack collection={collection} project={project} />
        </li>
      ))}
    </ul>
  );
}

export const TakeBack = ({ collection, project }: { collection: Project; project: Project }) => (
  <ButtonForm
    action={`${collectionPath(collection, 'offer')}back/`}
    variant="quiet"
    values={{ project: project.id }}
  >
    <NamedAction action={useLanguage().t('collections.takeBack')} name={project.title} />
  </ButtonForm>
);

function EmptyCollection({ collection }: { collection: Project }) {
  const { viewer, language } = useLayout();
  const { t } = language;
  return (
    <p class="empty">
      {t(
        canArrange(viewer, collection)
          ? 'collections.emptyArrange'
          : collection.offers === 'open'
            ? 'collections.emptyOffer'
            : 'collections.empty',
      )}
    </p>
  );
}

/** The names of those who arrange it with its owner. */
export async function loadEditors({ database }: PageContext, project: Project) {
  const editors = project.kind === 'collection' ? await listPeople(database, project) : [];
  return editors.length > 0 ? <Editors editors={editors} /> : undefined;
}

function Editors({ editors }: { editors: readonly CollectionPerson[] }) {
  const { locale, rich } = useLanguage();
  const names = editors.map(displayName);
  let index = 0;
  const people = new Intl.ListFormat(locale, { type: 'conjunction' })
    .formatToParts(names)
    .map(({ type, value }): Child => {
      const editor = type === 'element' ? editors[index++] : undefined;
      return editor ? <NameLink href={contributorPath(editor.id, editor.username)} name={value} /> : value;
    });
  return <> {rich('collections.with', { people })}</>;
}
