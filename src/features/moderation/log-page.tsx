// /moderation/log/: the decisions of all moderators, filtered by moderator or project.

import { textField } from '#rest/fields.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { findAccountByUsername } from '../../core/accounts/account.ts';
import { parseId } from '../../core/ids.ts';
import { Pager } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, FormFields, QuietButton } from '../../core/pages/layout/form.tsx';
import type { FormErrors } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage } from '../../core/pages/moderation-page.tsx';
import { type PageContext, type PageDependencies, page } from '../../core/pages/page.ts';
import { parseProjectPath } from '../../core/paths.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { listDecisions } from './log.ts';
import { Decision } from './undo-page.tsx';

const path = '/moderation/log/';

const getFilterFields = ({ t }: Translator) => ({
  moderator: textField({
    label: t('log.moderator'),
    help: t('log.moderatorHelp'),
    maxLength: 150,
    allowsBlank: true,
  }),
  project: textField({
    label: t('log.project'),
    help: t('log.projectHelp'),
    maxLength: 300,
    allowsBlank: true,
  }),
});

async function showLogPage(context: PageContext) {
  const { query } = context.url;
  const values = { moderator: query.get('moderator') ?? '', project: query.get('project') ?? '' };
  const { language } = context.layout;
  const fields = getFilterFields(language);
  const { filter, errors } = await parseFilters(context, language, values);
  const filterErrors: FormErrors | undefined = Object.keys(errors).length ? { values, errors } : undefined;
  const logPage = filterErrors
    ? { items: [], count: 0, number: 1, last: 1 }
    : await loadListPage(listDecisions(context.database, filter), query);
  const filterQuery = new URLSearchParams(Object.entries(values).filter(([, text]) => text));
  return context.render(
    <ModerationPage path={path}>
      <ErrorSummary formErrors={context.formErrors ?? filterErrors} fields={fields} />
      <form class="stacked-form inline-form" action={path}>
        <FormFields fields={fields} values={values} formErrors={filterErrors} />
        <QuietButton>{language.t('log.filter')}</QuietButton>
      </form>
      {logPage.count === 0 ? (
        !filterErrors && <p class="empty">{language.t('log.empty')}</p>
      ) : (
        <ol class="rows">
          {logPage.items.map((entry) => (
            <li>
              <Decision entry={entry} />
            </li>
          ))}
        </ol>
      )}
      <Pager {...logPage} urlOf={createPageUrl(path, filterQuery)} />
    </ModerationPage>,
  );
}

/** Looks up the moderator and the project of the filter form; an unknown one is an error of its field. */
async function parseFilters(
  { database, projects }: PageDependencies,
  { t }: Translator,
  { moderator, project: text }: { moderator: string; project: string },
) {
  const errors: Record<string, string[]> = {};
  const account = moderator ? await findAccountByUsername(database, moderator) : undefined;
  if (moderator && !account) errors.moderator = [t('moderation.nobody')];
  const uuid = parseProjectPath(`${text.slice(Math.max(0, text.indexOf('/content/')))}/`);
  const project = uuid ? await projects.findIdByUuid(uuid) : parseId(text.trim());
  if (text && project === undefined) errors.project = [t('log.noProject')];
  return { filter: { moderator: account?.id, project }, errors };
}

export const logRoutes = [page([path, `${path}:id/undo/`], 'seeReports', showLogPage)];
