// The search on the page of a collection's order: whoever arranges it finds works there, and puts them in.

import { join } from 'sql-template-tag';
import { toText } from '#rest/fields.ts';
import { all, type Database } from '#sql';
import { workTypes } from '../../core/content-types.ts';
import { requireId } from '../../core/ids.ts';
import { ButtonForm, NamedAction, QuietButton } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { form, type PageContext, seeOther } from '../../core/pages/page.ts';
import { type CoverContent, loadCoverContents } from '../../projects/pages/list/posters.tsx';
import { type Project, type ProjectRow, projectColumns } from '../../projects/project.ts';
import { addItem, findRefusal } from './arrange.ts';
import type { Item } from './items.ts';
import { collectionPath } from './path.ts';
import { findCollection } from './shared.ts';
import { WorkRow } from './work-row.tsx';

/** Of a search; more words find others. */
const maxFound = 12;

interface FoundWorks {
  readonly words: string;
  readonly works: readonly Project[];
  readonly covers: ReadonlyMap<number, CoverContent>;
}

async function loadRows(database: Database, found: readonly Project[]): Promise<Map<number, ProjectRow>> {
  if (found.length === 0) return new Map();
  const ids = join(found.map(({ id }) => id));
  const rows = await all(database, projectColumns)`from project where id in (${ids})`;
  return new Map(rows.map((row) => [row.id, row]));
}

/** Those that the viewer can put in, and that are not there yet. */
export async function findWorks(
  { database, projects, viewer, url }: PageContext,
  collection: Project,
  items: readonly Item[],
): Promise<FoundWorks> {
  const words = (url.query.get('find') ?? '').trim();
  if (words === '') return { words, works: [], covers: new Map() };
  const filters = new Map([
    ...projects.parseFilter('search', words),
    ...projects.parseFilter('content_type__in', workTypes.join()),
  ]);
  const found = await projects.list(viewer, filters).page(0, 2 * maxFound);
  const stateOf = new Map(items.map(({ project, state }) => [project, state]));
  const rows = await loadRows(database, found);
  const mayPutIn = (id: number) => {
    const [row, state = null] = [rows.get(id), stateOf.get(id)];
    return row && state !== 'included' && !findRefusal(viewer, row, { id: collection.id, state });
  };
  const works = found.filter(({ id }) => mayPutIn(id)).slice(0, maxFound);
  return { words, works, covers: await loadCoverContents(projects, viewer, works) };
}

export function PutIn({ collection, found }: { collection: Project; found: FoundWorks }) {
  const { t } = useLanguage();
  const path = collectionPath(collection, 'arrange');
  const { words, works, covers } = found;
  return (
    <section aria-labelledby="put-in">
      <h2 id="put-in">{t('collections.findTitle')}</h2>
      <form class="find-works" action={path}>
        <div class="form-field">
          <input type="search" name="find" value={words} dir="auto" aria-labelledby="put-in" />
        </div>
        <QuietButton>{t('layout.search')}</QuietButton>
      </form>
      {words !== '' && works.length === 0 && <p class="empty">{t('home.nothingFound')}</p>}
      <ul class="rows offers">
        {works.map((work) => (
          <li>
            <WorkRow project={work} cover={covers.get(work.id)} />
            <ButtonForm action={`${path}add/`} values={{ project: work.id, find: words }} variant="quiet">
              <NamedAction action={t('collections.putIn')} name={work.title} />
            </ButtonForm>
          </li>
        ))}
      </ul>
    </section>
  );
}

export const putInRoutes = [
  form('/content/:uuid/:slug/arrange/add/', 'changeCollection', async (context) => {
    const collection = await findCollection(context);
    const { data } = await context.request.readBody();
    await context.transact((write) => addItem(write, { uuid: collection.uuid }, requireId(data.project)));
    const find = new URLSearchParams({ find: toText(data.find) });
    return seeOther(`${collectionPath(collection, 'arrange')}?${find}#put-in`);
  }),
];
