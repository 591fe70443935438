// /following/: the people and tags that the viewer follows, and the form of every button that follows one.

import { displayName } from '../../core/contributors/contributor.ts';
import { requireId } from '../../core/ids.ts';
import { NameLink, Rows } from '../../core/pages/layout/components.tsx';
import { ErrorSummary } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { form, type PageContext, page, type Sections, seeOther, toLocalPath } from '../../core/pages/page.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import { findRefusalToKeep } from '../../projects/hooks.ts';
import { loadShelf, shelfSize } from '../../projects/pages/list/shelf.tsx';
import { tagHref } from '../../projects/pages/list/tags.tsx';
import { FollowButton, type FollowButtonProps, loadFollowButton } from './button.tsx';
import { follow, listFollowedContributors, listFollowedTags, maxFollows, unfollow } from './follow.ts';
import { loadFollowedProjects } from './new-projects.ts';
import { followingPath } from './path.ts';

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

async function loadFollowed(context: PageContext) {
  const { database, viewer } = context;
  const isVisitor = viewer.contributor === null;
  const found = isVisitor ? [] : await loadFollowedProjects(database, viewer, shelfSize);
  const all = { href: followingPath, text: 'follows.all' } as const;
  return loadShelf(context, { id: 'followed', title: 'home.followed', all }, found);
}

export const sections: Sections = {
  'home.shelves': loadFollowed,
  'project.actions': async (context, project) =>
    findRefusalToKeep(project)
      ? undefined
      : loadFollowButton(context, {
          followed: { contributor: project.contributor },
          name: displayName(project),
          next: projectPath(project),
          showsName: true,
        }),
  'contributor.actions': (context, contributor) =>
    loadFollowButton(context, {
      followed: { contributor: contributor.id },
      name: displayName(contributor),
      next: contributorPath(contributor.id, contributor.username),
    }),
  'tag.actions': (context, { tag, path, isAlone }) =>
    loadFollowButton(context, { followed: { tag }, name: tag, next: path, showsName: !isAlone }),
};

export const routes = [
  page(followingPath, 'seeAccount', showFollowingPage),
  form(followingPath, 'keepLists', async (context) => {
    const { tag, contributor, follow: isWanted, next } = (await context.request.readBody()).data;
    const followed = typeof tag === 'string' ? { tag } : { contributor: requireId(String(contributor)) };
    await context.transact((write) => (isWanted === 'yes' ? follow : unfollow)(write, followed));
    return seeOther(toLocalPath(next));
  }),
];
