// Sign-up, and how others see new people: the choices of /admin/site/ and of /setup/site/.

import type { SignUpOptions } from '../../core/accounts/sign-up-rules.ts';
import { shownNames } from '../../core/contributors/contributor.ts';
import { RadioGroup } from '../../core/pages/layout/form.tsx';
import { type FormErrors, useLanguage } from '../../core/pages/layout/layout-data.ts';
import { signUpPolicies } from '../../core/site/site-fields.ts';

export interface SignUpChoicesProps {
  readonly values: Readonly<Partial<Record<'sign_up' | 'names', unknown>>>;
  /** The options of the server: they win. */
  readonly options: SignUpOptions;
  /** The settings of all addresses can be kept. */
  readonly mayInherit?: boolean;
  readonly formErrors: FormErrors | undefined;
}

export function SignUpChoices({ values, options, mayInherit = false, formErrors }: SignUpChoicesProps) {
  const { t } = useLanguage();
  const inherited = mayInherit ? [{ value: '', label: t('site.asAll') }] : [];
  const groups = [
    {
      name: 'sign_up',
      legend: t('site.signUp'),
      choices: signUpPolicies.map((value) => ({
        value,
        label: t(`site.signUp.${value}`),
        help: t(`site.signUp.${value}.help`),
      })),
      option: options.signUp && `--sign-up ${options.signUp}`,
    },
    {
      name: 'names',
      legend: t('site.names'),
      choices: shownNames.map((value) => ({
        value,
        label: t(`site.names.${value}`),
        help: t(`site.names.${value}.help`),
      })),
      option: options.names && `--names ${options.names}`,
    },
  ] as const;
  return (
    <>
      {groups.map(({ name, legend, choices, option }) => (
        <>
          <RadioGroup
            name={name}
            legend={legend}
            choices={[...inherited, ...choices]}
            selected={formErrors?.values[name] ?? values[name] ?? (mayInherit ? '' : choices[0]?.value)}
            errors={formErrors?.errors[name]}
          />
          {option && <p class="faint">{t('site.optionWins', { option })}</p>}
        </>
      ))}
    </>
  );
}
