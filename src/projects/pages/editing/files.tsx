// /content/<uuid>/<slug>/files/: adding the files of a project; describing, ordering and removing them with one button.

import { Invalid, NotFound } from '#common/errors.ts';
import { type Field, type Fields, readFields, readPartially } from '#rest/fields.ts';
import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { prepareUploads } from '../../../core/files/prepare.ts';
import { describeMediaType, mediaLimits } from '../../../core/files/stored-files.ts';
import { orderByPlace } from '../../../core/order-by-place.ts';
import { colourOf } from '../../../core/pages/layout/colours.ts';
import { LinkLine } from '../../../core/pages/layout/components.tsx';
import {
  ErrorSummary,
  Form,
  FormFields,
  getFieldValue,
  NamedAction,
} from '../../../core/pages/layout/form.tsx';
import { Page } from '../../../core/pages/layout/layout.tsx';
import { type FormErrors, useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { anyone, form, type PageContext, page, seeOther } from '../../../core/pages/page.ts';
import { filesPath, projectPath } from '../../../core/paths.ts';
import { formatBytes } from '../../../core/texts/format-bytes.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import { mediaFields, newFileFields } from '../../media/file-fields.ts';
import { type Focus, focuses } from '../../media/focus.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import { addFiles, arrangeFiles } from '../../writing/files.ts';
import { applyTurn, prepareTurned } from '../../writing/turn-picture.ts';
import { Poster } from '../list/posters.tsx';
import { findEditableProject, loadFiles } from '../project/find-project.ts';
import { Cover } from '../project/shown-files.tsx';
import { arrangeFilesScript, filesStylesheet, uploadScript } from '../project-assets.ts';
import { ProjectLink } from '../project-parts.tsx';
import { ChosenFileTemplate, MoveButton } from './chosen-file.tsx';
import { getFileFields } from './type-forms.ts';
import { uploadAttributes } from './upload.ts';

function getNewFileFields(language: Translator, { mustDescribe }: Viewer) {
  const { file, alt } = getFileFields(language);
  return { file: { ...file, required: true, read: newFileFields.file.read }, ...(mustDescribe && { alt }) };
}

async function showFilesPage(context: PageContext) {
  const project = await findEditableProject(context);
  const { layout, viewer, formErrors, t, rich } = context;
  const media = await loadFiles(context, project);
  const newFields = getNewFileFields(layout.language, viewer);
  const fields = { ...newFields, ...getArrangementFields(layout.language, media) };
  return context.render(
    <Page
      title={t('files.title', { title: project.title })}
      isForm
      stylesheets={[filesStylesheet]}
      scripts={[uploadScript, arrangeFilesScript]}
    >
      <h1>{rich('files.title', { title: <ProjectLink project={project} /> })}</h1>
      <ErrorSummary formErrors={formErrors} fields={fields} />
      {media.length === 0 ? (
        <p class="empty">{t('files.empty')}</p>
      ) : (
        <ArrangementForm
          project={project}
          media={media}
          formErrors={formErrors && 'since' in formErrors.values ? formErrors : undefined}
        />
      )}
      <section class="narrow" aria-labelledby="add-files">
        <h2 id="add-files">{t('files.add')}</h2>
        <AddFilesForm context={context} project={project} count={media.length} formErrors={formErrors} />
      </section>
      <LinkLine href={projectPath(project)}>{t('files.back')}</LinkLine>
    </Page>,
  );
}

interface FileTrayProps {
  readonly context: PageContext;
  readonly project: Project;
  readonly media: readonly Media[];
  /** Those of a feature, in place of the files of the project. */
  readonly edited: EditedFiles | undefined;
}

/** Files that a feature shows in the form that changes a project. */
export interface EditedFiles {
  readonly media: readonly Media[];
  /** Where the forms lead. */
  readonly path: string;
  /** Sent with them. */
  readonly fields: Child;
}

/** The same above the form of a project. Scripts save it where it is, so that what is written below stays. */
export function FileTray({ context, project, media, edited }: FileTrayProps) {
  const form = { project, formErrors: undefined, returnsTo: 'edit', edited } as const;
  const shown = edited?.media ?? media;
  return (
    <section class="tray" aria-labelledby="tray">
      <h2 id="tray">{context.t('files.tray')}</h2>
      <ArrangementForm {...form} media={shown} />
      <AddFilesForm {...form} context={context} count={shown.length} />
    </section>
  );
}

interface ReturningForm {
  readonly project: Project;
  readonly formErrors: FormErrors | undefined;
  /** The page below that of the project to which the form leads, if it is not the usual one. */
  readonly returnsTo?: 'edit';
  readonly edited?: EditedFiles | undefined;
}

type AddFilesFormProps = ReturningForm & Pick<FileTrayProps, 'context'> & { readonly count: number };

function AddFilesForm({ context, project, count, formErrors, returnsTo, edited }: AddFilesFormProps) {
  const { layout, t } = context;
  const max = mediaLimits.files;
  return (
    <>
      <p class="files-count">{t('files.count', { number: count, max })}</p>
      {count < max ? (
        <Form
          class="stacked-form"
          action={edited?.path ?? filesPath(project)}
          enctype="multipart/form-data"
          {...uploadAttributes(layout.language, context.uploads, count)}
        >
          {returnsTo && <input type="hidden" name="returns_to" value={returnsTo} />}
          <FormFields fields={getNewFileFields(layout.language, context.viewer)} formErrors={formErrors} />
          <ChosenFileTemplate isOfProject />
          <p class="help drop-help">{t('files.dropHelp')}</p>
          <button type="submit" class={returnsTo && 'quiet'} data-sending={t('upload.sending')}>
            {t('files.addButton')}
          </button>
        </Form>
      ) : (
        <p>{t('files.limit', { count: max })}</p>
      )}
    </>
  );
}

type ArrangementFormProps = ReturningForm & Pick<FileTrayProps, 'media'>;

function ArrangementForm({ project, media, formErrors, returnsTo, edited }: ArrangementFormProps) {
  const { t } = useLanguage();
  const cover = getFieldValue(formErrors, 'cover', String(findCover(media)?.number));
  const removed = [getFieldValue(formErrors, 'remove', [])].flat();
  return (
    <Form
      class="arrangement"
      action={`${edited?.path ?? filesPath(project)}save/`}
      data-unsaved={t('files.unsaved')}
    >
      <input type="hidden" name="since" value={String(project.modified)} />
      {edited?.fields}
      {returnsTo && <input type="hidden" name="returns_to" value={returnsTo} />}
      {/* Enter presses the first button of a form. */}
      <button type="submit" hidden>
        {t('form.save')}
      </button>
      <p class="help">{t('files.arrangeHelp')}</p>
      <ol class="own-files">
        {media.map((file, index) => (
          <li>
            <FileFields
              file={file}
              position={index + 1}
              formErrors={formErrors}
              isCover={cover === String(file.number)}
              isRemoved={removed.includes(String(file.number))}
              isTurnable={!edited && file.origin === null}
            />
          </li>
        ))}
      </ol>
      <button type="submit" class={returnsTo && 'quiet'}>
        {t(returnsTo ? 'files.save' : 'form.save')}
      </button>
    </Form>
  );
}

interface FileFieldsProps {
  readonly file: Media;
  readonly position: number;
  readonly formErrors: FormErrors | undefined;
  readonly isCover: boolean;
  readonly isRemoved: boolean;
  readonly isTurnable: boolean;
}

function FileFields({ file, position, formErrors, isCover, isRemoved, isTurnable }: FileFieldsProps) {
  const language = useLanguage();
  const { t } = language;
  const { number, name, alt } = file;
  const { label, display } = describeMediaType(file.type);
  return (
    <fieldset>
      <legend>
        <bdi>{name}</bdi>
      </legend>
      <Thumbnail file={file} />
      <MoveButton name={name} />
      <p class="byline">
        {language.translate(label)}
        {language.comma}
        {formatBytes(language, file.sizes.at(-1)?.bytes ?? 0)}
      </p>
      {display === 'picture' && isTurnable && (
        <button type="submit" class="quiet" name="turn" value={String(number)}>
          <NamedAction action={t('files.turn')} name={name} />
        </button>
      )}
      {display === 'picture' && <FocusChoice file={file} formErrors={formErrors} />}
      <FormFields
        fields={getShownFields(language, file)}
        values={{ [`alt-${number}`]: alt, [`position-${number}`]: position }}
        formErrors={formErrors}
      />
      {display === 'picture' && (
        <Choice type="radio" name="cover" number={number} isChosen={isCover}>
          <NamedAction action={t('files.useAsCover')} name={name} />
        </Choice>
      )}
      <Choice type="checkbox" name="remove" number={number} isChosen={isRemoved}>
        <NamedAction action={t('form.remove')} name={name} />
      </Choice>
    </fieldset>
  );
}

/** The places of a picture, as a grid. A click on the picture chooses one too: see arrange-files.js. */
function FocusChoice({ file: { number, focus }, formErrors }: Pick<FileFieldsProps, 'file' | 'formErrors'>) {
  const { t } = useLanguage();
  const name = `focus-${number}`;
  const chosen = getFieldValue(formErrors, name, focus);
  return (
    <details class="focus">
      <summary>{t('files.focus')}</summary>
      <p class="help">{t('files.focusHelp')}</p>
      <div role="radiogroup" aria-label={t('files.focus')}>
        {focuses.map((place) => (
          <input
            type="radio"
            name={name}
            value={place}
            checked={place === chosen || undefined}
            aria-label={t(`focus.${place}`)}
            title={t(`focus.${place}`)}
          />
        ))}
      </div>
    </details>
  );
}

function Thumbnail({ file }: { file: Media }) {
  const { display } = describeMediaType(file.type);
  if (display === 'picture') return <Cover media={file} />;
  return (
    <Poster type={display === 'video' ? 'video' : 'document'} colour={colourOf(file.number)} isHidden>
      {file.name.split('.').at(-1)?.toUpperCase()}
    </Poster>
  );
}

interface ChoiceProps {
  readonly type: 'radio' | 'checkbox';
  readonly name: string;
  readonly number: number;
  readonly isChosen: boolean;
  readonly children: unknown;
}

function Choice({ type, name, number, isChosen, children }: ChoiceProps) {
  const id = `${name}-${number}`;
  return (
    <div class="choice">
      <input type={type} id={id} name={name} value={String(number)} checked={isChosen || undefined} />
      <label for={id}>{children}</label>
    </div>
  );
}

export async function readNewFiles(context: PageContext) {
  // The script sends a description of each file.
  const fields = {
    ...getFileFields(context.layout.language),
    ...getNewFileFields(context.layout.language, context.viewer),
  };
  const { data } = await context.request.readBody();
  const { file = [], alt } = readFields(fields, data);
  return { prepared: await prepareUploads(context, context.viewer, file), alt };
}

async function submitNewFiles(context: PageContext) {
  const project = await findEditableProject(context);
  const { data } = await context.request.readBody();
  // The script of the edit form sends it: the form would overwrite what somebody else has changed.
  if ('since' in data && data.since !== String(project.modified))
    throw new Invalid({ non_field_errors: [context.t('edit.conflict')] });
  const { prepared, alt } = await readNewFiles(context);
  await context.transact((write) => addFiles(write, project.id, prepared, alt));
  return seeOther(pathAfterFiles(project, data) ?? filesPath(project));
}

const pathAfterFiles = (project: Project, { returns_to }: Readonly<Record<string, unknown>>) =>
  returns_to === 'edit' ? `${projectPath(project)}edit/` : undefined;

// The form that describes, orders and removes the files of a project.

const isPicture = ({ type }: Media) => describeMediaType(type).display === 'picture';

/** The first picture is the cover of its project. */
const findCover = (media: readonly Media[]): Media | undefined => media.find(isPicture);

/** The fields of each file. */
function getArrangementFields({ t }: Translator, media: readonly Media[]) {
  const fields: Record<string, Field> = {};
  for (const { number } of media) {
    fields[`alt-${number}`] = { ...mediaFields.alt, label: t('files.description'), help: undefined };
    fields[`focus-${number}`] = mediaFields.focus;
    fields[`position-${number}`] = { ...mediaFields.position, label: t('files.position'), help: undefined };
  }
  return fields satisfies Fields;
}

/** Without the focus, which has a grid. */
function getShownFields(language: Translator, file: Media): Fields {
  const { [`focus-${file.number}`]: _, ...fields } = getArrangementFields(language, [file]);
  return fields;
}

/** The files in their new order. `shown` are those of the form; the others of the project stay, at the end. */
export function readArrangement(
  language: Translator,
  data: Readonly<Record<string, unknown>>,
  shown: readonly Media[],
  files: readonly Media[],
): readonly Media[] {
  const values = readPartially(getArrangementFields(language, shown), data);
  const others = files.filter(({ number }) => !shown.some((file) => file.number === number));
  const removed = [data.remove].flat();
  const placeOf = ({ number }: Media) => {
    const position = values[`position-${number}`];
    return position === undefined ? undefined : Number(position);
  };
  const ordered = orderByPlace(shown, placeOf).map((file) => ({
    ...file,
    alt: String(values[`alt-${file.number}`] ?? file.alt),
    focus: (values[`focus-${file.number}`] as Focus | undefined) ?? file.focus,
  }));
  const kept = ordered.filter(({ number }) => !removed.includes(String(number)));
  // A cover that was chosen counts more than the order, if it is another one than before.
  const chosen = kept.find(({ number }) => String(number) === data.cover);
  const isNewCover = chosen && isPicture(chosen) && chosen.number !== findCover(shown)?.number;
  return [...(isNewCover ? putBefore(kept, chosen, findCover(kept)) : kept), ...others];
}

function putBefore(files: readonly Media[], file: Media, next: Media | undefined): readonly Media[] {
  if (!next || next === file) return files;
  const others = files.filter((other) => other !== file);
  return others.toSpliced(others.indexOf(next), 0, file);
}

export const fileRoutes = [
  page(['/content/:uuid/:slug/files/', '/content/:uuid/:slug/files/save/'], anyone, showFilesPage),
  { ...form('/content/:uuid/:slug/files/', anyone, submitNewFiles), acceptsFiles: true },
  form('/content/:uuid/:slug/files/save/', anyone, async (context) => {
    const project = await findEditableProject(context);
    const { language } = context.layout;
    const { data } = await context.request.readBody();
    const shown = await loadFiles(context, project);
    const requireUnchanged = ({ modified }: Pick<Project, 'modified'>) => {
      if (data.since !== String(modified))
        throw new Invalid({ non_field_errors: [language.t('edit.conflict')] });
    };
    const turning = shown.find(({ number }) => String(number) === data.turn);
    if ('turn' in data && !turning) throw new NotFound();
    if (turning) requireUnchanged(project);
    const turned = turning && (await prepareTurned(context, context.viewer, turning, 90));
    await context.transact((write) =>
      arrangeFiles(write, project.id, (files, before) => {
        requireUnchanged(before);
        const arranged = readArrangement(language, data, shown, files);
        return arranged.map((file) =>
          turned && file.number === turning.number ? applyTurn(file, turned) : file,
        );
      }),
    );
    const path = turning ? filesPath(project) : projectPath(project);
    return seeOther(pathAfterFiles(project, data) ?? path);
  }),
];
