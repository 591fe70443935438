// The forms of /admin/site/.

import { type Fields, toText } from '#rest/fields.ts';
import { isWork, projectContentTypes } from '../../core/content-types.ts';
import { mediaPath } from '../../core/files/stored-files.ts';
import { licenseNames } from '../../core/licenses.ts';
import { Form, FormFields } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import {
  accents,
  corners,
  defaultSite,
  descriptionRules,
  isTypeOffered,
  looks,
  offeredLanguages,
  ratingStyles,
  reviewScopes,
  siteFields,
  siteLanguages,
} from '../../core/site/site-fields.ts';
import { getLanguage } from '../../core/texts/languages.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { projectFields } from '../../projects/project-fields.ts';
import { SignUpChoices } from './sign-up-choices.tsx';
import { Choice, FieldErrors, LookPreview, ownColor, type SiteFormProps } from './site-choices.tsx';

/** Each is a page with a form of its own; the first is shown if none is asked for. */
export const siteParts = ['identity', 'appearance', 'projects', 'people', 'texts'] as const;
export type SitePart = (typeof siteParts)[number];

export function SiteForm({ part, ...props }: SiteFormProps & { part: SitePart }) {
  const { t } = useLanguage();
  const Fields = fieldsOfParts[part];
  return (
    <Form class="stacked-form site-form" action={props.action} enctype="multipart/form-data">
      <Fields {...props} />
      <button type="submit">{t('site.save')}</button>
    </Form>
  );
}

const fieldsOfParts = {
  identity: IdentityFields,
  appearance: AppearanceFields,
  projects: ProjectFields,
  people: PeopleFields,
  texts: TextFields,
};

function IdentityFields(props: SiteFormProps) {
  const { own, inherited = defaultSite, formErrors } = props;
  const { t } = useLanguage();
  const name = { ...siteFields.name, placeholder: inherited.name };
  const heading = { ...siteFields.heading, placeholder: inherited.heading ?? t('home.heading') };
  return (
    <>
      <div class="stacked-form narrow">
        <FormFields
          fields={{ name, tagline: siteFields.tagline, heading }}
          values={own}
          formErrors={formErrors}
        />
        <LogoField {...props} />
      </div>
      <Choice
        {...props}
        name="language"
        choices={siteLanguages}
        labelOf={(code) => getLanguage(code).name ?? code}
      />
      <LanguageFields {...props} />
    </>
  );
}

function AppearanceFields(props: SiteFormProps) {
  const { own, formErrors } = props;
  const { t } = useLanguage();
  const hasOwnColor = own.accent?.startsWith('#');
  return (
    <>
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
    </>
  );
}

function ProjectFields(props: SiteFormProps) {
  const { own, inherited, formErrors } = props;
  const { t } = useLanguage();
  const { review_works } = siteFields;
  // The help is for the command; the select shows the choices.
  const { choices } = projectFields.license;
  const license = { ...projectFields.license, ...siteFields.license, choices, help: '' };
  const names = licenseNames.join(', ');
  const licenses = { ...siteFields.licenses, help: t('site.licensesHelp', { names }) };
  return (
    <>
      <TypeFields {...props} />
      <div class="stacked-form narrow">
        <FormFields fields={{ license, licenses }} values={own} formErrors={formErrors} />
      </div>
      <Choice
        {...props}
        name="ratings"
        choices={ratingStyles}
        labelOf={(style) => t(`site.ratings.${style}`)}
      >
        {(style) => <span class="rating-sample">{style === 'heart' ? '♥' : '★★★★☆'}</span>}
      </Choice>
      <Choice
        {...props}
        name="descriptions"
        choices={descriptionRules}
        labelOf={(rule) => t(`site.descriptions.${rule}`)}
      />
      {!inherited && (
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
    </>
  );
}

function PeopleFields({ own, options, inherited, formErrors }: SiteFormProps) {
  return (
    <div class="stacked-form narrow">
      <SignUpChoices
        values={own}
        options={options}
        mayInherit={inherited !== undefined}
        formErrors={formErrors}
      />
    </div>
  );
}

function TextFields({ own, formErrors }: SiteFormProps) {
  const { contact, password_help, links, about, rules } = siteFields;
  return (
    <div class="stacked-form narrow">
      <FormFields
        fields={{ contact, password_help, links, about, rules }}
        values={own}
        formErrors={formErrors}
      />
    </div>
  );
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
            {isWork(type) ? (
              <label class="offered">
                <input type="checkbox" name={`offers_${type}`} checked={isChecked(type)} />{' '}
                {t(`type.${type}`)}
              </label>
            ) : (
              <span class="offered">{t(`type.${type}`)}</span>
            )}
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
