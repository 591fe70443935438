// The text of a notification in one sentence, for pages, feeds and mails.

import { describeNotification } from '../../core/changes/change-kinds.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { isSilent } from '../../core/decisions/actions.ts';
import { formatInstant, type Instant } from '../../core/instant.ts';
import { removeBidiControls } from '../../core/pages/layout/layout.tsx';
import type { Translator } from '../../core/texts/translator.ts';
import type { NotificationDetails } from './find-notifications.ts';

type Content = Pick<NotificationDetails, 'contributor' | 'kind' | 'decision'> & { readonly count?: number };

/** The message has some of the values `person`, `project`, `count` and `date`. */
export function sentenceOf({ contributor, kind, decision, count = 1 }: Content) {
  if (kind === 'rated' && count > 1) return 'notifications.ratedByMany';
  if (kind !== 'decided') return `notifications.${kind}` as const;
  const isAboutPerson = decision?.project === null;
  const { action = 'left' } = decision ?? {};
  if (isSilent(action)) return isAboutPerson ? 'notifications.leftName' : 'notifications.left';
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

/** Of what reviewers are told: the sentence that the person has read. */
export const toldSentenceOf = (notification: Content) =>
  sentenceOf({ ...notification, kind: 'decided', contributor: notification.decision?.contributor ?? 0 });

/** The time that the sentence names, if it names one. */
export function findDate({ kind, project }: NotificationDetails): Instant | undefined {
  const { date } = describeNotification(kind);
  return (date && project?.[date]) ?? undefined;
}

/** As plain text. `count` is how many people have done it. */
export function formatSentence(
  { t, formatDateTime }: Translator,
  timeZone: string,
  notification: NotificationDetails,
  count = 1,
): string {
  const { by, project: about } = notification;
  const time = findDate(notification);
  const date = time === undefined ? '' : formatDateTime(formatInstant(time, timeZone));
  const project = about?.title ?? t('notifications.hiddenProject');
  const sentence = notification.kind === 'told' ? t(toldSentenceOf(notification), { project }) : '';
  const person = by ? displayName(by) : '';
  const values = { person, project, count, sentence, date };
  return removeBidiControls(t(sentenceOf({ ...notification, count }), values));
}
