// The form for a new project and for changing one.

import { type Fields, toText } from '#rest/fields.ts';
import { type Child, raw } from '#rest/jsx/jsx-runtime.ts';
import { prepareResponse } from '#rest/prepared-response.ts';
import { pageHeaders } from '#rest/shared-caching.ts';
import { type ContentType, isWork } from '../../../core/content-types.ts';
import { once } from '../../../core/feature.ts';
import { mediaLimits } from '../../../core/files/stored-files.ts';
import { requireId } from '../../../core/ids.ts';
import { withNames } from '../../../core/markdown/names-in-text.ts';
import { pictureName, type TextPicture } from '../../../core/markdown/pictures.ts';
import { joinQuote, parseQuote } from '../../../core/markdown/quote.ts';
import { renderMarkdownText } from '../../../core/markdown/rendering.ts';
import {
  ErrorSummary,
  Form,
  FormFields,
  getFieldValue,
  OnceField,
  RadioGroup,
} from '../../../core/pages/layout/form.tsx';
import { type FormErrors, useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import { TimeField } from '../../../core/pages/layout/time-field.tsx';
import { form, loadSections, type PageContext } from '../../../core/pages/page.ts';
import { draft, waiting } from '../../../core/project-status.ts';
import type { MessageKey } from '../../../core/texts/languages.ts';
import { can } from '../../../core/viewer/permissions.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import { audiencesOf } from '../../hooks.ts';
import { choosableLicenses } from '../../licenses/rules.ts';
import type { Media } from '../../media/media.ts';
import { type Project, type ProjectRow, projectLimits, visibilities } from '../../project.ts';
import { projectFields } from '../../project-fields.ts';
import { publishTimeMember } from '../../time-members.ts';
import { findRefusedVisibility, isForGroup } from '../../visibility/made-for-a-group.ts';
import { isOpen } from '../../visibility/visible-to.ts';
import { loadFiles } from '../project/find-project.ts';
import { toTextPictures } from '../text-pictures.ts';
import { ChosenFileTemplate } from './chosen-file.tsx';
import { TextTools } from './text-tools.tsx';
import { getFoldedFields, withLicenseChoices, withQuoteFields } from './type-forms.ts';

/** The form of a project for people whom others look after. */
interface LookedAfterForm {
  /** The visibility that is chosen at first. */
  readonly visibility: Project['visibility'];
  /** The sentence that says who reviews their projects. */
  readonly reviewNotice: MessageKey;
}

declare module '../../../core/feature.ts' {
  interface Feature {
    readonly lookedAfterForm?: LookedAfterForm;
  }
}

const lookedAfterForms = once((features) => features.flatMap(({ lookedAfterForm = [] }) => lookedAfterForm));

export const findLookedAfterForm = ({ lookedAfterBy }: Viewer): LookedAfterForm | undefined =>
  lookedAfterBy === undefined ? undefined : lookedAfterForms()[0];

/** With what decides who may see it. */
type EditedProject = Project & Pick<ProjectRow, 'source_maker'>;

/** Only works are for a group. */
const mayBeForGroup = (viewer: Viewer, type: ContentType) => isWork(type) && audiencesOf(viewer).length > 0;

/** What is asked for, if the form offers it. */
export function initialVisibility(
  viewer: Viewer,
  type: ContentType,
  asked?: string | null,
): Project['visibility'] {
  const chosen = visibilities.find((visibility) => visibility === asked);
  if (chosen && (!isForGroup({ visibility: chosen }) || mayBeForGroup(viewer, type))) return chosen;
  const form = findLookedAfterForm(viewer);
  return !form ? 'public' : isWork(type) ? form.visibility : 'private';
}

interface ProjectFormProps {
  readonly context: PageContext;
  readonly type: ContentType;
  readonly fields: Fields;
  readonly action: string;
  /** The HTML of `loadFormPreview`. */
  readonly preview: string | undefined;
  /** The initial values. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The project as the form was loaded: the server detects conflicting edits by the time of its last change. */
  readonly project?: EditedProject;
  /** For a form with files: see `uploadAttributes`. */
  readonly upload?: Readonly<Record<string, string>>;
  /** The submit buttons. */
  readonly children: Child;
}

export function ProjectForm(props: ProjectFormProps) {
  const { context, type, action, preview, project, upload, children } = props;
  const { layout, t } = context;
  const values =
    type === 'quote' ? { ...props.values, ...parseQuote(toText(props.values.text)) } : props.values;
  const license = withLicenseChoices(projectFields.license, choosableLicenses(layout.viewer, project));
  const given: Fields = { ...props.fields, ...('license' in props.fields && { license }) };
  const fields =
    type === 'quote' ? withQuoteFields(layout.language, given, context.formErrors?.values ?? values) : given;
  const formErrors = 'file' in fields ? addFileErrors(context) : context.formErrors;
  return (
    <>
      <ErrorSummary
        formErrors={formErrors}
        fields={{ ...fields, publish_time: { ...publishTimeMember.field, label: t('publishTime.label') } }}
      />
      <Form
        class="stacked-form project-form"
        enctype={'file' in fields ? 'multipart/form-data' : undefined}
        action={action}
        data-draft-key={`${action} ${layout.viewer.contributor}`}
        {...upload}
      >
        {'file' in fields && <ChosenFileTemplate isOfProject />}
        <OnceField formErrors={formErrors} />
        {project && <input type="hidden" name="since" value={String(project.modified)} />}
        {project && <input type="hidden" name="project" value={String(project.id)} />}
        {project ? (
          <FormFields
            fields={fields}
            values={values}
            formErrors={formErrors}
            textTools={<TextTools type={type} />}
          />
        ) : (
          <NewProjectFields type={type} fields={fields} values={values} formErrors={formErrors} />
        )}
        {type !== 'comment' && (!project || can(layout.viewer, 'changeProject', project.contributor)) && (
          <VisibilityFields
            type={type}
            project={project}
            selected={values.visibility as Project['visibility']}
            formErrors={formErrors}
          />
        )}
        <ReviewNotice project={project} />
        <div class="buttons">
          {children}
          <button class="quiet" type="submit" name="preview" value="1" formnovalidate>
            {t('edit.preview')}
          </button>
        </div>
      </Form>
      <UnsavedText />
      <section
        class="preview"
        aria-label={t('edit.preview')}
        id="preview"
        data-tabs={t('edit.textTabs')}
        data-write={t('edit.write')}
        hidden={preview === undefined || undefined}
        tabindex={-1}
      >
        <h2>{t('edit.preview')}</h2>
        <div class="text" dir="auto">
          {preview !== undefined && raw(preview)}
        </div>
      </section>
    </>
  );
}

interface VisibilityFieldsProps extends Pick<ProjectFormProps, 'type' | 'project'> {
  readonly selected: Project['visibility'];
  readonly formErrors: FormErrors | undefined;
}

/** The visibility, and the time from which it counts. */
function VisibilityFields({ type, project, selected, formErrors }: VisibilityFieldsProps) {
  const { viewer, language } = useLayout();
  const { t } = language;
  // Only a class itself is for a group, of collections.
  const isForSome = project?.kind === 'class' || mayBeForGroup(viewer, type);
  const choices = visibilities.filter(
    (visibility) => !isForGroup({ visibility }) || visibility === selected || isForSome,
  );
  const refused = new Map(
    choices.flatMap((visibility) => {
      const refusal = project && findRefusedVisibility(viewer, project, visibility);
      return refusal ? [[visibility, language.translate(refusal)]] : [];
    }),
  );
  const isMaker = !project || project.contributor === viewer.contributor;
  return (
    <Folded
      label={project ? undefined : t('new.visibility', { chosen: t(`edit.${selected}`) })}
      names={['publish_time', ...(formErrors?.values.visibility === selected ? [] : ['visibility'])]}
      formErrors={formErrors}
      isOpen={selected !== initialVisibility(viewer, type)}
    >
      <RadioGroup
        name="visibility"
        legend={t('edit.visibility')}
        help={[...new Set(refused.values())].join(' ') || undefined}
        choices={choices.flatMap((value) =>
          refused.has(value)
            ? []
            : {
                value,
                label: t(`edit.${value}`),
                help: t(`edit.${value}Help`),
              },
        )}
        selected={getFieldValue(formErrors, 'visibility', selected)}
        errors={formErrors?.errors.visibility}
      />
      {isMaker && (!project || project.status === draft || project.status === waiting) && (
        <TimeField
          name="publish_time"
          label="publishTime.label"
          help="publishTime.help"
          instant={project?.publish_at ?? null}
          formErrors={formErrors}
        />
      )}
    </Folded>
  );
}

type NewProjectFieldsProps = Pick<ProjectFormProps, 'type' | 'fields' | 'values'> & {
  readonly formErrors: FormErrors | undefined;
};

/** The file and the title come first; what describes them is folded. */
function NewProjectFields({ type, fields, values, formErrors }: NewProjectFieldsProps) {
  const { t } = useLanguage();
  const folded: readonly string[] = getFoldedFields(type);
  const pick = (isFolded: boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => folded.includes(name) === isFolded));
  return (
    <>
      <FormFields
        fields={pick(false)}
        values={values}
        formErrors={formErrors}
        textTools={<TextTools type={type} />}
      />
      {folded.length > 0 && (
        <Folded label={t('new.description')} names={folded} formErrors={formErrors}>
          <FormFields
            fields={pick(true)}
            values={values}
            formErrors={formErrors}
            textTools={<TextTools type={type} />}
          />
        </Folded>
      )}
    </>
  );
}

interface FoldedProps {
  /** Without one, nothing is folded. */
  readonly label: string | undefined;
  /** It is open if one of these fields has a value or an error. */
  readonly names: readonly string[];
  readonly formErrors: FormErrors | undefined;
  readonly isOpen?: boolean;
  readonly children: Child;
}

function Folded({ label, names, formErrors, isOpen, children }: FoldedProps) {
  if (label === undefined) return <>{children}</>;
  const hasValues = names.some((name) => formErrors?.values[name] || formErrors?.errors[name]);
  return (
    <details class="folded" open={isOpen || hasValues || undefined}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}

/** Says before the form is sent that a moderator has to look at what it publishes. */
export function ReviewNotice({ project }: { project?: Project | undefined }) {
  const { waits, viewer, site, language } = useLayout();
  const isOpenAlready = project !== undefined && isOpen(project);
  if (!waits || (isOpenAlready && viewer.review?.works !== undefined)) return null;
  const own = isOpenAlready ? 'review.editWaits' : 'review.waits';
  const text = findLookedAfterForm(viewer)?.reviewNotice ?? own;
  return <p class="notice">{language.t(text, { site: site.name })}</p>;
}

/** The script shows this when the browser has a text that was not saved, with its time. */
function UnsavedText() {
  const { t, rich } = useLanguage();
  return (
    <template id="unsaved-text">
      <div class="notice draft" role="status">
        <p>{rich('edit.unsaved', { time: <span data-time /> })}</p>
        <button type="button">{t('form.restore')}</button>
        <button type="button" class="quiet">
          {t('edit.discard')}
        </button>
      </div>
    </template>
  );
}

/**
 * Browsers do not fill in a file field again, unless a script sent the form: a message asks for the files once more.
 * A video is a file or a link: both fields say that one is missing.
 */
function addFileErrors({ formErrors, layout: { language } }: PageContext): FormErrors | undefined {
  if (!formErrors) return undefined;
  const { values, errors } = formErrors;
  const hasFile = [values.file].flat().some((file) => file instanceof File && file.name);
  const messages = [
    ...(errors.file ?? []),
    ...(errors.link ?? []).filter((message) => message === language.t('edit.videoNeeded')),
    ...(hasFile && !('keeps_files' in values) ? [language.t('edit.chooseAgain')] : []),
  ];
  return messages.length > 0 ? { ...formErrors, errors: { ...errors, file: messages } } : formErrors;
}

/** By their names: they are not sent yet. The script for uploads (upload.js) draws them. */
const listChosenPictures = (names: unknown): TextPicture[] =>
  [names]
    .flat()
    .filter((name): name is string => typeof name === 'string' && name !== '')
    .slice(0, mediaLimits.files)
    .map((name) => ({ name: pictureName(name), alt: '', href: '#', attributes: { 'data-chosen': name } }));

/** Renders no more text than could be saved. `media` are the files of the project. */
async function renderPreview(
  context: PageContext,
  data: Readonly<Record<string, unknown>>,
  media: readonly Media[],
): Promise<string> {
  const { title, text } = joinQuote(data);
  const shortened = { text: toText(text).slice(0, projectLimits.text), title: toText(title), level: 3 };
  const [named] = await withNames(context, [shortened]);
  return renderMarkdownText({
    ...shortened,
    ...named,
    pictures: [...toTextPictures(media), ...listChosenPictures(data.file)],
  });
}

/** The preview that the button below the form asks for. */
export async function loadFormPreview(
  context: PageContext,
  media: readonly Media[] = [],
): Promise<string | undefined> {
  const values = context.formErrors?.values;
  return values && 'preview' in values ? renderPreview(context, values, media) : undefined;
}

export const textPreviewRoutes = [
  // The rendered text of a form, for the script that shows a live preview.
  form('/preview/', 'makeProject', async (context) => {
    const { projects, viewer, request } = context;
    const { data } = await request.readBody();
    const project = 'project' in data ? await projects.find(viewer, requireId(data.project)) : undefined;
    const [changes] = project ? await loadSections(context, 'project.edit', project) : [];
    const media = project ? (changes?.files?.media ?? (await loadFiles(context, project))) : [];
    const headers = { ...pageHeaders, 'Cache-Control': 'no-store' };
    return prepareResponse(200, headers, await renderPreview(context, data, media));
  }),
];
