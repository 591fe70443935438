// /guardian/: what a parent sees with the code from the slip of a child's card: the child's works, all data as a ZIP, and an
// end to the account.

import { Invalid } from '#common/errors.ts';
import { textField, toText } from '#rest/fields.ts';
import { raw } from '#rest/jsx/jsx-runtime.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { prepareResponse } from '#rest/prepared-response.ts';
import { transact } from '../../core/changes/transact.ts';
import type { Contributor } from '../../core/contributors/contributor.ts';
import { renderMarkdown } from '../../core/markdown/rendering.ts';
import { Byline, DateText, Pager } from '../../core/pages/layout/components.tsx';
import { ButtonForm } from '../../core/pages/layout/form.tsx';
import { FormPage, Page, SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { anyone, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { projectStylesheet } from '../../projects/pages/project-assets.ts';
import { updateAfter } from '../../projects/people/contributor-updates.ts';
import type { Project } from '../../projects/project.ts';
import { newestFirst } from '../../projects/project-order.ts';
import { generateOwnArchive } from '../own-data/archive.ts';
import { findByCard } from './cards.ts';
import { endByGuardian } from './pupils.ts';

export const guardianPath = '/guardian/';

const pathOf = (part: string, code: string) => `${guardianPath}${part}?${new URLSearchParams({ code })}`;

const codeField = { label: '', maxLength: 40, isSingleLine: true, required: true } as const;

/** The child whose slip has the code; undefined for a wrong one. */
const findChild = ({ accounts, request }: PageContext, code: string): Promise<Contributor | undefined> =>
  findByCard(accounts, 'guardian', code, request.client);

async function showGuardianPage(context: PageContext) {
  const { url, t } = context;
  const code = url.query.get('code') ?? '';
  const child = code === '' ? undefined : await findChild(context, code);
  if (child) return showChild(context, child, code);
  if (code !== '' && !context.formErrors)
    return showGuardianPage({
      ...context,
      formErrors: { values: { code }, errors: { code: [t('guardian.wrong')] } },
    });
  return context.render(
    <SingleFormPage
      title={t('guardian.title')}
      note={t('guardian.note')}
      action={guardianPath}
      fields={{ code: textField({ ...codeField, label: t('code.label'), autocomplete: 'off' }) }}
      button={t('code.next')}
    />,
  );
}

/** Also while the account is disabled. */
const toViewer = ({ id }: Contributor): Viewer => ({ ...anonymous, contributor: id, seesNoCopies: true });

async function showChild(context: PageContext, child: Contributor, code: string) {
  const { projects, url, t } = context;
  const viewer = toViewer(child);
  const listing = projects.list(viewer, projects.parseFilter('contributor', 'me'), newestFirst);
  const works = await loadListPage(listing, url.query);
  const texts = await renderMarkdown(works.items.map(({ text, title }) => ({ text, title, level: 4 })));
  const pageUrl = createPageUrl(guardianPath, new URLSearchParams({ code }));
  return context.render(
    <Page title={t('guardian.of', { name: child.username })} stylesheets={[projectStylesheet]}>
      <div class="narrow">
        <h1>{t('guardian.of', { name: child.username })}</h1>
        <p>{t('guardian.explained')}</p>
        <div class="buttons">
          <a class="button quiet" href={pathOf('zip/', code)} download>
            {t('guardian.zip')}
          </a>
          <a class="button danger" href={pathOf('end/', code)}>
            {t('guardian.end')}
          </a>
        </div>
        <h2>{t('guardian.works', { count: works.count })}</h2>
        {works.items.map((work, index) => (
          <ChildsWork work={work} html={texts[index] ?? ''} />
        ))}
        <Pager {...works} urlOf={pageUrl} />
      </div>
    </Page>,
  );
}

function ChildsWork({ work, html }: { work: Project; html: string }) {
  const { t } = useLanguage();
  return (
    <article>
      <h3>
        <bdi>{work.title}</bdi>
      </h3>
      <Byline
        parts={[
          t(`type.${work.content_type}`),
          <DateText instant={work.created} />,
          work.visibility !== 'public' && t(`visibility.${work.visibility}`),
        ]}
      />
      {html && (
        <div class="text" dir="auto">
          {raw(html)}
        </div>
      )}
    </article>
  );
}

/** The child of the code in the address or the form; the page asks for another code if it is wrong. */
async function requireChild(context: PageContext, code: string): Promise<Contributor> {
  const child = await findChild(context, code);
  if (!child) throw new Invalid({ code: [context.t('guardian.wrong')] });
  return child;
}

async function showEndPage(context: PageContext) {
  const { url, t } = context;
  const code = toText(context.formErrors?.values.code ?? url.query.get('code') ?? '');
  const child = await findChild(context, code);
  if (!child) return seeOther(guardianPath);
  return context.render(
    <FormPage title={t('guardian.endTitle', { name: child.username })}>
      <p>{t('guardian.endHelp')}</p>
      <ButtonForm action={`${guardianPath}end/`} variant="danger" values={{ code }}>
        {t('guardian.end')}
      </ButtonForm>
      <p>
        <a href={pathOf('', code)}>{t('classes.back')}</a>
      </p>
    </FormPage>,
  );
}

async function submitEnd(context: PageContext) {
  const { database, t } = context;
  const child = await requireChild(context, toText((await context.request.readBody()).data.code));
  await updateAfter(database, child.id, () =>
    transact(database, null, (write) => endByGuardian(write, child.id)),
  );
  return context.render(
    <FormPage title={t('guardian.ended')}>
      <p>{t('guardian.endedHelp')}</p>
    </FormPage>,
  );
}

async function sendZip(context: PageContext) {
  const { request, origin, url, archiveDownloads } = context;
  const child = await findChild(context, url.query.get('code') ?? '');
  if (!child) return seeOther(guardianPath);
  const viewer = toViewer(child);
  const chunks = generateOwnArchive(context, viewer, request.headers, origin);
  const headers = {
    'Content-Type': 'application/zip',
    'Content-Disposition': `attachment; filename="${child.username.replace(/[^\w.-]/g, '_')}.zip"`,
    'Cache-Control': 'no-store',
  };
  const streamBody = await archiveDownloads.start(String(child.id), chunks);
  return { ...prepareResponse(200, headers), streamBody };
}

export const guardianRoutes = [
  page(guardianPath, anyone, showGuardianPage, async (context) => {
    const code = toText((await context.request.readBody()).data.code).slice(0, 40);
    await requireChild(context, code);
    return seeOther(pathOf('', code));
  }),
  page(`${guardianPath}end/`, anyone, showEndPage, submitEnd),
  page(`${guardianPath}zip/`, anyone, sendZip),
];
