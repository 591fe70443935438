// The cards of accounts that a class looks after, to print: one to sign in with, and a slip for parents. The codes are not
// shown again.

import { raw } from '#rest/jsx/jsx-runtime.ts';
import { adminStylesheet, printScript } from '../../core/pages/assets.ts';
import { SiteLogo } from '../../core/pages/layout/layout.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../core/pages/page.ts';
import { drawQrCode } from '../../projects/pages/project/qr-code.ts';
import type { Project } from '../../projects/project.ts';
import { formatCode } from '../sign-in/invitation.ts';
import { codePath } from '../sign-in/invitation-code-page.tsx';
import type { Card } from './cards.ts';
import { ClassPage, classPath } from './class-page.tsx';
import { guardianPath } from './guardian.tsx';

export async function renderCards(context: PageContext, collection: Project, cards: readonly Card[]) {
  const { origin, t } = context;
  const drawn: DrawnCard[] = [];
  for (const card of cards) {
    const draw = (path: string, code: string) =>
      drawQrCode(`${origin}${path}?${new URLSearchParams({ code: formatCode(code) })}`);
    drawn.push({
      ...card,
      qrCode: draw(codePath, card.code),
      guardianQrCode: draw(guardianPath, card.guardianCode),
    });
    // Drawing takes some milliseconds: other requests come in between.
    await Bun.sleep(0);
  }
  return context.render(
    <ClassPage
      collection={collection}
      section="class/"
      stylesheets={[adminStylesheet]}
      scripts={[printScript]}
    >
      <div class="narrow not-printed" role="status">
        <h2>{t('classes.cards', { count: cards.length })}</h2>
        <p>{t('classes.cardsHelp')}</p>
        <p>
          <button type="button" data-print hidden>
            {t('invitations.print')}
          </button>{' '}
          <a href={classPath(collection, 'class/')}>{t('classes.back')}</a>
        </p>
      </div>
      <ol class="cards-to-print">
        {drawn.map((card) => (
          <>
            <SignInCard card={card} address={origin + codePath} />
            <GuardianSlip card={card} address={origin + guardianPath} />
          </>
        ))}
      </ol>
    </ClassPage>,
  );
}

interface DrawnCard extends Card {
  readonly qrCode: string;
  readonly guardianQrCode: string;
}

interface CardProps {
  readonly card: DrawnCard;
  /** Where the code is typed. */
  readonly address: string;
}

/** Browsers add the rest to what is typed. */
const shorten = (address: string) => address.replace(/^https:\/\/|\/$/g, '');

function SignInCard({ card, address }: CardProps) {
  const { site, language } = useLayout();
  const { t, rich } = language;
  return (
    <li>
      <p class="card-site">
        <SiteLogo />
        <bdi>{site.name}</bdi>
      </p>
      <p class="card-code">{formatCode(card.code)}</p>
      <span class="printed-code" aria-hidden="true">
        {raw(card.qrCode)}
      </span>
      <ol>
        <li>{rich('card.open', { address: <bdi>{shorten(address)}</bdi> })}</li>
        <li>{t('classes.cardSignIn')}</li>
      </ol>
      <div class="card-lines">
        <p>
          {t('people.username')} <bdi>{card.username}</bdi>
        </p>
      </div>
    </li>
  );
}

function GuardianSlip({ card, address }: CardProps) {
  const { site, language } = useLayout();
  const { t, rich } = language;
  return (
    <li>
      <p class="card-site">
        <SiteLogo />
        <bdi>{site.name}</bdi>
      </p>
      <p class="card-code">{formatCode(card.guardianCode)}</p>
      <span class="printed-code" aria-hidden="true">
        {raw(card.guardianQrCode)}
      </span>
      <ol>
        <li>
          {rich('classes.slip', { name: <bdi>{card.username}</bdi>, address: <bdi>{shorten(address)}</bdi> })}
        </li>
        <li>{t('classes.slipHelp')}</li>
      </ol>
    </li>
  );
}
