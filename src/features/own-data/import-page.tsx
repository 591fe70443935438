// /account/import/: brings one's own projects from another gallery, and tells what became of each.

import type { Fields } from '#rest/fields.ts';
import type { Child } from '#rest/jsx/jsx-runtime.ts';
import type { PreparedResponse } from '#rest/prepared-response.ts';
import { accountSections } from '../../core/pages/account-sections.tsx';
import { LinkLine, NameLink } from '../../core/pages/layout/components.tsx';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { type PageContext, page } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { ChosenFileTemplate } from '../../projects/pages/editing/chosen-file.tsx';
import { uploadAttributes } from '../../projects/pages/editing/upload.ts';
import { filesStylesheet, uploadScript } from '../../projects/pages/project-assets.ts';
import { type ImportedProject, type ImportResult, importOwnData, type Reason } from './import.ts';
import { escapeSource, importFields } from './lines.ts';
import { importPath } from './path.ts';

const getFields = ({ t }: Translator) =>
  ({
    file: { ...importFields.file, label: t('import.file'), help: t('import.fileHelp') },
  }) satisfies Fields;

async function submitImport(context: PageContext): Promise<PreparedResponse> {
  const { language } = context.layout;
  const { file } = await context.readForm(getFields(language));
  const result = await importOwnData(context, context.viewer, file, (source) => {
    const { title, name, url } = escapeSource(source);
    return `${language.t('cards.remixOf', { project: `“${title}”`, name })}, ${url}`;
  });
  return renderImportPage(context, result);
}

async function renderImportPage(context: PageContext, result?: ImportResult) {
  const { uploads, layout, formErrors, t } = context;
  const fields = getFields(layout.language);
  return context.render(
    <FormPage
      aside={accountSections(context)}
      title={t('import.title')}
      stylesheets={[filesStylesheet]}
      scripts={[uploadScript]}
    >
      {result && <Result result={result} />}
      <p>{t('import.help')}</p>
      <PostForm
        action={importPath}
        enctype="multipart/form-data"
        {...uploadAttributes(layout.language, { maxBytes: uploads.maxArchiveBytes })}
        fields={fields}
        formErrors={formErrors}
        button={t('import.button')}
        buttonAttributes={{ 'data-sending': t('import.sending') }}
        after={<ChosenFileTemplate />}
      />
      <LinkLine href="/account/">{t('account.title')}</LinkLine>
    </FormPage>,
  );
}

/** The script for uploads shows it in place of the form's page. */
function Result({ result: { projects, commentsLeftOut } }: { result: ImportResult }) {
  const { t, rich } = useLanguage();
  const groups = Object.groupBy(projects, ({ outcome }) => outcome);
  const {
    brought = [],
    already_here: alreadyHere = [],
    left_out: leftOut = [],
    not_yet: notYet = [],
  } = groups;
  return (
    <section data-result tabindex={-1} role="status">
      <p class="notice">
        {rich('import.brought', {
          count: brought.length,
          link: (text: Child) => <a href="/mine/?show=drafts">{text}</a>,
        })}
      </p>
      <ProjectList projects={brought} />
      {notYet.length > 0 && (
        <p>
          <b>{t('import.notYet', { count: notYet.length })}</b>
        </p>
      )}
      <ProjectList projects={notYet.filter(({ reasons }) => reasons.length > 0)} />
      {alreadyHere.length > 0 && <p>{t('import.alreadyHere', { count: alreadyHere.length })}</p>}
      {leftOut.length > 0 && <h2>{t('import.leftOut')}</h2>}
      <ProjectList projects={leftOut} />
      {commentsLeftOut > 0 && <p>{t('import.comments', { count: commentsLeftOut })}</p>}
    </section>
  );
}

const maxShown = 200;

function ProjectList({ projects }: { projects: readonly ImportedProject[] }) {
  const { t } = useLanguage();
  if (projects.length === 0) return null;
  return (
    <>
      <ul>
        {projects.slice(0, maxShown).map(({ title, copy, reasons }) => (
          <li>
            {copy ? <NameLink href={projectPath(copy)} name={title} /> : <bdi>{title}</bdi>}
            {reasons.map((reason) => (
              <ReasonText {...reason} />
            ))}
          </li>
        ))}
      </ul>
      {projects.length > maxShown && <p>{t('list.more', { count: projects.length - maxShown })}</p>}
    </>
  );
}

function ReasonText({ subject, text }: Reason) {
  return (
    <>
      <br />
      {subject && (
        <>
          <bdi>{subject}</bdi>:{' '}
        </>
      )}
      {useLanguage().translate(text)}
    </>
  );
}

export const importOwnDataRoutes = [
  { ...page(importPath, 'makeProject', renderImportPage, submitImport), acceptsArchive: true },
];
