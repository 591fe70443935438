// The text of a notification in one sentence, for pages, feeds and mails.

import { displayName } from '../../gallery/contributors/contributor.ts';
import type { NotificationDetails } from '../../gallery/notifications/find.ts';
import { removeBidiControls } from '../layout/layout.tsx';
import type { Translator } from '../messages/translator.ts';

type Content = Pick<NotificationDetails, 'contributor' | 'kind' | 'decision'> & { readonly count?: number };

/** The message has some of the values `person`, `project` and `count`. */
export function sentenceOf({ contributor, kind, decision, count = 1 }: Content) {
  if (kind === 'rated' && count > 1) return 'notifications.ratedByMany';
  if (kind !== 'decided') return `notifications.${kind}` as const;
  const isAboutPerson = decision?.project === null;
  const { action = 'left' } = decision ?? {};
  if (action === 'left' || action === 'reopened' || action === 'consented' || action === 'erased')
    return isAboutPerson ? 'notifications.leftName' : 'notifications.left';
  if (decision?.contributor !== contributor)
    return reportSentences[action === 'trashed' || action === 'renamed' ? action : 'removed'];
  if (action === 'password_link') return 'notifications.passwordLink';
  return isAboutPerson && action === 'changed'
    ? 'notifications.changedProfile'
    : (`notifications.${action}` as const);
}

/** For those who reported it. */
const reportSentences = {
  removed: 'notifications.reportRemoved',
  trashed: 'notifications.reportTrashed',
  renamed: 'notifications.reportRenamed',
} as const;

/** As plain text. `count` is how many people have done it. */
export function formatSentence({ t }: Translator, notification: NotificationDetails, count = 1): string {
  const { by, project } = notification;
  return removeBidiControls(
    t(sentenceOf({ ...notification, count }), {
      person: by ? displayName(by) : '',
      project: project?.title ?? t('notifications.hiddenProject'),
      count,
    }),
  );
}
