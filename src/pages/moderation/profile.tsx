// A person's avatar and profile, and the forms with which a moderator removes them: part of /moderation/people/.

import { NotFound } from '../../common/errors.ts';
import { readFields } from '../../common/fields.ts';
import { type AccountDetails, findAccount } from '../../gallery/accounts/account.ts';
import type { WriteContext } from '../../gallery/changes/write.ts';
import { fullName } from '../../gallery/contributors/contributor.ts';
import { optionalReasonFields } from '../../gallery/decisions/decision.ts';
import { requireId } from '../../gallery/ids.ts';
import { removeAvatar, removeProfile } from '../../gallery/moderation/rename.ts';
import { isEmpty, type Profile } from '../../gallery/profiles/profile.ts';
import { Avatar } from '../contributor/avatar.tsx';
import { ProfileWords } from '../contributor/profile.tsx';
import { accountPath } from '../layout/components.tsx';
import { Form, FormFields } from '../layout/form.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { anyone, form, type PageContext, seeOther } from '../page.ts';

export function AvatarRemoval({ account, avatar }: { account: AccountDetails; avatar: string | undefined }) {
  const { t } = useLanguage();
  if (!avatar) return null;
  return (
    <section aria-labelledby="avatar">
      <h3 id="avatar">{t('avatar.theirs')}</h3>
      <div class="own-avatar">
        <Avatar person={{ contributor: account.id, name: fullName(account), avatar }} />
        <RemovalForm account={account} part="avatar" label={t('avatar.removeTheirs')} />
      </div>
    </section>
  );
}

export function ProfileRemoval({ account, profile }: { account: AccountDetails; profile: Profile }) {
  const { t } = useLanguage();
  if (isEmpty(profile)) return null;
  return (
    <section aria-labelledby="profile">
      <h3 id="profile">{t('profile.words')}</h3>
      <ProfileWords profile={profile} />
      <RemovalForm account={account} part="profile" label={t('profile.remove')} />
    </section>
  );
}

interface RemovalFormProps {
  readonly account: AccountDetails;
  readonly part: 'avatar' | 'profile';
  readonly label: string;
}

function RemovalForm({ account, part, label }: RemovalFormProps) {
  return (
    <details>
      <summary>{label}</summary>
      <Form class="decision-form" action={`/moderation/people/${part}/`}>
        <input type="hidden" name="contributor" value={String(account.id)} />
        <FormFields fields={optionalReasonFields} prefix={part} />
        <button class="danger" type="submit">
          {label}
        </button>
      </Form>
    </details>
  );
}

const submitRemoval =
  (remove: (write: WriteContext, contributor: number) => Promise<void>) => async (context: PageContext) => {
    const { database } = context;
    const { data } = await context.request.readBody();
    const contributor = requireId(data.contributor);
    const { reason } = readFields(optionalReasonFields, data);
    await context.transact((write) => remove({ ...write, reason }, contributor));
    const account = await findAccount(database, contributor);
    if (!account) throw new NotFound();
    return seeOther(accountPath(account.username));
  };

const submitProfileRemoval = submitRemoval(removeProfile);
const submitAvatarRemovalByModerator = submitRemoval(removeAvatar);

export const profileRemovalRoutes = [
  form('/moderation/people/profile/', anyone, submitProfileRemoval),
  form('/moderation/people/avatar/', anyone, submitAvatarRemovalByModerator),
];
