// The form of /admin/site/. Looks and accents are shown as they are: an element with their attribute has their colours.

import { type Fields, toText } from '../../common/fields.ts';
import { projectContentTypes } from '../../gallery/content-types.ts';
import { mediaPath } from '../../gallery/media/media.ts';
import {
  accents,
  corners,
  defaultSite,
  isTypeOffered,
  looks,
  offeredLanguages,
  ratingStyles,
  reviewScopes,
  type SettingName,
  type SiteSettings,
  siteFields,
  siteLanguages,
} from '../../gallery/site/fields.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { Form, FormFields } from '../layout/form.tsx';
import { type FormErrors, useLanguage } from '../layout/layout-data.ts';
import { getLanguage } from '../messages/languages.ts';
import type { Translator } from '../messages/translator.ts';
import { SignUpChoices, type SignUpChoicesProps } from './sign-up-choices.tsx';

interface SiteFormProps extends Pick<SignUpChoicesProps, 'options'> {
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

export function SiteForm(props: SiteFormProps) {
  const { action, own, inherited = defaultSite, formErrors } = props;
  const { t } = useLanguage();
  const { tagline, review_works, contact, password_help, links, about, rules } = siteFields;
  const hasOwnColor = own.accent?.startsWith('#');
  const name = { ...siteFields.name, placeholder: inherited.name };
  const heading = { ...siteFields.heading, placeholder: inherited.heading ?? t('home.heading') };
  return (
    <Form class="stacked-form site-form" action={action} enctype="multipart/form-data">
      <h2>{t('site.identity')}</h2>
      <div class="stacked-form narrow">
        <FormFields fields={{ name, tagline, heading }} values={own} formErrors={formErrors} />
        <LogoField {...props} />
      </div>
      <h2>{t('site.appearance')}</h2>
      <Choice {...props} name="look" choices={looks} labelOf={(look) => t(`site.look.${look}`)}>
        {(look) => <LookPreview look={look} />}
      </Choice>
      <Choice
        {...props}
        own={hasOwnColor ? { ...own, accent: ownColor } : own}
        name="accent"
        choices={[...accents, ownColor]}
        labelOf={(accent) => t(`site.accent.${accent}`)}
      >
        {(accent) => accent !== ownColor && <span class="swatch" data-accent={accent} data-look="dusk" />}
      </Choice>
      <p>
        <input
          type="color"
          name="accent_color"
          value={toText(formErrors?.values.accent_color ?? (hasOwnColor ? own.accent : '#0b6b5d'))}
          aria-label={t('site.accent.own')}
        />
      </p>
      <Choice {...props} name="corners" choices={corners} labelOf={(corner) => t(`site.corners.${corner}`)}>
        {(corner) => <span class="corner" data-corners={corner} data-look="dusk" />}
      </Choice>
      <h2>{t('site.languageTitle')}</h2>
      <Choice
        {...props}
        name="language"
        choices={siteLanguages}
        labelOf={(code) => getLanguage(code).name ?? code}
      />
      <LanguageFields {...props} />
      <h2>{t('site.projects')}</h2>
      <TypeFields {...props} />
      <Choice
        {...props}
        name="ratings"
        choices={ratingStyles}
        labelOf={(style) => t(`site.ratings.${style}`)}
      >
        {(style) => <span class="rating-sample">{style === 'heart' ? '♥' : '★★★★☆'}</span>}
      </Choice>
      {inherited === defaultSite && (
        <>
          <Choice
            {...props}
            name="review"
            choices={reviewScopes}
            labelOf={(scope) => t(`site.review.${scope}`)}
          />
          <div class="stacked-form narrow">
            <FormFields fields={{ review_works }} values={own} formErrors={formErrors} />
          </div>
        </>
      )}
      <h2>{t('site.people')}</h2>
      <div class="stacked-form narrow">
        <SignUpChoices
          values={own}
          options={props.options}
          mayInherit={props.inherited !== undefined}
          formErrors={formErrors}
        />
      </div>
      <h2>{t('site.texts')}</h2>
      <div class="stacked-form narrow">
        <FormFields
          fields={{ contact, password_help, links, about, rules }}
          values={own}
          formErrors={formErrors}
        />
      </div>
      <button type="submit">{t('site.save')}</button>
    </Form>
  );
}

function FieldErrors({ name, formErrors }: { name: string; formErrors: FormErrors | undefined }) {
  const language = useLanguage();
  const errors = formErrors?.errors[name];
  return errors ? (
    <p class="field-error" id={`f-${name}-wrong`}>
      {language.join(errors)}
    </p>
  ) : null;
}

function LogoField({ site, own, formErrors }: SiteFormProps) {
  const { t } = useLanguage();
  const { logo } = site;
  return (
    <div class="form-field">
      <label for="f-logo">{t('site.logo')}</label>
      <p class="help" id="f-logo-help">
        {t('site.logoHelp')}
      </p>
      <FieldErrors name="logo" formErrors={formErrors} />
      {logo && (
        <p class="row logo-now">
          <img
            src={mediaPath('image/webp', logo)}
            width={logo.width}
            height={logo.height}
            alt={t('site.logoNow')}
          />
          {own.logo && (
            <label>
              <input type="checkbox" name="remove_logo" /> {t('site.removeLogo')}
            </label>
          )}
        </p>
      )}
      <input
        id="f-logo"
        type="file"
        name="logo"
        accept="image/jpeg,image/png,image/gif,image/webp"
        aria-describedby="f-logo-help"
      />
    </div>
  );
}

interface ChoiceProps<Value extends string> extends SiteFormProps {
  readonly name: 'look' | 'accent' | 'corners' | 'ratings' | 'review' | 'language';
  readonly choices: readonly Value[];
  readonly labelOf: (value: Value) => string;
  /** Shows the choice. */
  readonly children?: (value: Value) => Child;
}

const lookNames = ['look', 'accent', 'corners'] as const;
const isLook = (name: string): name is (typeof lookNames)[number] => lookNames.some((one) => one === name);

/** Radio buttons with a picture of each choice. */
function Choice<Value extends string>(props: ChoiceProps<Value>) {
  const { name, choices, own, inherited, formErrors, labelOf, children } = props;
  const { t } = useLanguage();
  // What each look has, and each browser; the others are always chosen.
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
function LookPreview({ look }: { look: string }) {
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

function LanguageFields({ site, formErrors }: SiteFormProps) {
  const { t } = useLanguage();
  const offered = offeredLanguages(site);
  return (
    <fieldset class="form-field site-choices" id="f-languages" tabindex={-1}>
      <legend>{t('site.languages')}</legend>
      <p class="help">{t('site.languagesHelp')}</p>
      <FieldErrors name="languages" formErrors={formErrors} />
      <input type="hidden" name="speaks" value="yes" />
      <div>
        {siteLanguages.map((code) => (
          <label>
            <input
              type="checkbox"
              name={`speaks_${code}`}
              checked={formErrors ? `speaks_${code}` in formErrors.values : offered.includes(code)}
            />
            <span lang={code}>{getLanguage(code).name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const nameNumbers = ['one', 'many'] as const;

/** The inputs of the types' names, for the errors above the form. */
export const getTypeNameFields = ({ t }: Translator): Fields =>
  Object.fromEntries(
    projectContentTypes.flatMap((type) =>
      nameNumbers.map((number) => [
        `${number}_${type}`,
        { ...siteFields.type_names, label: t(`site.${number}`, { type: t(`type.${type}`) }) },
      ]),
    ),
  );

function TypeFields({ site, own, formErrors }: SiteFormProps) {
  const { t } = useLanguage();
  const sent = formErrors?.values;
  const names = own.type_names ? (site.type_names ?? {}) : {};
  const isChecked = (type: (typeof projectContentTypes)[number]) =>
    sent ? `offers_${type}` in sent : isTypeOffered(site.types, type);
  return (
    <fieldset class="form-field" id="f-types" tabindex={-1}>
      <legend>{t('site.types')}</legend>
      <p class="help">{t('site.typesHelp')}</p>
      <FieldErrors name="types" formErrors={formErrors} />
      <FieldErrors name="type_names" formErrors={formErrors} />
      <input type="hidden" name="offers" value="yes" />
      <ul class="type-rows" id="f-type_names">
        {projectContentTypes.map((type) => (
          <li>
            <label class="offered">
              <input type="checkbox" name={`offers_${type}`} checked={isChecked(type)} /> {t(`type.${type}`)}
            </label>
            {nameNumbers.map((number) => {
              const name = `${number}_${type}`;
              const isWrong = formErrors !== undefined && name in formErrors.errors;
              return (
                <div>
                  <FieldErrors name={name} formErrors={formErrors} />
                  <input
                    type="text"
                    id={`f-${name}`}
                    name={name}
                    dir="auto"
                    value={String(sent?.[name] ?? names[type]?.[number] ?? '')}
                    placeholder={t(number === 'one' ? `type.${type}` : `type.${type}.many`)}
                    aria-label={t(`site.${number}`, { type: t(`type.${type}`) })}
                    aria-invalid={isWrong ? 'true' : undefined}
                    aria-describedby={isWrong ? `f-${name}-wrong` : undefined}
                  />
                </div>
              );
            })}
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
