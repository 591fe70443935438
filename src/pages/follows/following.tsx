// /following/: the people and tags that the viewer follows, and the form of every button that follows one.

import { displayName } from '../../gallery/contributors/contributor.ts';
import {
  follow,
  listFollowedContributors,
  listFollowedTags,
  maxFollows,
  unfollow,
} from '../../gallery/follows/follow.ts';
import { requireId } from '../../gallery/ids.ts';
import { contributorPath } from '../../gallery/paths.ts';
import { tagHref } from '../home/tags.tsx';
import { NameLink, Rows } from '../layout/components.tsx';
import { ErrorSummary } from '../layout/form.tsx';
import { FormPage } from '../layout/layout.tsx';
import { form, type PageContext, page, seeOther, toLocalPath } from '../page.ts';
import { FollowButton, type FollowButtonProps, followingPath } from './follow-button.tsx';

async function showFollowingPage(context: PageContext) {
  const { database, viewer, formErrors, t } = context;
  const [people, tags] = await Promise.all([
    listFollowedContributors(database, viewer).page(0, maxFollows),
    listFollowedTags(database, viewer).page(0, maxFollows),
  ]);
  return context.render(
    <FormPage title={t('follows.title')}>
      <ErrorSummary formErrors={formErrors} />
      <p>{t('follows.onlyYou')}</p>
      <h2>{t('layout.people')}</h2>
      <Rows empty={t('follows.nobody')}>
        {people.map((person) => (
          <Row
            href={contributorPath(person.id, person.username)}
            name={displayName(person)}
            followed={{ contributor: person.id }}
          />
        ))}
      </Rows>
      <h2>{t('layout.tags')}</h2>
      <Rows empty={t('follows.noTag')}>
        {tags.map(({ name }) => (
          <Row href={tagHref(name)} name={name} followed={{ tag: name }} />
        ))}
      </Rows>
    </FormPage>,
  );
}

const Row = ({ href, ...props }: Omit<FollowButtonProps, 'next'> & { readonly href: string }) => (
  <li>
    <NameLink href={href} name={props.name} />
    <FollowButton {...props} isFollowing next={followingPath} />
  </li>
);

export const followingRoutes = [
  page(followingPath, 'seeAccount', showFollowingPage),
  form(followingPath, 'keepLists', async (context) => {
    const { tag, contributor, follow: isWanted, next } = (await context.request.readBody()).data;
    const followed = typeof tag === 'string' ? { tag } : { contributor: requireId(String(contributor)) };
    await context.transact((write) => (isWanted === 'yes' ? follow : unfollow)(write, followed));
    return seeOther(toLocalPath(next));
  }),
];
