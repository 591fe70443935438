// /content/<uuid>/<slug>/class/: the people of a class, for those who look after it. They make accounts here and act on them.

import { Forbidden, NotFound } from '#common/errors.ts';
import { type Field, integerField, textField } from '#rest/fields.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { requireId } from '../../core/ids.ts';
import { adminStylesheet, formPageStylesheet, localTimeScript } from '../../core/pages/assets.ts';
import { Byline, NameLink, Rows, SecretNotice } from '../../core/pages/layout/components.tsx';
import { ButtonForm, NamedAction, PostForm } from '../../core/pages/layout/form.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { findNamedPerson, usernameField } from '../../core/pages/layout/named-person.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { can } from '../../core/viewer/permissions.ts';
import type { Project } from '../../projects/project.ts';
import { type CollectionPerson, listPeople, removePerson, setPerson } from '../collections/people.ts';
import { ClassPage, classPath, findClass } from './class-page.tsx';
import { ConsentField, consentFields, hashConsent } from './consent.tsx';
import { ClassEnd, classEndRoutes } from './end-form.tsx';
import { FirstSteps } from './first-steps.tsx';
import { createJoinLink, endJoinLink, hasJoinLink } from './joining.ts';
import { renderCards } from './printed-cards.tsx';
import { listPupils, makeAccounts, maxClassAccounts, type Pupil } from './pupils.ts';

const path = '/content/:uuid/:slug/class/';

export const pupilPath = (collection: Project, { id }: Pick<Pupil, 'id'>) =>
  `${classPath(collection, 'class/')}${id}/`;

/** Empty for none. */
function optionalCount(label: string): Field<number> {
  const field = integerField({ label, min: 1, max: maxClassAccounts });
  return { ...field, read: (value) => (value === '' ? 0 : field.read(value)) };
}

const getFields = ({ t }: Translator) => ({
  names: textField({
    label: t('classes.names'),
    help: t('classes.namesHelp'),
    maxLength: 6000,
    allowsBlank: true,
  }),
  prefix: textField({
    label: t('classes.prefix'),
    help: t('classes.prefixHelp'),
    maxLength: 30,
    isSingleLine: true,
    allowsBlank: true,
  }),
  count: optionalCount(t('classes.count')),
});

const getTeacherFields = ({ t }: Translator) => ({
  username: usernameField({ label: t('classes.teacherName'), required: true }),
});

async function renderPeople(context: PageContext, link?: string) {
  const { database, viewer, origin, formErrors, layout, t } = context;
  const collection = await findClass(context);
  const [pupils, people, hasLink] = await Promise.all([
    listPupils(database, collection),
    listPeople(database, collection),
    hasJoinLink(database, collection),
  ]);
  const isLookedAfter = new Set(pupils.map(({ id }) => id));
  const others = people.filter(({ id }) => !isLookedAfter.has(id));
  const isOfAccounts = formErrors && 'names' in formErrors.values;
  const here = classPath(collection, 'class/');
  return context.render(
    <ClassPage
      collection={collection}
      section="class/"
      stylesheets={[adminStylesheet, formPageStylesheet]}
      scripts={[localTimeScript]}
    >
      {pupils.length === 0 && <FirstSteps current="names" />}
      <div class="invitations">
        <section>
          <h2>{t('classes.make')}</h2>
          <PostForm
            action={`${here}accounts/`}
            fields={getFields(layout.language)}
            formErrors={isOfAccounts ? formErrors : undefined}
            button={t('classes.makeButton')}
            after={<ConsentField formErrors={formErrors} />}
          />
        </section>
        <section>
          <h2>{t('classes.lookedAfter', { count: pupils.length })}</h2>
          <Rows empty={t('classes.noPupils')}>
            {pupils.map((pupil) => (
              <PupilRow collection={collection} pupil={pupil} />
            ))}
          </Rows>
          <h2>{t('classes.others')}</h2>
          <Rows empty={t('classes.noOthers')}>
            {others.map((person) => (
              <PersonRow collection={collection} person={person} />
            ))}
          </Rows>
          {can(viewer, 'changeProject', collection.contributor) && (
            <PostForm
              action={`${here}teachers/`}
              fields={getTeacherFields(layout.language)}
              formErrors={isOfAccounts ? undefined : formErrors}
              button={t('classes.addTeacher')}
              prefix="teacher"
            />
          )}
          <ClassEnd collection={collection} />
          <h2>{t('classes.join')}</h2>
          {link !== undefined && (
            <SecretNotice
              label={t('classes.joinLink')}
              secret={`${origin}/join/?${new URLSearchParams({ code: link })}`}
            />
          )}
          <p>{t(hasLink ? 'classes.joinOpen' : 'classes.joinClosed')}</p>
          <div class="buttons">
            <ButtonForm action={`${here}link/`} variant="quiet">
              {t('classes.newLink')}
            </ButtonForm>
            {hasLink && (
              <ButtonForm action={`${here}link/`} variant="quiet" values={{ end: 1 }}>
                {t('classes.endLink')}
              </ButtonForm>
            )}
          </div>
        </section>
      </div>
    </ClassPage>,
  );
}

function PupilRow({ collection, pupil }: { collection: Project; pupil: Pupil }) {
  const { t } = useLanguage();
  return (
    <li>
      <NameLink href={pupilPath(collection, pupil)} name={pupil.username} />
      {pupil.disabled !== null && <span class="badge">{t('classes.disabled')}</span>}
    </li>
  );
}

function PersonRow({ collection, person }: { collection: Project; person: CollectionPerson }) {
  const { viewer, language } = useLayout();
  const { t } = language;
  const name = displayName(person);
  const isSelf = person.id === viewer.contributor;
  return (
    <li>
      <div>
        <bdi>{name}</bdi>
        <Byline parts={[t(person.role === 'teacher' ? 'classes.teacher' : 'classes.member')]} />
      </div>
      {(isSelf || person.role === 'member' || can(viewer, 'changeProject', collection.contributor)) && (
        <ButtonForm
          action={`${classPath(collection, 'class/')}remove/`}
          variant="quiet"
          values={{ contributor: person.id }}
        >
          {isSelf ? t('classes.leave') : <NamedAction action={t('form.remove')} name={name} />}
        </ButtonForm>
      )}
    </li>
  );
}

async function submitAccounts(context: PageContext) {
  const { layout } = context;
  const collection = await findClass(context);
  const fields = { ...getFields(layout.language), ...consentFields };
  const { names = '', prefix = '', count = 0 } = await context.readForm(fields);
  const listed = names.split('\n').filter((name) => name.trim() !== '');
  const numbered = prefix === '' ? [] : Array.from({ length: count }, (_, index) => `${prefix}-${index + 1}`);
  const consent = hashConsent(layout.language);
  const cards = await context.transact((write) =>
    makeAccounts(write, { uuid: collection.uuid }, [...listed, ...numbered], consent),
  );
  return renderCards(context, collection, cards);
}

async function submitTeacher(context: PageContext) {
  const { viewer, layout } = context;
  const collection = await findClass(context);
  if (!can(viewer, 'changeProject', collection.contributor)) throw new Forbidden();
  const { username } = await context.readForm(getTeacherFields(layout.language));
  const account = await findNamedPerson(context, 'username', username);
  await context.transact((write) => setPerson(write, { uuid: collection.uuid }, account.id, 'teacher'));
  return seeOther(classPath(collection, 'class/'));
}

async function submitRemoval(context: PageContext) {
  const collection = await findClass(context);
  const contributor = requireId((await context.request.readBody()).data.contributor);
  await context.transact((write) => removePerson(write, { uuid: collection.uuid }, contributor));
  return seeOther(contributor === context.viewer.contributor ? '/' : classPath(collection, 'class/'));
}

async function submitLink(context: PageContext) {
  const { uuid } = await findClass(context);
  const isEnded = 'end' in (await context.request.readBody()).data;
  if (!isEnded)
    return renderPeople(context, await context.transact((write) => createJoinLink(write, { uuid })));
  await context.transact((write) => endJoinLink(write, { uuid }));
  return seeOther(classPath(await findClass(context), 'class/'));
}

export const classPeopleRoutes = [
  ...classEndRoutes,
  page(
    [path, `${path}accounts/`, `${path}teachers/`, `${path}link/`, `${path}ends/`],
    'changeCollection',
    (context) => {
      if (context.url.path.endsWith('/link/') && !context.formErrors) throw new NotFound();
      return renderPeople(context);
    },
  ),
  form(`${path}accounts/`, 'changeCollection', submitAccounts),
  form(`${path}teachers/`, 'changeCollection', submitTeacher),
  form(`${path}remove/`, 'changeCollection', submitRemoval),
  form(`${path}link/`, 'changeCollection', submitLink),
];
