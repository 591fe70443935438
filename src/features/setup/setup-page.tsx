// /setup/?code=…: the first admin of a gallery, with the link from the log of the server. /setup/site/: what the gallery
// is for. Its form is sent to /admin/site/, where each setting can be changed later.

import { Conflict, Invalid } from '#common/errors.ts';
import { readFields, toText } from '#rest/fields.ts';
import { findSignUpRules } from '../../core/accounts/sign-up-rules.ts';
import { workTypes } from '../../core/content-types.ts';
import { LinkLine } from '../../core/pages/layout/components.tsx';
import { Form, FormFields, PostForm, RadioGroup } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { loadSections, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { defaultSite, looks, ratingStyles, reviewScopes, siteFields } from '../../core/site/site-fields.ts';
import { type SiteKind, siteKindNames } from '../../core/site/site-kinds.ts';
import { SignUpChoices } from '../site-admin/sign-up-choices.tsx';
import { isValidSetupCode, setupFields, useSetupCode } from './first-admin.ts';
import { siteKinds } from './kinds.ts';

const path = '/setup/';
const sitePath = '/setup/site/';

async function showSetupPage(context: PageContext) {
  const { database, formErrors, url, t } = context;
  const code = toText(formErrors?.values.code ?? url.query.get('code'));
  if (!(await isValidSetupCode(database, code))) return renderInvalidLink(context);
  const { username, password, first_name, last_name } = setupFields;
  const fields = {
    username,
    password,
    first_name: { ...first_name, label: t('signUp.firstName') },
    last_name: { ...last_name, label: t('signUp.lastName') },
  };
  return context.render(
    <FormPage title={t('setup.title')}>
      <p>{t('setup.intro')}</p>
      <PostForm action={path} fields={fields} formErrors={formErrors} button={t('setup.create')}>
        <input type="hidden" name="code" value={code} />
      </PostForm>
      <p class="faint">{t('setup.passkey')}</p>
    </FormPage>,
  );
}

function renderInvalidLink(context: PageContext) {
  const { t, rich } = context;
  return context.render(
    <FormPage title={t('setup.title')} status={404}>
      <p>{t('setup.invalid')}</p>
      <p>{rich('setup.newLink', { code: (text) => <code>{text}</code> })}</p>
    </FormPage>,
  );
}

async function submitSetup(context: PageContext) {
  const { accounts, authenticator, request, origin, layout } = context;
  const { data } = await request.readBody();
  const code = toText(data.code);
  // Before the mistakes of the form: nobody without the link learns anything.
  if (!(await isValidSetupCode(accounts.database, code))) return renderInvalidLink(context);
  const { shownName } = findSignUpRules(accounts.signUpOptions, layout.site);
  try {
    const id = await useSetupCode(accounts, code, readFields(setupFields, data), shownName);
    const { cookies } = await authenticator.startSession(request.headers, origin, { id });
    return seeOther(sitePath, cookies);
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new Invalid({ username: [error.text] });
  }
}

async function showSiteSetupPage(context: PageContext) {
  const { url, layout, accounts, t, rich } = context;
  const kind = siteKindNames.find((name) => name === url.query.get('kind'));
  if (!kind)
    return context.render(
      <FormPage title={t('setup.kindTitle')}>
        <p>
          {rich('setup.signedIn', {
            name: <bdi>{layout.name}</bdi>,
            link: (text) => <a href="/account/passkeys/">{text}</a>,
          })}
        </p>
        <p>{t('setup.kindIntro')}</p>
        <ul class="rows">
          {siteKindNames.map((name) => (
            <li>
              <div>
                <a href={`${sitePath}?kind=${name}`}>
                  <b>{t(`setup.kind.${name}`)}</b>
                </a>
                <p class="byline">{t(`setup.kind.${name}.help`)}</p>
              </div>
            </li>
          ))}
        </ul>
        <LinkLine href="/">{t('setup.later')}</LinkLine>
      </FormPage>,
    );
  const name = { ...siteFields.name, placeholder: defaultSite.name };
  const [next] = await loadSections(context, 'setup.next', kind);
  const isNamed = layout.site.name !== defaultSite.name;
  return context.render(
    <FormPage title={t(`setup.kind.${kind}`)}>
      <p>{t('setup.suggested')}</p>
      <Form class="stacked-form" action="/admin/site/">
        {next && <input type="hidden" name="next" value={next} />}
        <FormFields
          fields={{ name, tagline: siteFields.tagline }}
          values={{ name: isNamed ? layout.site.name : '', tagline: layout.site.tagline }}
        />
        <SignUpChoices values={siteKinds[kind]} options={accounts.signUpOptions} formErrors={undefined} />
        <RadioGroup
          name="review"
          legend={t('site.review')}
          choices={reviewScopes.map((value) => ({ value, label: t(`site.review.${value}`) }))}
          selected={siteKinds[kind].review}
        />
        <AppearanceChoices kind={kind} />
        <TypeChoices offered={siteKinds[kind].types?.split(',') ?? workTypes} />
        <button type="submit">{t('setup.save')}</button>
      </Form>
      <LinkLine href={sitePath}>{t('setup.otherKind')}</LinkLine>
    </FormPage>,
  );
}

function AppearanceChoices({ kind }: { kind: SiteKind }) {
  const { t } = useLanguage();
  const { ratings, look } = siteKinds[kind];
  return (
    <>
      <RadioGroup
        name="ratings"
        legend={t('site.ratings')}
        choices={ratingStyles.map((value) => ({
          value,
          label: t(`site.ratings.${value}`),
          help: t(`setup.ratings.${value}`),
        }))}
        selected={ratings}
      />
      <RadioGroup
        name="look"
        legend={t('site.look')}
        choices={looks.map((value) => ({
          value,
          label: t(`site.look.${value}`),
          help: t(`setup.look.${value}`),
        }))}
        selected={look}
      />
    </>
  );
}

function TypeChoices({ offered }: { offered: readonly string[] }) {
  const { t } = useLanguage();
  return (
    <fieldset class="form-field choices">
      <legend>{t('site.types')}</legend>
      <p class="help">{t('setup.types')}</p>
      <input type="hidden" name="offers" value="yes" />
      {workTypes.map((type) => (
        <div class="choice">
          <input
            type="checkbox"
            id={`f-offers_${type}`}
            name={`offers_${type}`}
            checked={offered.includes(type)}
          />
          <label for={`f-offers_${type}`}>{t(`type.${type}`)}</label>
        </div>
      ))}
    </fieldset>
  );
}

export const routes = [
  page(path, 'signIn', showSetupPage, submitSetup),
  page(sitePath, 'changeSite', showSiteSetupPage),
];
