// The avatar on /account/profile/: a form that uploads it, and a button that removes it.

import type { Fields } from '../../common/fields.ts';
import { newFileFields } from '../../gallery/media/fields.ts';
import { acceptedFiles } from '../../gallery/media/media.ts';
import { changeAvatar, prepareAvatar } from '../../gallery/profiles/avatar.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import type { UploadLimiter } from '../../rest/upload-limiter.ts';
import { Avatar } from '../contributor/avatar.tsx';
import { uploadAttributes } from '../editing/upload.ts';
import { ButtonForm, ErrorSummary, Form, FormFields } from '../layout/form.tsx';
import { type FormErrors, useLayout } from '../layout/layout-data.ts';
import type { Translator } from '../messages/translator.ts';
import { form, type PageContext, seeOther } from '../page.ts';

const { file } = newFileFields;
export const avatarPath = '/account/profile/avatar/';

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

export function AvatarForms({ avatar, uploads, formErrors }: AvatarFormsProps) {
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

export const avatarRoutes = [
  { ...form(avatarPath, 'changeAccount', submitAvatar), acceptsFiles: true },
  form(`${avatarPath}remove/`, 'changeAccount', async (context) => {
    await context.transact((write) => changeAvatar(write, []));
    return seeOther(savedPath);
  }),
];
