// The projects of a collection on its page, in order and with notes; above them, the ways to change it.

import { canArrange, listItems } from '../../gallery/collections/items.ts';
import { type CollectionPerson, listPeople } from '../../gallery/collections/people.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { collectionPath, contributorPath, projectPath } from '../../gallery/paths.ts';
import { can } from '../../gallery/permissions.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { loadVisible } from '../../gallery/projects/reading/listing.ts';
import { discoverableBy, isPublic } from '../../gallery/projects/visibility.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { type PageNumbers, parsePage } from '../../rest/pagination.ts';
import { ClassSections } from '../classes/class-page.tsx';
import { type CardData, Cards, loadCardData } from '../home/cards.tsx';
import { wallPath } from '../home/listing.ts';
import { NameLink, Pager, ProjectLink } from '../layout/components.tsx';
import { ButtonForm, NamedAction } from '../layout/form.tsx';
import { useLanguage, useLayout } from '../layout/layout-data.ts';
import type { PageContext } from '../page.ts';

const pageSize = 24;

export interface CollectionData extends PageNumbers {
  readonly works: CardData;
  readonly notes: ReadonlyMap<number, string>;
  readonly count: number;
  /** For those who arrange it. */
  readonly offerCount: number;
  /** The viewer's own projects that wait for an answer. */
  readonly offered: readonly Project[];
  readonly editors: readonly CollectionPerson[];
}

/** The number of queries does not depend on the number of projects. */
export async function loadCollection(context: PageContext, collection: Project): Promise<CollectionData> {
  const { database, viewer, projects, url } = context;
  const [items, editors] = await Promise.all([
    listItems(database, viewer, collection),
    collection.kind === 'collection' ? listPeople(database, collection) : [],
  ]);
  const included = items.filter(({ state }) => state === 'included');
  const offers = items.filter(({ state }) => state === 'offered');
  const numbers = parsePage(url.query.get('items') || '1', included.length, pageSize);
  const shown = included.slice((numbers.number - 1) * pageSize, numbers.number * pageSize);
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
    notes: new Map(shown.map(({ project, note }) => [project, note])),
    count: included.length,
    offerCount: arranges ? offers.length : 0,
    offered: loaded.filter(({ id }) => !isShown.has(id)),
    editors,
  };
}

interface CollectionProps {
  readonly collection: Project;
  readonly data: CollectionData;
}

export function CollectionWorks({ collection, data }: CollectionProps) {
  const { t } = useLanguage();
  const path = projectPath(collection);
  const pageUrl = (number: number) => (number === 1 ? path : `${path}?items=${number}`);
  return (
    <section class="collection-works" aria-labelledby="works">
      {collection.kind === 'class' && canArrange(useLayout().viewer, collection) && (
        <ClassSections collection={collection} section="" />
      )}
      <div class="list-heading">
        <h2 id="works">{t(collection.kind === 'class' ? 'classes.works' : 'collections.works')}</h2>
        <p class="count">{t('count.projects', { count: data.count })}</p>
        {isPublic(collection) && data.count > 0 && (
          <p class="to-wall">
            <a href={wallPath(new URLSearchParams({ collection: String(collection.id) }))} rel="nofollow">
              {t('wall.show')}
            </a>
          </p>
        )}
      </div>
      <CollectionLinks collection={collection} data={data} />
      <OwnOffers collection={collection} data={data} />
      {data.count === 0 ? (
        <EmptyCollection collection={collection} />
      ) : (
        <Cards data={data.works} notes={data.notes} level="h3" />
      )}
      <Pager {...data} urlOf={pageUrl} loadedCount={data.works.projects.length} />
    </section>
  );
}

const canOffer = (viewer: Viewer, { offers }: Pick<Project, 'offers'>) =>
  offers === 'open' && can(viewer, 'changeCollection');

function CollectionLinks({ collection, data }: CollectionProps) {
  const { viewer, language } = useLayout();
  const { t } = language;
  const arranges = canArrange(viewer, collection);
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
            <a class="button quiet" href={collectionPath(collection, 'people')}>
              {t('collections.people')}
            </a>
          )}
          {data.count > 0 && (
            <a class="button quiet" href={collectionPath(collection, 'labels')}>
              {t('collections.labels')}
            </a>
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
export function Editors({ editors }: { editors: CollectionData['editors'] }) {
  const { locale, rich } = useLanguage();
  if (editors.length === 0) return null;
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
