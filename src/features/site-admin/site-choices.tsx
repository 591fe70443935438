// The groups of choices on /admin/site/. Looks and accents are shown as they are: an element with their attribute has their colours.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { type FormErrors, useLanguage } from '../../core/pages/layout/layout-data.ts';
import type { SettingName, SiteSettings } from '../../core/site/site-fields.ts';
import type { SignUpChoicesProps } from './sign-up-choices.tsx';

export interface SiteFormProps extends Pick<SignUpChoicesProps, 'options'> {
  readonly action: string;
  /** The texts that are set for this host itself. */
  readonly own: Partial<Record<SettingName, string>>;
  /** The settings in effect for the host. */
  readonly site: SiteSettings;
  /** For a single host: the settings of all hosts. */
  readonly inherited: SiteSettings | undefined;
  readonly formErrors: FormErrors | undefined;
}

/** The choice of any colour, which another input has. */
export const ownColor = 'own';

export function FieldErrors({ name, formErrors }: { name: string; formErrors: FormErrors | undefined }) {
  const language = useLanguage();
  const errors = formErrors?.errors[name];
  return errors ? (
    <p class="field-error" id={`f-${name}-wrong`}>
      {language.join(errors)}
    </p>
  ) : null;
}

interface ChoiceProps<Value extends string> extends SiteFormProps {
  readonly name: 'look' | 'accent' | 'corners' | 'ratings' | 'review' | 'descriptions' | 'language';
  readonly choices: readonly Value[];
  readonly labelOf: (value: Value) => string;
  /** Shows the choice. */
  readonly children?: (value: Value) => Child;
}

const lookNames = ['look', 'accent', 'corners'] as const;
const isLook = (name: string): name is (typeof lookNames)[number] => lookNames.some((one) => one === name);

/** Radio buttons with a picture of each choice. */
export function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { name, choices, own, inherited, formErrors, labelOf, children } = props;
  const { t } = useLanguage();
  // A look has an accent and corners, a browser a language; the others are always chosen.
  const defaults = { accent: 'site.ofLook', corners: 'site.ofLook', language: 'site.ofBrowser' } as const;
  const ownDefault = name in defaults ? defaults[name as keyof typeof defaults] : undefined;
  const hasDefault = inherited !== undefined || ownDefault !== undefined;
  const selected = formErrors?.values[name] ?? own[name] ?? (hasDefault ? '' : choices[0]);
  return (
    <fieldset class={`form-field site-choices of-${name}`} id={`f-${name}`} tabindex={-1}>
      <legend>{t(`site.${name}`)}</legend>
      <FieldErrors name={name} formErrors={formErrors} />
      <div>
        {[...(hasDefault ? ([''] as const) : []), ...choices].map((value) => (
          <label>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === selected}
              data-shows={isLook(name) && value !== ownColor ? value || (inherited?.[name] ?? '') : undefined}
            />
            {value !== '' && children && <span aria-hidden="true">{children(value)}</span>}
            <span>
              {value === '' ? t(inherited || !ownDefault ? 'site.asAll' : ownDefault) : labelOf(value)}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A shop window with three objects, in the colours and letters of the look. */
export function LookPreview({ look }: { look: string }) {
  const { t } = useLanguage();
  return (
    <span class="look-preview" data-look={look}>
      <b>{t('home.heading')}</b>
      <span class="cards">
        {(['brass', 'plum', 'felt'] as const).map((colour) => (
          <span class={`card ${colour}`}>
            <span class="cover" />
          </span>
        ))}
      </span>
      <span class="button">{t('layout.create')}</span>
    </span>
  );
}
