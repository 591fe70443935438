// /content/<uuid>/<slug>/collect/ puts a project into collections of the viewer, or into a new one. …/withdraw/ takes the
// viewer's own project out of a collection of somebody else.

import type { ApiText } from '#common/api-text.ts';
import { NotFound } from '#common/errors.ts';
import { readFields, textField } from '#rest/fields.ts';
import { first } from '#sql';
import { isCollection, isWork } from '../../core/content-types.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { Byline, ContributorLink, QuietLink } from '../../core/pages/layout/components.tsx';
import {
  ButtonForm,
  CheckboxGroup,
  ErrorSummary,
  Form,
  FormFields,
  getFieldValue,
  NamedAction,
  OnceField,
} from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { isPubliclyReadable } from '../../core/project-status.ts';
import { isTypeOffered } from '../../core/site/site-fields.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { can } from '../../core/viewer/permissions.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { Cards, loadCardData } from '../../projects/pages/list/cards.tsx';
import { createProjectPage, findProject } from '../../projects/pages/project/find-project.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import { type Project, projectColumns, projectLimits } from '../../projects/project.ts';
import { collect, findRefusal, removeItem } from './arrange.ts';
import { type CollectionChoice, canArrange, listArrangeable, listCollectionsOf } from './items.ts';
import { collectionPath } from './path.ts';
import { getNoteField } from './shared.ts';

/** A row on a wide screen. */
const maxCards = 4;
/** On the page where a maker takes a project out. */
const maxRows = 200;

const canCollect = (viewer: Viewer, { content_type, status, visibility, contributor }: Project) =>
  isWork(content_type) &&
  isPubliclyReadable(status) &&
  can(viewer, 'changeCollection') &&
  (visibility === 'public' || contributor === viewer.contributor);

/** Leads to the page that puts it into collections. */
export const loadCollectLink = async ({ viewer, t }: PageContext, project: Project) =>
  canCollect(viewer, project) ? (
    <QuietLink href={collectionPath(project, 'collect')}>{t('collections.add')}</QuietLink>
  ) : undefined;

/** Undefined if no collection that the viewer may find has it. */
export async function loadCollectionsOf({ database, projects, viewer, t }: PageContext, project: Project) {
  if (!isWork(project.content_type)) return undefined;
  const collections = await listCollectionsOf(database, viewer, project.id, maxCards);
  if (collections.length === 0) return undefined;
  return (
    <section aria-labelledby="collections">
      <h2 id="collections">{t('collections.in')}</h2>
      <Cards data={await loadCardData(projects, viewer, collections)} level="h3" />
      {project.contributor === viewer.contributor && (
        <p class="more">
          <a href={`${collectionPath(project, 'collect')}#others`}>{t('collections.takeOutOfOne')}</a>
        </p>
      )}
    </section>
  );
}

const getFields = (language: Translator) => ({
  title: textField({
    label: language.t('collections.new'),
    help: language.t('collections.newHelp'),
    maxLength: projectLimits.title,
    isSingleLine: true,
    allowsBlank: true,
  }),
  note: getNoteField(language),
});

const isIn = ({ state }: CollectionChoice) => state === 'included';

const showCollectPage = createProjectPage(
  (project) => collectionPath(project, 'collect'),
  async (context, project) => {
    const { database, viewer, formErrors, layout, t, rich } = context;
    if (!canCollect(viewer, project)) throw new NotFound();
    const isOwn = project.contributor === viewer.contributor;
    const row = await first(database, projectColumns)`from project where id = ${project.id}`;
    const choices = (await listArrangeable(database, viewer, project.id)).map((choice) => ({
      ...choice,
      refusal: row && findRefusal(viewer, row, choice),
    }));
    const refusalOfNew = row && findRefusal(viewer, row, { id: 0, state: null });
    const open = choices.filter(({ refusal, state }) => !refusal || state === 'included');
    const others = isOwn ? await listCollectionsOf(database, viewer, project.id, maxRows) : [];
    const { title, note } = getFields(layout.language);
    const selected = getFieldValue(
      formErrors,
      'into',
      choices.filter(isIn).map(({ uuid }) => uuid),
    );
    return context.render(
      <FormPage
        title={t('collections.addTitle', { title: project.title })}
        heading={rich('collections.addTitle', { title: <ProjectLink project={project} /> })}
      >
        <ErrorSummary formErrors={formErrors} fields={{ title, note }} />
        <Form class="stacked-form" action={collectionPath(project, 'collect')}>
          <OnceField {...(formErrors && { formErrors })} />
          {choices.filter(isIn).map(({ uuid }) => (
            <input type="hidden" name="was" value={uuid} />
          ))}
          {open.length > 0 && (
            <CheckboxGroup
              name="into"
              legend={t('collections.choose')}
              help={t('collections.chooseHelp')}
              choices={open.map((choice) => toChoice(layout.language, viewer, choice))}
              selected={[selected].flat()}
            />
          )}
          {choices.some((choice) => !open.includes(choice)) && <Refused choices={choices} />}
          {isTypeOffered(viewer.offeredTypes, 'collection') && !refusalOfNew && (
            <FormFields fields={{ title }} formErrors={formErrors} />
          )}
          <FormFields fields={{ note }} formErrors={formErrors} />
          <button type="submit">{t('form.save')}</button>
        </Form>
        <OtherCollections project={project} collections={others.filter((it) => !canArrange(viewer, it))} />
      </FormPage>,
    );
  },
);

/** Why some collections are not offered. */
function Refused({ choices }: { choices: readonly { readonly refusal: ApiText | undefined }[] }) {
  const { translate } = useLanguage();
  const reasons = new Set(choices.flatMap(({ refusal }) => (refusal ? [translate(refusal)] : [])));
  return <p class="faint">{[...reasons].join(' ')}</p>;
}

function toChoice({ t }: Translator, viewer: Viewer, choice: CollectionChoice) {
  const { uuid, title, contributor, state } = choice;
  const help = [
    contributor !== viewer.contributor && displayName(choice),
    state === 'withdrawn' && t('collections.withdrawn'),
  ].filter(Boolean);
  return { value: uuid, label: <bdi>{title}</bdi>, ...(help.length > 0 && { help: help.join(' · ') }) };
}

function OtherCollections({ project, collections }: { project: Project; collections: readonly Project[] }) {
  const { t } = useLanguage();
  if (collections.length === 0) return null;
  return (
    <section aria-labelledby="others">
      <h2 id="others">{t('collections.others')}</h2>
      <ul class="rows">
        {collections.map((collection) => (
          <li>
            <div>
              <ProjectLink project={collection} />
              <Byline parts={[<ContributorLink project={collection} />]} />
            </div>
            <a
              class="button quiet"
              href={`${collectionPath(project, 'withdraw')}?${new URLSearchParams({ from: collection.uuid })}`}
            >
              <NamedAction action={t('collections.takeOut')} name={collection.title} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function submitCollect(context: PageContext) {
  const { viewer, layout } = context;
  const project = await findProject(context);
  if (!canCollect(viewer, project)) throw new NotFound();
  const { data } = await context.request.readBody();
  const { title = '', note = '' } = readFields(getFields(layout.language), data);
  const [into, was] = [data.into, data.was].map((uuids) => new Set([uuids].flat()));
  const isAnywhere = await context.transact(async (write) => {
    const choices = await listArrangeable(write.transaction, viewer, project.id);
    await collect(write, project, {
      into: choices.filter((choice) => !isIn(choice) && into?.has(choice.uuid)),
      // One that was not in the form, or was not ticked there, stays as it is.
      outOf: choices.filter((choice) => isIn(choice) && was?.has(choice.uuid) && !into?.has(choice.uuid)),
      title,
      note,
    });
    return (await listCollectionsOf(write.transaction, viewer, project.id, 1)).length > 0;
  });
  return seeOther(`${projectPath(project)}${isAnywhere ? '#collections' : ''}`);
}

// The maker takes a project out of a collection.

async function findOwnIn(context: PageContext) {
  const { projects, viewer, url } = context;
  const project = await findProject(context);
  const collection = await projects.findByUuid(viewer, url.query.get('from') ?? '');
  if (project.contributor !== viewer.contributor || !isCollection(collection)) throw new NotFound();
  return { project, collection };
}

async function showWithdrawPage(context: PageContext) {
  const { project, collection } = await findOwnIn(context);
  const { t, rich } = context;
  const names = { title: project.title, collection: collection.title };
  const action = `${collectionPath(project, 'withdraw')}?${new URLSearchParams({ from: collection.uuid })}`;
  return context.render(
    <FormPage
      title={t('collections.withdrawTitle', names)}
      heading={rich('collections.withdrawTitle', {
        title: <bdi>{names.title}</bdi>,
        collection: <bdi>{names.collection}</bdi>,
      })}
    >
      <p>{t('collections.withdrawNote')}</p>
      <div class="buttons">
        <ButtonForm action={action} variant="danger">
          {t('collections.takeOut')}
        </ButtonForm>
        <a href={projectPath(project)}>{t('form.cancel')}</a>
      </div>
    </FormPage>,
  );
}

async function submitWithdrawal(context: PageContext) {
  const { project, collection } = await findOwnIn(context);
  await context.transact((write) => removeItem(write, { uuid: collection.uuid }, project.id));
  return seeOther(projectPath(project));
}

export const collectRoutes = [
  page('/content/:uuid/:slug/collect/', 'changeCollection', showCollectPage, submitCollect),
  page('/content/:uuid/:slug/withdraw/', 'changeCollection', showWithdrawPage, submitWithdrawal),
];
