// /guardian/: what a parent sees with the code from the slip of a child's card: the child's works with their pictures, all
// data as a ZIP, and an end to the account. The code is in no address that stays: a cookie takes its place for 15 minutes.

import { Invalid, NotFound, Unavailable } from '#common/errors.ts';
import { textField, toText } from '#rest/fields.ts';
import { raw } from '#rest/jsx/jsx-runtime.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { buildServerCookie, readServerCookie } from '#rest/server-cookie.ts';
import { transact } from '../../core/changes/transact.ts';
import type { Contributor } from '../../core/contributors/contributor.ts';
import type { Size } from '../../core/files/stored-files.ts';
import { requireId } from '../../core/ids.ts';
import { pictureName, type TextPicture } from '../../core/markdown/pictures.ts';
import { renderMarkdown } from '../../core/markdown/rendering.ts';
import { Byline, DateText, LinkLine, Pager } from '../../core/pages/layout/components.tsx';
import { ButtonForm } from '../../core/pages/layout/form.tsx';
import { FormPage, Page, SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { anyone, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { published, statusNames } from '../../core/project-status.ts';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import type { Media } from '../../projects/media/media.ts';
import { loadMedia } from '../../projects/media/media-rows.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { projectStylesheet } from '../../projects/pages/project-assets.ts';
import { updateAfter } from '../../projects/people/contributor-updates.ts';
import type { Project } from '../../projects/project.ts';
import { newestFirst } from '../../projects/project-order.ts';
import { generateOwnArchive } from '../own-data/archive.ts';
import { findCard, findOwner } from './cards.ts';
import { endByGuardian } from './pupils.ts';

export const guardianPath = '/guardian/';

const cookieName = 'guardian';
const seconds = 15 * 60;

/** It names the card: a new one ends it. */
interface Ticket {
  readonly hash: string;
}

/** Also for the next person at the same screen. */
const closeForGuardian = ({ origin }: PageContext): PreparedResponse =>
  seeOther(guardianPath, [buildServerCookie(cookieName, origin, undefined, 'Lax')]);

export function openForGuardian({ origin, pendingSignIns }: PageContext, hash: string): PreparedResponse {
  const value = pendingSignIns.seal(cookieName, { hash } satisfies Ticket, seconds);
  return seeOther(guardianPath, [buildServerCookie(cookieName, origin, { value, seconds }, 'Lax')]);
}

/** The child of the parent who looks, if they have given the code. */
async function findChild({ database, origin, pendingSignIns, request }: PageContext) {
  const value = readServerCookie(cookieName, origin, request.headers);
  const ticket = pendingSignIns.open<Ticket>(cookieName, value);
  return ticket && (await findOwner(database, ticket.hash));
}

async function requireChild(context: PageContext): Promise<Contributor> {
  const child = await findChild(context);
  if (!child) throw new NotFound();
  return child;
}

/** Undefined for a wrong code. */
async function openWithCode(context: PageContext, typed: string): Promise<PreparedResponse | undefined> {
  const card = await findCard(context.accounts, typed.slice(0, 40), context.request.client);
  return card?.purpose === 'guardian' ? openForGuardian(context, card.hash) : undefined;
}

const codeField = { maxLength: 40, isSingleLine: true, required: true, autocomplete: 'off' } as const;

async function showGuardianPage(context: PageContext): Promise<PreparedResponse> {
  const { url, formErrors, t } = context;
  // The picture on the slip leads here with the code.
  const code = url.query.get('code');
  if (code !== null && !formErrors) {
    const errors = { values: { code }, errors: { code: [t('guardian.wrong')] } };
    return (await openWithCode(context, code)) ?? showGuardianPage({ ...context, formErrors: errors });
  }
  const child = formErrors ? undefined : await findChild(context);
  if (child) return showChild(context, child);
  return context.render(
    <SingleFormPage
      title={t('guardian.title')}
      note={t('guardian.note')}
      action={guardianPath}
      fields={{ code: textField({ ...codeField, label: t('code.label') }) }}
      button={t('code.next')}
    />,
  );
}

/** Also while the account is disabled. */
const toViewer = ({ id }: Contributor): Viewer => ({ ...anonymous, contributor: id, seesNoCopies: true });

async function showChild(context: PageContext, child: Contributor) {
  const { database, projects, url, t } = context;
  const listing = projects.list(toViewer(child), projects.parseFilter('contributor', 'me'), newestFirst);
  const works = await loadListPage(listing, url.query);
  const media = await loadMedia(
    database,
    works.items.map(({ id }) => id),
  );
  const picturesOf = ({ id }: Project) => (media.get(id) ?? []).filter(isOwnPicture);
  const texts = await renderMarkdown(
    works.items.map((work) => ({
      text: work.text,
      title: work.title,
      level: 4,
      pictures: picturesOf(work).map(toTextPicture),
    })),
  );
  return context.render(
    <Page title={t('guardian.of', { name: child.username })} stylesheets={[projectStylesheet]}>
      <div class="narrow">
        <h1>{t('guardian.of', { name: child.username })}</h1>
        <p>{t('guardian.explained')}</p>
        <ButtonForm action={guardianPath} variant="quiet" values={{ close: 1 }}>
          {t('guardian.close')}
        </ButtonForm>
        <h2>{t('guardian.works', { count: works.count })}</h2>
        {works.items.map((work, index) => (
          <ChildsWork work={work} pictures={picturesOf(work)} html={texts[index] ?? ''} />
        ))}
        <Pager {...works} urlOf={createPageUrl(guardianPath)} />
        <p>
          <a class="button quiet" href={`${guardianPath}zip/`} download>
            {t('guardian.zip')}
          </a>
        </p>
        <h2>{t('guardian.end')}</h2>
        <p>{t('guardian.endHelp')}</p>
        <p>
          <a class="button danger" href={`${guardianPath}end/`}>
            {t('guardian.end')}
          </a>
        </p>
      </div>
    </Page>,
  );
}

/** Not one that came with a remix. */
const isOwnPicture = ({ origin, type }: Media) => origin === null && type.startsWith('image/');

const shownWidth = 1280;

const chooseSize = ({ sizes }: Media): Size | undefined =>
  sizes.findLast(({ width }) => (width ?? 0) <= shownWidth) ?? sizes[0];

const toAttributes = (picture: Media) => {
  const { width, height } = chooseSize(picture) ?? {};
  return {
    src: `${guardianPath}pictures/${picture.project}/${picture.number}/`,
    ...(width && height && { width: String(width), height: String(height) }),
  };
};

function toTextPicture(picture: Media): TextPicture {
  const attributes = toAttributes(picture);
  return { name: pictureName(picture.name), alt: picture.alt, href: attributes.src, attributes };
}

interface ChildsWorkProps {
  readonly work: Project;
  readonly pictures: readonly Media[];
  readonly html: string;
}

function ChildsWork({ work, pictures, html }: ChildsWorkProps) {
  const { t } = useLanguage();
  const state =
    work.status === published
      ? work.visibility !== 'public' && t(`visibility.${work.visibility}`)
      : t(`status.${statusNames[work.status]}`);
  const others = pictures.filter((picture) => !html.includes(`src="${toAttributes(picture).src}"`));
  return (
    <article class="childs-work">
      <h3>
        <bdi>{work.title}</bdi>
      </h3>
      <Byline parts={[t(`type.${work.content_type}`), <DateText instant={work.created} isAgo />, state]} />
      {others.map((picture) => (
        <img {...toAttributes(picture)} alt={picture.alt} loading="lazy" />
      ))}
      {html && (
        <div class="text" dir="auto">
          {raw(html)}
        </div>
      )}
    </article>
  );
}

async function sendPicture(context: PageContext) {
  const { database, projects, files, params } = context;
  const child = await requireChild(context);
  const [project, number] = [requireId(params.project), requireId(params.number)];
  const { contributor } = await projects.find(toViewer(child), project);
  const media = (await loadMedia(database, [project])).get(project) ?? [];
  const picture = media.filter(isOwnPicture).find((one) => one.number === number);
  const size = picture && chooseSize(picture);
  if (contributor !== child.id || !picture || !size) throw new NotFound();
  if ((await files.size(size.hash)) !== size.bytes)
    throw new Unavailable(`the file ${size.hash} is missing from the file store`);
  const headers = {
    'Content-Type': picture.type,
    'Content-Length': String(size.bytes),
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'no-store',
  };
  return { ...prepareResponse(200, headers), streamBody: () => files.stream(size.hash, 0, size.bytes) };
}

async function showEndPage(context: PageContext) {
  const { t } = context;
  const child = await findChild(context);
  if (!child) return seeOther(guardianPath);
  return context.render(
    <FormPage title={t('guardian.endTitle', { name: child.username })}>
      <p>{t('guardian.endHelp')}</p>
      <ButtonForm action={`${guardianPath}end/`} variant="danger">
        {t('guardian.end')}
      </ButtonForm>
      <LinkLine href={guardianPath}>{t('classes.back')}</LinkLine>
    </FormPage>,
  );
}

async function submitEnd(context: PageContext) {
  const { database, t } = context;
  const child = await requireChild(context);
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
  const { request, origin, archiveDownloads } = context;
  const child = await findChild(context);
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
    const { code, close } = (await context.request.readBody()).data;
    if (close !== undefined) return closeForGuardian(context);
    const opened = await openWithCode(context, toText(code));
    if (!opened) throw new Invalid({ code: [context.t('guardian.wrong')] });
    return opened;
  }),
  page(`${guardianPath}pictures/:project/:number/`, anyone, sendPicture),
  page(`${guardianPath}end/`, anyone, showEndPage, submitEnd),
  page(`${guardianPath}zip/`, anyone, sendZip),
];
