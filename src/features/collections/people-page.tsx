// /content/<uuid>/<slug>/people/: who arranges a collection. Its owner and moderators name editors; an editor can leave. The
// people of a class have pages of their own.

import { Forbidden, NotFound } from '#common/errors.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { requireId } from '../../core/ids.ts';
import { Byline, LinkLine, NameLink } from '../../core/pages/layout/components.tsx';
import { ButtonForm, NamedAction, PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';
import { findNamedPerson, usernameField } from '../../core/pages/layout/named-person.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { can } from '../../core/viewer/permissions.ts';
import { createProjectPage, findProject } from '../../projects/pages/project/find-project.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';
import { isPublic } from '../../projects/visibility/visible-to.ts';
import { collectionLimits } from './items.ts';
import { collectionPath } from './path.ts';
import { type CollectionPerson, isOfChild, listPeople, removePerson, setPerson } from './people.ts';
import { requireArranger } from './shared.ts';

const peoplePath = (collection: Project) => collectionPath(collection, 'people');

const getFields = ({ t }: Translator) => ({
  username: usernameField({
    label: t('collections.editorName'),
    help: t('collections.editorHelp'),
    required: true,
  }),
});

function requireEditable(project: Project): Project {
  if (project.kind !== 'collection') throw new NotFound();
  return project;
}

const findEditable = async (context: PageContext) => requireEditable(await findProject(context));

const showPeoplePage = createProjectPage(peoplePath, async (context, project) => {
  const { database, viewer, layout, formErrors, t, rich } = context;
  const collection = requireArranger(viewer, requireEditable(project));
  const editors = await listPeople(database, collection);
  const choosesEditors = can(viewer, 'changeProject', collection.contributor);
  const isChilds = choosesEditors && (await isOfChild(database, viewer, collection));
  return context.render(
    <FormPage
      title={t('collections.peopleTitle', { title: collection.title })}
      heading={rich('collections.peopleTitle', { title: <ProjectLink project={collection} /> })}
    >
      <ul class="rows">
        <li>
          <div>
            <NameLink
              href={contributorPath(collection.contributor, collection.username)}
              name={displayName(collection)}
            />
            <Byline parts={[t('collections.owner')]} />
          </div>
        </li>
        {editors.map((editor) => (
          <EditorRow collection={collection} editor={editor} choosesEditors={choosesEditors} />
        ))}
      </ul>
      {isChilds && <p class="notice">{t('api.lookedAfter')}</p>}
      {choosesEditors && !isChilds && editors.length < collectionLimits.editors && (
        <PostForm
          action={peoplePath(collection)}
          fields={getFields(layout.language)}
          formErrors={formErrors}
          button={t('collections.addEditor')}
        />
      )}
      <LinkLine href={projectPath(collection)}>{t('collections.back')}</LinkLine>
    </FormPage>,
  );
});

interface EditorRowProps {
  readonly collection: Project;
  readonly editor: CollectionPerson;
  readonly choosesEditors: boolean;
}

function EditorRow({ collection, editor, choosesEditors }: EditorRowProps) {
  const { viewer, language } = useLayout();
  const { t } = language;
  const name = displayName(editor);
  const isSelf = editor.id === viewer.contributor;
  return (
    <li>
      <div>
        <NameLink href={contributorPath(editor.id, editor.username)} name={name} />
        <Byline parts={[t('collections.editor')]} />
      </div>
      {(choosesEditors || isSelf) && (
        <ButtonForm
          action={`${peoplePath(collection)}remove/`}
          variant="quiet"
          values={{ contributor: editor.id }}
        >
          {isSelf ? t('collections.leave') : <NamedAction action={t('form.remove')} name={name} />}
        </ButtonForm>
      )}
    </li>
  );
}

async function submitEditor(context: PageContext) {
  const { viewer, layout } = context;
  const collection = await findEditable(context);
  if (!can(viewer, 'changeProject', collection.contributor)) throw new Forbidden();
  const { username } = await context.readForm(getFields(layout.language));
  const account = await findNamedPerson(context, 'username', username);
  await context.transact((write) => setPerson(write, { uuid: collection.uuid }, account.id, 'editor'));
  return seeOther(peoplePath(collection));
}

async function submitRemoval(context: PageContext) {
  const collection = await findEditable(context);
  const { data } = await context.request.readBody();
  const contributor = requireId(data.contributor);
  await context.transact((write) => removePerson(write, { uuid: collection.uuid }, contributor));
  if (contributor !== context.viewer.contributor) return seeOther(peoplePath(collection));
  // An editor who has left may not see it any more.
  return seeOther(isPublic(collection) ? projectPath(collection) : '/');
}

export const peopleOfCollectionRoutes = [
  page('/content/:uuid/:slug/people/', 'changeCollection', showPeoplePage, submitEditor),
  form('/content/:uuid/:slug/people/remove/', 'changeCollection', submitRemoval),
];
