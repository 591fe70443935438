// The consent that a teacher confirms before a class gets accounts.

import { choiceField } from '#rest/fields.ts';
import { CheckboxGroup } from '../../core/pages/layout/form.tsx';
import { type FormErrors, useLanguage } from '../../core/pages/layout/layout-data.ts';
import type { Translator } from '../../core/texts/translator.ts';

export const consentFields = { consent: choiceField('', { yes: '' }, { required: true }) };

export function ConsentField({ formErrors }: { formErrors: FormErrors | undefined }) {
  const { t } = useLanguage();
  return (
    <CheckboxGroup
      name="consent"
      legend={t('classes.consentTitle')}
      help={t('classes.consentHelp')}
      choices={[{ value: 'yes', label: t('classes.consent') }]}
      selected={[formErrors?.values.consent]}
      errors={formErrors?.errors.consent}
    />
  );
}

/** The hash of the wording that the teacher has read. */
export const hashConsent = ({ code, t }: Translator): string =>
  new Bun.CryptoHasher('sha256').update(`${code}: ${t('classes.consent')}`).digest('hex');
