// /content/<uuid>/<slug>/class/<id>/: an account that the class looks after, and what its teachers do with it.

import { requireId } from '../../core/ids.ts';
import { LinkLine, SecretNotice } from '../../core/pages/layout/components.tsx';
import { ButtonForm, PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { usernameField } from '../../core/pages/layout/named-person.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { updateAfter } from '../../projects/people/contributor-updates.ts';
import { passwordLinkPath } from '../sign-in/password-link.ts';
import { requirePasswords } from '../sign-in/sign-in.ts';
import { classPath, findClass } from './class-page.tsx';
import { pupilPath } from './people.tsx';
import { renderCards } from './printed-cards.tsx';
import { erasePupil, findPupil, releasePupil, renamePupil, renewCard, setPupilState } from './pupils.ts';

const path = '/content/:uuid/:slug/class/:id/';

const getFields = ({ t }: Translator) => ({
  username: usernameField({ label: t('people.username'), required: true }),
});

async function find(context: PageContext) {
  const collection = await findClass(context);
  const pupil = await findPupil(context.database, collection, requireId(context.params.id));
  return { collection, pupil, address: { uuid: collection.uuid }, here: pupilPath(collection, pupil) };
}

async function showPupilPage(context: PageContext) {
  const { formErrors, layout, t } = context;
  const { collection, pupil, here } = await find(context);
  const isDisabled = pupil.disabled !== null;
  return context.render(
    <FormPage title={pupil.username} heading={<bdi>{pupil.username}</bdi>}>
      <h2>{t('classes.newCard')}</h2>
      <p>{t('classes.newCardHelp')}</p>
      <ButtonForm action={`${here}card/`}>{t('classes.newCard')}</ButtonForm>
      <h2>{t('classes.rename')}</h2>
      <PostForm
        action={`${here}rename/`}
        fields={getFields(layout.language)}
        values={{ username: pupil.username }}
        formErrors={formErrors}
        button={t('classes.rename')}
      />
      <h2>{t('classes.more')}</h2>
      <p>{t(isDisabled ? 'classes.enableHelp' : 'classes.disableHelp')}</p>
      <ButtonForm action={`${here}state/`} variant="quiet" values={{ enable: isDisabled ? 1 : 0 }}>
        {t(isDisabled ? 'classes.enable' : 'classes.disable')}
      </ButtonForm>
      <p>{t('classes.releaseHelp')}</p>
      <ButtonForm action={`${here}release/`} variant="quiet">
        {t('classes.release')}
      </ButtonForm>
      <p>{t('classes.eraseHelp')}</p>
      <a class="button danger" href={`${here}erase/`}>
        {t('classes.erase')}
      </a>
      <LinkLine href={classPath(collection, 'class/')}>{t('classes.back')}</LinkLine>
    </FormPage>,
  );
}

async function showErasePage(context: PageContext) {
  const { t } = context;
  const { pupil, here } = await find(context);
  return context.render(
    <FormPage title={t('classes.eraseTitle', { name: pupil.username })}>
      <p>{t('classes.eraseHelp')}</p>
      <ButtonForm action={`${here}erase/`} variant="danger">
        {t('classes.erase')}
      </ButtonForm>
      <LinkLine href={here}>{t('classes.back')}</LinkLine>
    </FormPage>,
  );
}

async function submitCard(context: PageContext) {
  const { collection, pupil, address } = await find(context);
  const card = await context.transact((write) => renewCard(write, address, pupil.id));
  return renderCards(context, collection, [card]);
}

async function submitName(context: PageContext) {
  const { pupil, address, here } = await find(context);
  const { username } = await context.readForm(getFields(context.layout.language));
  await updateAfter(context.database, pupil.id, () =>
    context.transact((write) => renamePupil(write, address, pupil.id, username)),
  );
  return seeOther(here);
}

async function submitState(context: PageContext) {
  const { pupil, address, here } = await find(context);
  const isEnabled = (await context.request.readBody()).data.enable === '1';
  await context.transact((write) => setPupilState(write, address, pupil.id, isEnabled));
  return seeOther(here);
}

async function submitRelease(context: PageContext) {
  const { origin, t } = context;
  const { collection, pupil, address } = await find(context);
  requirePasswords(context.accounts);
  const code = await context.transact((write) => releasePupil(write, address, pupil.id));
  return context.render(
    <FormPage title={t('classes.released', { name: pupil.username })}>
      <SecretNotice label={t('classes.releasedHelp')} secret={origin + passwordLinkPath(code)} />
      <LinkLine href={classPath(collection, 'class/')}>{t('classes.back')}</LinkLine>
    </FormPage>,
  );
}

async function submitErasure(context: PageContext) {
  const { collection, pupil, address } = await find(context);
  await updateAfter(context.database, pupil.id, () =>
    context.transact((write) => erasePupil(write, address, pupil.id)),
  );
  return seeOther(classPath(collection, 'class/'));
}

export const pupilRoutes = [
  page([path, `${path}rename/`], 'changeCollection', showPupilPage),
  page(`${path}erase/`, 'changeCollection', showErasePage, submitErasure),
  form(`${path}card/`, 'changeCollection', submitCard),
  form(`${path}rename/`, 'changeCollection', submitName),
  form(`${path}state/`, 'changeCollection', submitState),
  form(`${path}release/`, 'changeCollection', submitRelease),
];
