// Invitations to sign up: the form on /moderation/people/, and the page that shows new invitations once.

import { integerField } from '../../common/fields.ts';
import { createInvitations, maxInvitations } from '../../gallery/sign-in/sign-up.ts';
import { raw } from '../../jsx/jsx-runtime.ts';
import { Form, FormFields } from '../layout/form.tsx';
import { type FormErrors, useLanguage } from '../layout/layout-data.ts';
import type { Translator } from '../messages/translator.ts';
import { form, type PageContext } from '../page.ts';
import { drawQrCode } from '../project/qr-code.ts';
import { ModerationPage } from './moderation-page.tsx';

const path = '/moderation/people/';

export const getInvitationFields = ({ t }: Translator) => ({
  count: integerField({
    label: t('people.invitationCount'),
    help: t('people.invitationHelp', { max: maxInvitations }),
    min: 1,
    max: maxInvitations,
  }),
});

export function InvitationForm({ formErrors }: { formErrors: FormErrors | undefined }) {
  const language = useLanguage();
  return (
    <section class="narrow" aria-labelledby="invitation">
      <h2 id="invitation">{language.t('people.invite')}</h2>
      <Form class="stacked-form inline-form" action={`${path}invitation/`}>
        <FormFields fields={getInvitationFields(language)} values={{ count: 1 }} formErrors={formErrors} />
        <button class="quiet" type="submit">
          {language.t('people.createInvitation')}
        </button>
      </Form>
    </section>
  );
}

async function submitInvitations(context: PageContext) {
  const { viewer, origin, layout, t } = context;
  const { count } = await context.readForm(getInvitationFields(layout.language));
  const { secrets } = await createInvitations(context.database, viewer.contributor, count);
  const invitations: LinkWithQrCode[] = [];
  for (const secret of secrets) {
    invitations.push(withQrCode(`${origin}/sign-up/?${new URLSearchParams({ invitation: secret })}`));
    // Drawing takes some milliseconds: other requests come in between.
    await Bun.sleep(0);
  }
  return context.render(
    <ModerationPage path={path}>
      <div role="status">
        <h2>{t('people.invitations', { count: secrets.length })}</h2>
        <p class="narrow">{t('people.invitation', { count: secrets.length })}</p>
        <LinkList links={invitations} />
        <p>
          <a href={path}>{t('people.back')}</a>
        </p>
      </div>
    </ModerationPage>,
  );
}

interface LinkWithQrCode {
  readonly href: string;
  readonly qrCode: string;
}

export const withQrCode = (href: string): LinkWithQrCode => ({ href, qrCode: drawQrCode(href) });

/** Links to hand out: each can be cut out of a print. */
export function LinkList({ links }: { links: readonly LinkWithQrCode[] }) {
  return (
    <ol class="links-to-print">
      {links.map(({ href, qrCode }) => (
        <li>
          <span class="printed-code" aria-hidden="true">
            {raw(qrCode)}
          </span>
          <code class="secret">{href}</code>
        </li>
      ))}
    </ol>
  );
}

export const invitationRoutes = [form(`${path}invitation/`, 'invite', submitInvitations)];
