// /offline/: the page that a browser shows without a network, with the form of a new project. /offline-worker.js is the service
// worker that keeps it. Both are the same for everybody: nothing of anybody stays on a device.

import type { Fields } from '#rest/fields.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { formPageStylesheet } from '../../core/pages/assets.ts';
import { FormFields } from '../../core/pages/layout/form.tsx';
import { Page, renderPage, SiteLogo } from '../../core/pages/layout/layout.tsx';
import { type LayoutData, useLayout } from '../../core/pages/layout/layout-data.ts';
import { anyone, type PageContext, page } from '../../core/pages/page.ts';
import { draft } from '../../core/project-status.ts';
import { isTypeOffered } from '../../core/site/site-fields.ts';
import { languageCodes } from '../../core/texts/languages.ts';
import { getSiteTranslator } from '../../core/texts/translator.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import { getFileFields } from '../../projects/pages/editing/type-forms.ts';
import { projectFields } from '../../projects/project-fields.ts';
import { offlinePath } from './path.ts';
import { UnsentProjects, unsentScript, unsentStylesheet } from './unsent-projects.tsx';
import workerJs from './worker.js' with { type: 'text' };

function renderOfflinePage({ layout, url }: PageContext): PreparedResponse {
  const code = languageCodes.find((one) => one === url.query.get('language'));
  const shared: LayoutData = {
    ...layout,
    viewer: anonymous,
    name: undefined,
    csrfToken: undefined,
    theme: undefined,
    personalParts: [],
    language: code === undefined ? layout.language : getSiteTranslator(code, layout.site),
  };
  return renderPage(shared, <OfflinePage />);
}

function OfflinePage() {
  const { site, language } = useLayout();
  const { t, rich } = language;
  return (
    <Page
      title={t('offline.title')}
      isBare
      stylesheets={[formPageStylesheet, unsentStylesheet]}
      scripts={[unsentScript]}
    >
      <header class="site-header">
        <a class="logo" href="/">
          <SiteLogo />
          <bdi>{site.name}</bdi>
        </a>
      </header>
      <main id="main">
        <div class="narrow">
          <h1>{t('offline.title')}</h1>
          <p>{t('offline.help')}</p>
          <p data-without-key hidden>
            {t('offline.withoutKey')}
          </p>
          <section data-with-key hidden>
            <h2>{t('offline.write')}</h2>
            <p>{rich('offline.as', { name: <bdi data-name /> })}</p>
            <NewProjectForm />
          </section>
        </div>
      </main>
      <UnsentProjects />
    </Page>
  );
}

/** Its words are a text, its pictures make it a photo. The server chooses who may see it, as in the form of the account. */
function NewProjectForm() {
  const { site, language } = useLayout();
  const { t } = language;
  const offersPhotos = isTypeOffered(site.types, 'photo');
  if (!offersPhotos && !isTypeOffered(site.types, 'text')) return null;
  const { title, text } = projectFields;
  const { file } = getFileFields(language);
  const fields: Fields = {
    title,
    ...(offersPhotos && {
      file: { ...file, label: t('offline.pictures'), help: undefined, accept: 'image/*' },
    }),
    text: { ...text, help: undefined },
  };
  return (
    <form
      class="stacked-form"
      method="post"
      enctype="multipart/form-data"
      action={isTypeOffered(site.types, 'text') ? '/new/text/' : '/new/photo/'}
      data-with-pictures="/new/photo/"
    >
      <input type="hidden" name="status" value={String(draft)} />
      <FormFields fields={fields} />
      <button type="submit">{t('offline.keep')}</button>
    </form>
  );
}

/** Another page, with other styles and scripts, is another worker: browsers keep the new ones then. */
async function sendWorker(context: PageContext) {
  const { body } = renderOfflinePage(context);
  const html = String(body);
  const files = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="(\/(?:assets|accents)\/[^"]+)"/g)];
  const kept = {
    page: `${offlinePath}${context.url.search}`,
    files: files.map(([, path]) => path),
    version: Bun.hash(html).toString(36),
  };
  const headers = {
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
  };
  return prepareResponse(200, headers, `const kept = ${JSON.stringify(kept)};\n${workerJs}`);
}

export const offlineRoutes = [
  page(offlinePath, anyone, async (context) => renderOfflinePage(context)),
  page('/offline-worker.js/', anyone, sendWorker),
];
