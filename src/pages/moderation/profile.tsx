// A person's profile, and the form with which a moderator removes it: part of /moderation/people/.

import { NotFound } from '../../errors.ts';
import { readFields } from '../../fields.ts';
import { type AccountDetails, findAccount } from '../../gallery/accounts/account.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { requireId } from '../../gallery/ids.ts';
import { optionalReasonFields } from '../../gallery/moderation/decision.ts';
import { removeProfile } from '../../gallery/moderation/remove-profile.ts';
import { isEmpty, type Profile } from '../../gallery/profiles/profile.ts';
import { CsrfField, FormFields } from '../form.tsx';
import { useLanguage } from '../layout-data.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { ProfileWords } from '../profile.tsx';
import { seeOther } from '../redirects.ts';

export function ProfileRemoval({ account, profile }: { account: AccountDetails; profile: Profile }) {
  const { t } = useLanguage();
  if (isEmpty(profile)) return null;
  return (
    <section aria-labelledby="profile">
      <h3 id="profile">{t('profile.words')}</h3>
      <ProfileWords profile={profile} />
      <form class="decision-form" method="post" action="/moderation/people/profile/">
        <CsrfField />
        <input type="hidden" name="contributor" value={String(account.id)} />
        <FormFields fields={optionalReasonFields} prefix="p" />
        <button class="danger" type="submit">
          {t('profile.remove')}
        </button>
      </form>
    </section>
  );
}

export async function submitProfileRemoval({ database }: PageDependencies, context: PageContext) {
  const { data } = await context.request.readBody();
  const contributor = requireId(data.contributor);
  const { reason } = readFields(optionalReasonFields, data);
  await transactOnce(database, context, (write) => removeProfile({ ...write, reason }, contributor));
  const account = await findAccount(database, contributor);
  if (!account) throw new NotFound();
  return seeOther(`/moderation/people/?${new URLSearchParams({ username: account.username })}`);
}
