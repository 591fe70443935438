// /content/<uuid>/<slug>/labels/: labels to print for an exhibition, with a QR code that leads to each project.

import { raw } from '#rest/jsx/jsx-runtime.ts';
import { parsePage } from '#rest/pagination.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { adminStylesheet, printScript } from '../../core/pages/assets.ts';
import { Pager } from '../../core/pages/layout/components.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { page } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { createProjectPage } from '../../projects/pages/project/find-project.ts';
import { drawQrCode } from '../../projects/pages/project/qr-code.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { loadVisible } from '../../projects/reading/listing.ts';
import { discoverableBy } from '../../projects/visibility/visible-to.ts';
import { listItems } from './items.ts';
import { collectionPath } from './path.ts';
import { requireArranger } from './shared.ts';

/** Drawing the codes of more takes too long for one request. */
const pageSize = 96;

const showLabelsPage = createProjectPage(
  (project) => collectionPath(project, 'labels'),
  async (context, project) => {
    const { database, viewer, url, origin, fragments, t, rich } = context;
    const collection = requireArranger(viewer, project);
    const items = await listItems(database, viewer, collection, 'included');
    const numbers = parsePage(url.query.get('page') || '1', items.length, pageSize);
    const shown = items.slice((numbers.number - 1) * pageSize, numbers.number * pageSize);
    const ids = shown.map((item) => item.project);
    const notes = new Map(shown.map((item) => [item.project, item.note]));
    const labels: LabelProps[] = [];
    for (const work of await loadVisible(database, ids, discoverableBy(viewer))) {
      const address = `${origin}/content/${work.uuid}/`;
      const qrCode = fragments.text(['QR code', address], () => drawQrCode(address));
      labels.push({ work, note: notes.get(work.id) ?? '', qrCode });
      // Drawing takes some milliseconds: other requests come in between.
      await Bun.sleep(0);
    }
    return context.render(
      <Page
        title={t('collections.labelsTitle', { title: collection.title })}
        stylesheets={[adminStylesheet]}
        scripts={[printScript]}
      >
        <h1>{rich('collections.labelsTitle', { title: <ProjectLink project={collection} /> })}</h1>
        <div class="not-printed">
          <p>{t('collections.labelsHelp')}</p>
          <p>
            <button type="button" data-print hidden>
              {t('invitations.print')}
            </button>{' '}
            <a href={projectPath(collection)}>{t('collections.back')}</a>
          </p>
        </div>
        <ol class="cards-to-print labels">
          {labels.map((label) => (
            <Label {...label} />
          ))}
        </ol>
        <Pager {...numbers} urlOf={(number) => `${collectionPath(collection, 'labels')}?page=${number}`} />
      </Page>,
    );
  },
);

interface LabelProps {
  readonly work: Project;
  readonly note: string;
  readonly qrCode: string;
}

function Label({ work, note, qrCode }: LabelProps) {
  return (
    <li>
      <p class="label-title" dir="auto">
        {work.title}
      </p>
      <span class="printed-code" aria-hidden="true">
        {raw(qrCode)}
      </span>
      <p class="label-maker">
        <bdi>{displayName(work)}</bdi>
      </p>
      {note && (
        <p class="label-note" dir="auto">
          {note}
        </p>
      )}
    </li>
  );
}

export const labelRoutes = [page('/content/:uuid/:slug/labels/', 'changeCollection', showLabelsPage)];
