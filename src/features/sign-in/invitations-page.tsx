// /moderation/invitations/: makes invitations to sign up, shows them once as cards to print, and lists who used which.

import type { Text } from '#common/api-text.ts';
import { Invalid, NotFound } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { integerField, textField, toText } from '#rest/fields.ts';
import { raw } from '#rest/jsx/jsx-runtime.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { now } from '../../core/instant.ts';
import { printScript } from '../../core/pages/assets.ts';
import { accountPath, Byline, DateText, NameLink, Pager } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, Form, NamedAction, PostForm, QuietButton } from '../../core/pages/layout/form.tsx';
import { SiteLogo } from '../../core/pages/layout/layout.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage } from '../../core/pages/moderation-page.tsx';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { type ListPage, loadListPage } from '../../projects/pages/list/list-query.ts';
import { drawQrCode } from '../../projects/pages/project/qr-code.ts';
import {
  createInvitationCards,
  endInvitation,
  formatCode,
  type InvitationCard,
  type ListedInvitation,
  listInvitations,
  maxInvitations,
  nameInvitations,
} from './invitation.ts';
import { codePath } from './invitation-code-page.tsx';

const invitationsPath = '/moderation/invitations/';
const listPath = `${invitationsPath}list/`;
const pageSize = 50;

const nameField = textField({ label: '', maxLength: 100, isSingleLine: true, allowsBlank: true });

const getFields = ({ t }: Translator) => {
  const help = t('people.invitationHelp', { max: maxInvitations });
  const names = textField({
    label: t('invitations.names'),
    help: t('invitations.namesHelp'),
    maxLength: 6000,
    allowsBlank: true,
  });
  const count = integerField({
    label: t('people.invitationCount'),
    help,
    min: 1,
    max: maxInvitations,
  });
  const read = (value: unknown): string[] => {
    const lines = names
      .read(value)
      .split('\n')
      .flatMap((line) => nameField.read(line) || []);
    if (lines.length > maxInvitations) throw new InvalidValue(help);
    return lines;
  };
  return { names: { ...names, read }, count };
};

async function showInvitationsPage(context: PageContext) {
  const { database, viewer, url, formErrors, layout, t } = context;
  const isOfList = formErrors && !('count' in formErrors.values);
  const list = await loadListPage(listInvitations(database, viewer), url.query, pageSize);
  return context.render(
    <ModerationPage path={invitationsPath}>
      <div class="invitations">
        <section>
          <h2>{t('people.invite')}</h2>
          <PostForm
            action={invitationsPath}
            fields={getFields(layout.language)}
            values={{ count: 1 }}
            formErrors={isOfList ? undefined : formErrors}
            button={t('people.createInvitation')}
          />
        </section>
        <section>
          <h2>{t('invitations.list')}</h2>
          {isOfList && <ErrorSummary formErrors={formErrors} />}
          {list.count === 0 ? <p class="empty">{t('invitations.empty')}</p> : <InvitationList list={list} />}
          <Pager {...list} urlOf={createPageUrl(invitationsPath)} />
        </section>
      </div>
    </ModerationPage>,
  );
}

/** One form: its button saves all names, and the button of an invitation that too. */
function InvitationList({ list }: { list: ListPage<ListedInvitation> }) {
  const { t } = useLanguage();
  return (
    <Form action={`${listPath}?page=${list.number}`}>
      <ul class="rows">
        {list.items.map((invitation) => (
          <InvitationRow invitation={invitation} />
        ))}
      </ul>
      <QuietButton>{t('invitations.saveNames')}</QuietButton>
    </Form>
  );
}

function InvitationRow({ invitation }: { invitation: ListedInvitation }) {
  const { viewer, language, formErrors } = useLayout();
  const { t, rich } = language;
  const { hash, expires, name, used, username, maker } = invitation;
  const isOpen = used === null && expires > now();
  return (
    <li>
      <div class="form-field">
        <input
          type="text"
          name={`name_${hash}`}
          value={toText(formErrors?.values[`name_${hash}`] ?? name)}
          maxlength={100}
          dir="auto"
          autocomplete="off"
          aria-label={t('invitations.name')}
        />
        <Byline
          parts={[
            used !== null && username !== null
              ? rich('invitations.used', {
                  name: <NameLink href={accountPath(username)} name={username} />,
                  date: <DateText instant={used} />,
                })
              : rich(isOpen ? 'invitations.open' : 'invitations.ended', {
                  date: <DateText instant={expires} />,
                }),
            viewer.role === 'admin' && <bdi>{maker ?? t('site.operator')}</bdi>,
          ]}
        />
      </div>
      {isOpen && (
        <button class="quiet" type="submit" name="end" value={hash}>
          <NamedAction action={t('invitations.end')} name={name} />
        </button>
      )}
    </li>
  );
}

async function submitInvitations(context: PageContext) {
  const { viewer, origin, layout, t } = context;
  const { names = [], count = 1 } = await context.readForm(getFields(layout.language));
  const blank = Array.from({ length: Math.max(0, count - names.length) }, () => '');
  const cards = await createInvitationCards(context.database, viewer.contributor, [...names, ...blank]);
  const qrCodes: string[] = [];
  for (const { code } of cards) {
    qrCodes.push(drawQrCode(`${origin}/sign-up/?${new URLSearchParams({ invitation: formatCode(code) })}`));
    // Drawing takes some milliseconds: other requests come in between.
    await Bun.sleep(0);
  }
  return context.render(
    <ModerationPage path={invitationsPath} scripts={[printScript]}>
      <div class="narrow not-printed" role="status">
        <h2>{t('people.invitations', { count: cards.length })}</h2>
        <p>{t('people.invitation', { count: cards.length })}</p>
        <p>
          <button type="button" data-print hidden>
            {t('invitations.print')}
          </button>{' '}
          <a href={invitationsPath}>{t('invitations.back')}</a>
        </p>
      </div>
      <ol class="cards-to-print">
        {cards.map((card, index) => (
          <Card card={card} qrCode={qrCodes[index] ?? ''} address={origin + codePath} />
        ))}
      </ol>
    </ModerationPage>,
  );
}

interface CardProps {
  readonly card: InvitationCard;
  readonly qrCode: string;
  /** Where the code is typed. */
  readonly address: string;
}

function Card({ card: { code, name }, qrCode, address }: CardProps) {
  const { site, language } = useLayout();
  const { t, rich } = language;
  // Browsers add it to what is typed.
  const shownAddress = address.replace(/^https:\/\/|\/$/g, '');
  return (
    <li>
      <p class="card-site">
        <SiteLogo />
        <bdi>{site.name}</bdi>
      </p>
      <p class="card-code">{formatCode(code)}</p>
      <span class="printed-code" aria-hidden="true">
        {raw(qrCode)}
      </span>
      <ol>
        <li>{rich('card.open', { address: <bdi>{shownAddress}</bdi> })}</li>
        <li>{t('card.choose')}</li>
        <li>{t('card.write')}</li>
      </ol>
      <div class="card-lines">
        <p>
          {t('api.name')} <bdi>{name}</bdi>
        </p>
        <p>
          {t('people.username')} <bdi />
        </p>
      </div>
    </li>
  );
}

async function submitList(context: PageContext) {
  const { data } = await context.request.readBody();
  const names = new Map<string, string>();
  const errors: Record<string, Text[]> = {};
  for (const [member, value] of Object.entries(data)) {
    const [, hash] = /^name_([0-9a-f]{64})$/.exec(member) ?? [];
    if (hash === undefined) continue;
    try {
      names.set(hash, nameField.read(value));
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      errors[member] = [error.text];
    }
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  const ended = toText(data.end);
  if (ended !== '' && !/^[0-9a-f]{64}$/.test(ended)) throw new NotFound();
  await context.transact(async (write) => {
    await nameInvitations(write, names);
    if (ended !== '') await endInvitation(write, ended);
  });
  return seeOther(urlWithParameters(invitationsPath, context.url.query, {}));
}

export const invitationRoutes = [
  page([invitationsPath, listPath], 'invite', showInvitationsPage),
  form(invitationsPath, 'invite', submitInvitations),
  form(listPath, 'invite', submitList),
];
