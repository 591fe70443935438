// How a project is shared: its link, a QR code of it, and what features add.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { displayName } from '../../../core/contributors/contributor.ts';
import { aboutLicense, type License } from '../../../core/licenses.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { removeBidiControls } from '../../../core/pages/layout/layout.tsx';
import { useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import { projectPath, qrCodePath } from '../../../core/paths.ts';
import { draft, isPubliclyReadable, published, waiting } from '../../../core/project-status.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import type { Project } from '../../project.ts';

interface ShareProps {
  readonly project: Project;
  readonly origin: string;
}

export function Share({ sections, ...props }: ShareProps & { readonly sections: readonly Child[] }) {
  const { t } = useLanguage();
  const { visibility, status } = props.project;
  if (visibility === 'private' || !isPubliclyReadable(status)) return null;
  return (
    <details class="share">
      <summary>{t('share.title')}</summary>
      <ShareFields {...props} />
      {sections}
    </details>
  );
}

const ShareFields = cached(function ShareFields({ project, origin }: ShareProps) {
  return (
    <>
      <ShareLink project={project} origin={origin} id="share-address" />
      {project.license && <Credit project={project} origin={origin} license={project.license} />}
    </>
  );
});

/** For somebody who uses the work, to write beside it. */
export const creditText = ({ t }: Translator, project: Project, license: License, origin: string): string =>
  t('license.creditText', {
    title: removeBidiControls(project.title),
    name: displayName(project),
    license: aboutLicense(license).name,
    url: origin + projectPath(project),
  });

function Credit({ project, origin, license }: ShareProps & { readonly license: License }) {
  const language = useLanguage();
  const { t } = language;
  return (
    <>
      <label for="share-credit">{t('license.credit')}</label>
      <div class="share-link" data-copy={t('share.copy')} data-copied={t('share.copied')}>
        <input
          id="share-credit"
          type="text"
          readonly
          value={creditText(language, project, license, origin)}
          dir="auto"
        />
      </div>
    </>
  );
}

/** The script adds buttons that copy the link, or hand it to another app. */
function ShareLink({ project, origin, id }: ShareProps & { id: string }) {
  const { t } = useLanguage();
  const url = origin + projectPath(project);
  return (
    <>
      <label for={id}>{t('share.link')}</label>
      <div
        class="share-link"
        data-title={project.title}
        data-copy={t('share.copy')}
        data-copied={t('share.copied')}
        data-send={t('share.send')}
      >
        <input id={id} type="text" readonly value={url} dir="ltr" />
      </div>
      <p class="qr">
        <img src={qrCodePath(project)} width="148" height="148" alt={t('share.qr')} loading="lazy" />
        <span class="printed-link">{url}</span>
      </p>
    </>
  );
}

/** Where a form leads that has published a project. `asked`: the position of the last picture that was asked about. */
export const publishedPath = (project: Project, asked?: number): string =>
  `${projectPath(project)}?published${asked === undefined ? '' : `=${asked}`}`;

/** A project that waits for a review is published as far as its maker is concerned. */
export const pathAfterChange = (before: { readonly status: number }, after: Project): string =>
  before.status === draft && (after.status === published || after.status === waiting)
    ? publishedPath(after)
    : projectPath(after);

/** Congratulates the author once, after publishing, and asks for what is missing. */
export function PublishedNotice({ project, origin, children }: ShareProps & { readonly children: Child }) {
  const { viewer, language } = useLayout();
  const { t } = language;
  if (project.contributor !== viewer.contributor) return null;
  if (project.status === waiting) return children;
  if (project.status !== published) return null;
  return (
    <div class="published-notice">
      <div role="status">
        <PublishedDrawing />
        <p>
          <b>{t('share.published')}</b>
          <br />
          {t(`share.published.${project.visibility}`)}
        </p>
      </div>
      {children}
      {project.visibility !== 'private' && (
        <div class="share">
          <ShareLink project={project} origin={origin} id="published-address" />
        </div>
      )}
    </div>
  );
}

/** An object that lands on a shelf. */
function PublishedDrawing() {
  return (
    <svg viewBox="0 0 64 48" width="96" height="72" aria-hidden="true">
      <path class="ray" d="M32 4v6M14 9l4 5M50 9l-4 5M5 22l6 2M59 22l-6 2" />
      <rect class="object" x="22" y="16" width="20" height="22" rx="3" />
      <path class="shelf" d="M6 41h52" />
    </svg>
  );
}
