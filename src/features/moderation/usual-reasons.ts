// The reason of a decision, for the author: one of the usual sentences, the moderator's own words, or both.

import { choiceField, readFields, type Values } from '#rest/fields.ts';
import { optionalReasonFields, requiredReasonFields } from '../../core/decisions/decision.ts';
import type { Translator } from '../../core/texts/translator.ts';

type Sentences = Readonly<Record<string, string>>;

export const getReasonFields = ({ t }: Translator, label: string, help: string, sentences: Sentences) => ({
  because: choiceField(label, sentences),
  reason: { ...optionalReasonFields.reason, label: t('decision.words'), help },
});

type ReasonFields = ReturnType<typeof getReasonFields>;

/** Throws if there is no reason. */
export function readReason(
  fields: ReasonFields,
  sentences: Sentences,
  data: Readonly<Record<string, unknown>>,
): string | undefined {
  const sent: Values<ReasonFields> = readFields(fields, { ...data, because: data.because || undefined });
  const usual = sent.because === undefined ? '' : sentences[sent.because];
  return readFields(requiredReasonFields, { reason: `${usual} ${sent.reason ?? ''}`.trim() }).reason;
}

/** Why something that was reported is removed. */
export const getRemovalReasons = ({ t }: Translator) => ({
  unkind: t('queue.because.unkind'),
  unsafe: t('queue.because.unsafe'),
  spam: t('queue.because.spam'),
  copied: t('queue.because.copied'),
});

export const getRemovalFields = (language: Translator) =>
  getReasonFields(
    language,
    language.t('queue.because'),
    language.t('api.reasonHelp'),
    getRemovalReasons(language),
  );
