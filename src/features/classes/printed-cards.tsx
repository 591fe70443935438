// The cards of accounts that a class looks after, to print: one to sign in with, and a slip for parents. The codes are not
// shown again.

import { raw } from '#rest/jsx/jsx-runtime.ts';
import { adminStylesheet, printScript } from '../../core/pages/assets.ts';
import { SiteLogo } from '../../core/pages/layout/layout.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../core/pages/page.ts';
import { drawQrCode } from '../../projects/pages/project/qr-code.ts';
import type { Project } from '../../projects/project.ts';
import { formatCode } from '../sign-in/invitation.ts';
import { codePath } from '../sign-in/invitation-code-page.tsx';
import type { Card } from './cards.ts';
import { ClassPage, classPath } from './class-page.tsx';
import { FirstSteps } from './first-steps.tsx';
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
      <FirstSteps current="cards" />
      <div class="narrow not-printed" role="status">
        <h2>{t('classes.cards', { count: cards.length })}</h2>
        <p>{t('classes.cardsHelp')}</p>
        <p>
          <button type="button" data-print hidden>
            {t('invitations.print')}
          </button>{' '}
          <a href={classPath(collection, 'class/')}>{t('classes.back')}</a>
        </p>
        <p>
          <label>
            <input type="checkbox" id="page-each" /> {t('classes.pageEach')}
          </label>
        </p>
      </div>
      <ol class="cards-to-print of-class">
        {drawn.map((card) => (
          <>
            <SignInCard card={card} title={collection.title} address={origin + codePath} />
            <GuardianSlip card={card} title={collection.title} address={origin + guardianPath} />
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
  /** Of the class. */
  readonly title: string;
  /** Where the code is typed. */
  readonly address: string;
}

/** Browsers add the rest to what is typed. */
const shorten = (address: string) => address.replace(/^https:\/\/|\/$/g, '');

function SignInCard({ card, title, address }: CardProps) {
  const { t, rich } = useLanguage();
  return (
    <li>
      <CardHead title={title} />
      <p class="card-name">
        <bdi>{card.username}</bdi>
      </p>
      <CardCode code={card.code} qrCode={card.qrCode} />
      <ol>
        <li>{rich('card.open', { address: <bdi>{shorten(address)}</bdi> })}</li>
        <li>{t('classes.cardSignIn')}</li>
      </ol>
    </li>
  );
}

function GuardianSlip({ card, title, address }: CardProps) {
  const { t, rich } = useLanguage();
  return (
    <li class="for-parents">
      <CardHead title={title} />
      <p class="card-name">{rich('classes.slipFor', { name: <bdi>{card.username}</bdi> })}</p>
      <CardCode code={card.guardianCode} qrCode={card.guardianQrCode} />
      <ol>
        <li>{rich('classes.slip', { address: <bdi>{shorten(address)}</bdi> })}</li>
        <li>{t('classes.slipHelp')}</li>
      </ol>
    </li>
  );
}

function CardHead({ title }: Pick<CardProps, 'title'>) {
  const { site } = useLayout();
  return (
    <p class="card-site">
      <SiteLogo />
      <span>
        <bdi>{site.name}</bdi> · <bdi>{title}</bdi>
      </span>
    </p>
  );
}

const CardCode = ({ code, qrCode }: { code: string; qrCode: string }) => (
  <>
    <p class="card-code">{formatCode(code)}</p>
    <span class="printed-code" aria-hidden="true">
      {raw(qrCode)}
    </span>
  </>
);
