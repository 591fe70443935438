// /code/: where people type the code of a printed invitation, or a code of a feature.

import { Invalid } from '#common/errors.ts';
import { textField } from '#rest/fields.ts';
import type { PreparedResponse } from '#rest/prepared-response.ts';
import { SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { loadSections, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { checkInvitation, formatCode, parseCode } from './invitation.ts';

declare module '../../core/pages/page.ts' {
  interface Places {
    /** The response to somebody who types a code that is no invitation. */
    code: Section<string, PreparedResponse>;
  }
}

export const codePath = '/code/';

export const CodeLink = () => (
  <p>{useLanguage().rich('code.link', { link: (text) => <a href={codePath}>{text}</a> })}</p>
);

const getFields = ({ t }: Translator) => ({
  code: textField({
    label: t('code.label'),
    maxLength: 40,
    isSingleLine: true,
    required: true,
    autocomplete: 'off',
  }),
});

async function showCodePage(context: PageContext) {
  const { layout, url, t, rich } = context;
  const { name } = layout;
  return context.render(
    <SingleFormPage
      title={t('code.title')}
      note={
        <>
          {name !== undefined && rich('code.signedIn', { name: <bdi>{name}</bdi> })} {t('code.note')}
        </>
      }
      action={codePath}
      fields={getFields(layout.language)}
      values={{ code: url.query.get('code') ?? '' }}
      button={t('code.next')}
    />,
  );
}

async function submitCode(context: PageContext) {
  const { accounts, request, layout, t } = context;
  const typed = (await context.readForm(getFields(layout.language))).code;
  const code = parseCode(typed);
  const [response] = await loadSections(context, 'code', typed);
  if (response) return response;
  if (code === undefined || !(await checkInvitation(accounts, code, request.client)))
    throw new Invalid({ code: [t('code.wrong')] });
  return seeOther(`/sign-up/?${new URLSearchParams({ invitation: formatCode(code) })}`);
}

export const codeRoutes = [page(codePath, 'signUp', showCodePage, submitCode)];
