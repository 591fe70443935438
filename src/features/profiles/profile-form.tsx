// /account/profile/: what people say about themselves on their own page, and their avatar.

import type { Fields } from '#rest/fields.ts';
import type { UploadLimiter } from '#rest/upload-limiter.ts';
import { projectContentTypes } from '../../core/content-types.ts';
import { changeAvatar, loadAvatar, prepareAvatar } from '../../core/contributors/avatar.ts';
import { loadContributor } from '../../core/contributors/find-contributors.ts';
import { acceptedFiles } from '../../core/files/stored-files.ts';
import { accountSections } from '../../core/pages/account-sections.tsx';
import { Avatar } from '../../core/pages/layout/avatar.tsx';
import { Notice } from '../../core/pages/layout/components.tsx';
import { ButtonForm, CheckboxGroup, ErrorSummary, Form, FormFields } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { type FormErrors, useLayout } from '../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import { published } from '../../core/project-status.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { choosableLicenses } from '../../projects/licenses/rules.ts';
import { newFileFields } from '../../projects/media/file-fields.ts';
import { ChosenFileTemplate } from '../../projects/pages/editing/chosen-file.tsx';
import { withLicenseChoices } from '../../projects/pages/editing/type-forms.ts';
import { uploadAttributes } from '../../projects/pages/editing/upload.ts';
import { filesStylesheet, uploadScript } from '../../projects/pages/project-assets.ts';
import { changeProfile, loadPinned, loadProfile, profileFields } from '../../projects/people/profile.ts';
import type { Project } from '../../projects/project.ts';

async function showProfileForm(context: PageContext) {
  const { database, uploads, viewer, formErrors, url, t } = context;
  const id = requireSignedIn(viewer);
  const { translate } = context.layout.language;
  const { about, links, pinned, license } = await loadProfile(database, id);
  const avatar = (await loadAvatar(database, id)).at(-1)?.hash;
  const isAboutAvatar = url.path.startsWith(avatarPath);
  const profileErrors = isAboutAvatar ? undefined : formErrors;
  const { pinned: pinnedField, ...others } = profileFields;
  const choices = withLicenseChoices(others.license, choosableLicenses(viewer));
  const fields = { ...others, license: { ...choices, help: others.license.help } };
  const pinnedProjects = await loadPinned(database, id, pinned);
  const pinChoices = await loadPinChoices(context, pinnedProjects);
  return context.render(
    <FormPage
      aside={accountSections(context)}
      title={t('profile.title')}
      stylesheets={[filesStylesheet]}
      scripts={[uploadScript]}
    >
      {url.query.has('saved') && !formErrors && <Notice>{t('account.saved')}</Notice>}
      <AvatarForms avatar={avatar} uploads={uploads} formErrors={isAboutAvatar ? formErrors : undefined} />
      <h2>{t('avatar.words')}</h2>
      <ErrorSummary formErrors={profileErrors} fields={profileFields} />
      <Form class="stacked-form" action="/account/profile/">
        <FormFields
          fields={fields}
          values={{ about, links: links.join('\n'), license }}
          formErrors={profileErrors}
        />
        {pinChoices.length > 0 && (
          <CheckboxGroup
            name="pinned"
            legend={translate(pinnedField.label)}
            help={translate(pinnedField.help)}
            choices={pinChoices}
            selected={profileErrors ? [profileErrors.values.pinned].flat() : pinnedProjects.map(projectPath)}
            errors={profileErrors?.errors.pinned}
          />
        )}
        <button type="submit">{t('form.save')}</button>
      </Form>
    </FormPage>,
  );
}

/** Those that are chosen come first, in their order. Older projects are pinned on their own pages. */
const maxPinChoices = 100;

type ShownProject = Pick<Project, 'uuid' | 'slug' | 'title'>;

async function loadPinChoices({ projects, viewer }: PageContext, pinned: readonly ShownProject[]) {
  const filters = {
    contributor: 'me',
    content_type__in: projectContentTypes.join(','),
    status: String(published),
    visibility: 'public',
  };
  const listed = new Map(
    Object.entries(filters).flatMap(([name, text]) => [...projects.parseFilter(name, text)]),
  );
  const newest = await projects.list(viewer, listed).page(0, maxPinChoices);
  const choices = new Map([...pinned, ...newest].map((project) => [projectPath(project), project.title]));
  return [...choices].map(([value, title]) => ({ value, label: <bdi>{title}</bdi> }));
}

const { file } = newFileFields;
const avatarPath = '/account/profile/avatar/';

const getAvatarFields = ({ t }: Translator) =>
  ({
    file: {
      ...file,
      label: t('avatar.file'),
      help: t('avatar.help'),
      accept: acceptedFiles.pictures,
      schema: { ...file.schema, maxItems: 1 },
    },
  }) satisfies Fields;

interface AvatarFormsProps {
  /** The hash of the avatar in its largest size. */
  readonly avatar: string | undefined;
  readonly uploads: UploadLimiter;
  readonly formErrors: FormErrors | undefined;
}

function AvatarForms({ avatar, uploads, formErrors }: AvatarFormsProps) {
  const { viewer, name = '', language } = useLayout();
  const { t } = language;
  const fields = getAvatarFields(language);
  return (
    <section aria-labelledby="avatar">
      <h2 id="avatar">{t('avatar.title')}</h2>
      <ErrorSummary formErrors={formErrors} fields={fields} />
      <div class="own-avatar">
        <Avatar person={{ contributor: requireSignedIn(viewer), name, avatar }} />
        <Form
          class="stacked-form"
          action={avatarPath}
          enctype="multipart/form-data"
          {...uploadAttributes(language, uploads)}
        >
          <ChosenFileTemplate />
          <FormFields fields={fields} formErrors={formErrors} />
          <button type="submit" data-sending={t('upload.sending')}>
            {t('avatar.save')}
          </button>
        </Form>
      </div>
      {avatar && (
        <ButtonForm action={`${avatarPath}remove/`} variant="quiet">
          {t('avatar.remove')}
        </ButtonForm>
      )}
    </section>
  );
}

const savedPath = '/account/profile/?saved';

async function submitAvatar(context: PageContext) {
  const fields = getAvatarFields(context.layout.language);
  const { file: pictures = [] } = await context.readForm(fields);
  const picture = pictures.at(-1);
  if (!picture) throw new Error('the field has checked that there is a file');
  const sizes = await prepareAvatar(context, context.viewer, picture);
  await context.transact((write) => changeAvatar(write, sizes));
  return seeOther(savedPath);
}

export const profileRoutes = [
  page(
    ['/account/profile/', '/account/profile/avatar/', '/account/profile/avatar/remove/'],
    'changeAccount',
    showProfileForm,
  ),
  form('/account/profile/', 'changeAccount', async (context) => {
    const { database } = context;
    const { about = '', links = [], pinned = [], license = null } = await context.readForm(profileFields);
    await context.transact((write) => changeProfile(write, { about, links, pinned, license }));
    const { id, username } = await loadContributor(database, requireSignedIn(context.viewer));
    return seeOther(contributorPath(id, username));
  }),
  { ...form(avatarPath, 'changeAccount', submitAvatar), acceptsFiles: true },
  form(`${avatarPath}remove/`, 'changeAccount', async (context) => {
    await context.transact((write) => changeAvatar(write, []));
    return seeOther(savedPath);
  }),
];
