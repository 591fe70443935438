// A report tells moderators about a project and says why. It is open until there is a decision.

import { type ApiText, apiText } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import { choiceField, type Fields, textField, type Values } from '../../common/fields.ts';
import type { Instant } from '../instant.ts';

export const reportReasons = ['unkind', 'unsafe', 'spam', 'copied', 'other'] as const;
export type ReportReason = (typeof reportReasons)[number];

const reasonLabels: Readonly<Record<ReportReason, ApiText>> = {
  unkind: apiText('reason.unkind'),
  unsafe: apiText('reason.unsafe'),
  spam: apiText('reason.spam'),
  copied: apiText('reason.copied'),
  other: apiText('reason.other'),
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

export const reportFields = {
  reason: choiceField(apiText('reason'), reasonLabels, { required: true }),
  words: textField({
    label: apiText('reportWords'),
    help: apiText('reportWordsHelp'),
    maxLength: reportLimits.words,
    allowsBlank: true,
  }),
} satisfies Fields;

/** Throws unless the words say what is meant by "something else". */
export function validateReport(values: Values<typeof reportFields>): Pick<Report, 'reason' | 'words'> {
  const { reason } = values;
  const words = values.words?.trim() ?? '';
  if (reason === 'other' && words === '') throw new Invalid({ words: [apiText('reportWordsMissing')] });
  return { reason, words };
}
