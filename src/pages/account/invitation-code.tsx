// /code/: where people type the code of a printed invitation, and children that of their card.

import { Invalid } from '../../common/errors.ts';
import { textField } from '../../common/fields.ts';
import { findByCard } from '../../gallery/classes/cards.ts';
import { checkInvitation, formatCode, parseCode } from '../../gallery/sign-in/invitation.ts';
import { SingleFormPage } from '../layout/layout.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import type { Translator } from '../messages/translator.ts';
import { type PageContext, page, seeOther } from '../page.ts';

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
  const { layout, url, t } = context;
  if (layout.name !== undefined) return seeOther('/');
  return context.render(
    <SingleFormPage
      title={t('code.title')}
      note={t('code.note')}
      action={codePath}
      fields={getFields(layout.language)}
      values={{ code: url.query.get('code') ?? '' }}
      button={t('code.next')}
    />,
  );
}

async function submitCode(context: PageContext) {
  const { accounts, authenticator, request, origin, layout, t } = context;
  const typed = (await context.readForm(getFields(layout.language))).code;
  const code = parseCode(typed);
  const child = await findByCard(accounts, 'sign_in', typed, request.client);
  if (child) {
    const { cookies } = await authenticator.startSession(request.headers, origin, child);
    return seeOther('/', cookies);
  }
  if (code === undefined || !(await checkInvitation(accounts, code, request.client)))
    throw new Invalid({ code: [t('code.wrong')] });
  return seeOther(`/sign-up/?${new URLSearchParams({ invitation: formatCode(code) })}`);
}

export const codeRoutes = [page(codePath, 'signUp', showCodePage, submitCode)];
