// A report tells moderators about a project and says why. It is open until there is a decision.

import { Invalid } from '../../common/errors.ts';
import { choiceField, type Fields, textField, type Values } from '../../common/fields.ts';
import type { Instant } from '../instant.ts';

export const reportReasons = ['unkind', 'unsafe', 'spam', 'copied', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

const reportReasonLabels: Readonly<Record<ReportReason, string>> = {
  unkind: 'It is not kind',
  unsafe: 'It is not safe for children',
  spam: 'It is spam or advertising',
  copied: 'It was copied without permission',
  other: 'Something else',
};

export const reportLimits = {
  words: 1000,
  /** How many open reports one viewer may have. */
  open: 50,
} as const;

export interface Report {
  readonly id: number;
  readonly project: number;
  /** The reporter: shown to moderators only. */
  readonly contributor: number;
  readonly reason: ReportReason;
  readonly words: string;
  readonly created: Instant;
  readonly modified: Instant;
  /** Null while it is open. */
  readonly decision: number | null;
}

const reasonChoices: Record<string, ReportReason> = Object.fromEntries(
  reportReasons.map((reason) => [reportReasonLabels[reason], reason]),
);

export const reportFields = {
  reason: choiceField('Reason', reasonChoices, { required: true }),
  words: textField({
    label: 'Details',
    help: 'What should moderators know? If you chose “Something else”, say what it is.',
    maxLength: reportLimits.words,
    allowsBlank: true,
  }),
} satisfies Fields;

/** Throws unless the words say what is meant by "something else". */
export function validateReport(values: Values<typeof reportFields>): Pick<Report, 'reason' | 'words'> {
  const { reason } = values;
  const words = values.words?.trim() ?? '';
  if (reason === 'other' && words === '') throw new Invalid({ words: ['Say what it is.'] });
  return { reason, words };
}
