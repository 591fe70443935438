// The parts of classes on other pages: the name of a class, who sees work for one, the links between its pages, and cards
// as codes.

import sql from 'sql-template-tag';
import { chooseSignOutHeaders } from '#rest/authentication.ts';
import { exists } from '#sql';
import { type Sections, seeOther } from '../../core/pages/page.ts';
import { waiting } from '../../core/project-status.ts';
import { isAnonymous } from '../../core/viewer/viewer.ts';
import { canArrange } from '../collections/items.ts';
import { codePath } from '../sign-in/invitation-code-page.tsx';
import { isInClass, staysInClass } from './audience.ts';
import { findCard } from './cards.ts';
import { ClassSections } from './class-sections.tsx';
import { openForGuardian } from './guardian.tsx';
import { listClasses } from './my-class.tsx';
import { classListPath, myClassPath } from './path.ts';

export const sections: Sections = {
  'project.type': async ({ t }, { kind }) => (kind === 'class' ? t('classes.class') : undefined),
  'project.audience': async ({ database, t }, project) => {
    if (project.status === waiting && (await staysInClass(database, project)))
      return <p class="notice">{t('classes.staysInClass')}</p>;
    if (project.visibility !== 'class') return undefined;
    const isSeen = project.kind === 'class' || (await isInClass(database, project));
    return <p class="notice">{t(isSeen ? 'project.isForClass' : 'project.isInNoClass')}</p>;
  },
  'collection.head': async ({ viewer }, collection) =>
    collection.kind === 'class' && canArrange(viewer, collection) ? (
      <ClassSections collection={collection} section="" />
    ) : undefined,
  'setup.next': async (_, kind) => (kind === 'class' ? classListPath : undefined),
  /** Where people have cards, most of them have nothing else. */
  'signIn.first': async ({ database, t }) =>
    (await exists(database, sql`from account_card`)) ? (
      <>
        <p>
          <a class="button" href={codePath}>
            {t('classes.haveCode')}
          </a>
        </p>
        <p class="or">{t('signIn.or')}</p>
      </>
    ) : undefined,
  'list.filters': async (context) => {
    const collections = await listClasses(context);
    return collections.length > 0
      ? {
          label: context.t('myClass.title'),
          collections: collections.map(({ id, title }) => ({ id, title })),
        }
      : undefined;
  },
  /** A child signs in with the code of a card, and parents come to their page with theirs. */
  code: async (context, typed) => {
    const { accounts, authenticator, request, origin, viewer } = context;
    const card = await findCard(accounts, typed, request.client);
    if (!card) return undefined;
    if (card.purpose === 'guardian') return openForGuardian(context, card.hash);
    const { cookies } = await authenticator.startSession(request.headers, origin, card.owner);
    // Somebody else at the same screen is signed out.
    const headers = isAnonymous(viewer) ? undefined : chooseSignOutHeaders((await request.readBody()).data);
    return seeOther(myClassPath, cookies, headers);
  },
};
