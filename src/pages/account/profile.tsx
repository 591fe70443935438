// /account/profile/: what people say about themselves on their own page.

import { loadContributor } from '../../gallery/contributors/find.ts';
import { contributorPath } from '../../gallery/paths.ts';
import { loadAvatar } from '../../gallery/profiles/avatar.ts';
import {
  changeProfile,
  loadPinnedPaths,
  loadProfile,
  profileFields,
} from '../../gallery/profiles/profile.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { uploadScript } from '../assets.ts';
import { Notice } from '../layout/components.tsx';
import { PostForm } from '../layout/form.tsx';
import { FormPage } from '../layout/layout.tsx';
import { form, type PageContext, page, seeOther } from '../page.ts';
import { AvatarForms, avatarPath } from './avatar.tsx';

async function showProfileForm(context: PageContext) {
  const { database, uploads, viewer, formErrors, origin, url, t } = context;
  const id = requireSignedIn(viewer);
  const { about, links, pinned } = await loadProfile(database, id);
  const avatar = (await loadAvatar(database, id)).at(-1)?.hash;
  const isAboutAvatar = url.path.startsWith(avatarPath);
  const paths = await loadPinnedPaths(database, id, pinned);
  const values = {
    about,
    links: links.join('\n'),
    pinned: [...paths.values()].map((path) => origin + path).join('\n'),
  };
  return context.render(
    <FormPage title={t('profile.title')} scripts={[uploadScript]}>
      {url.query.has('saved') && !formErrors && <Notice>{t('account.saved')}</Notice>}
      <AvatarForms avatar={avatar} uploads={uploads} formErrors={isAboutAvatar ? formErrors : undefined} />
      <h2>{t('avatar.words')}</h2>
      <PostForm
        action="/account/profile/"
        fields={profileFields}
        values={values}
        formErrors={isAboutAvatar ? undefined : formErrors}
        button={t('form.save')}
      />
    </FormPage>,
  );
}

export const profileRoutes = [
  page(
    ['/account/profile/', '/account/profile/avatar/', '/account/profile/avatar/remove/'],
    'changeAccount',
    showProfileForm,
  ),
  form('/account/profile/', 'changeAccount', async (context) => {
    const { database } = context;
    const { about = '', links = [], pinned = [] } = await context.readForm(profileFields);
    await context.transact((write) => changeProfile(write, { about, links, pinned }));
    const { id, username } = await loadContributor(database, requireSignedIn(context.viewer));
    return seeOther(contributorPath(id, username));
  }),
];
