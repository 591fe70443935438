// /admin/site/: the settings of the site in parts (`part`), for all hosts or for one (`host`).

import { apiText } from '#common/api-text.ts';
import { Invalid, NotFound } from '#common/errors.ts';
import { type Fields, toText } from '#rest/fields.ts';
import { contentTypes, workTypes } from '../../core/content-types.ts';
import { shownNames } from '../../core/contributors/contributor.ts';
import { addScript, adminStylesheet, otherLooksStylesheet } from '../../core/pages/assets.ts';
import { DateTimeText, LinkItem, LinkTabs, Notice } from '../../core/pages/layout/components.tsx';
import { ErrorSummary, translateFields } from '../../core/pages/layout/form.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import {
  loadSections,
  type PageContext,
  page,
  parseNextPath,
  type Sections,
  seeOther,
} from '../../core/pages/page.ts';
import {
  defaultSite,
  descriptionRules,
  looks,
  ratingStyles,
  reviewScopes,
  type SettingName,
  settingNames,
  signUpPolicies,
  siteFields,
  siteLanguages,
} from '../../core/site/site-fields.ts';
import {
  allHosts,
  changeSite,
  listHosts,
  listSiteChanges,
  loadOwnSettings,
  loadSite,
  prepareLogo,
} from '../../core/site/site-settings.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { can } from '../../core/viewer/permissions.ts';
import chooseLookJs from './choose-look.js' with { type: 'text' };
import { ownColor } from './site-choices.tsx';
import { getTypeNameFields, SiteForm, type SitePart, siteParts } from './site-form.tsx';

declare module '../../core/pages/page.ts' {
  interface Places {
    /** Below the form. */
    'site.parts': Section<undefined>;
  }
}

const chooseLookScript = addScript(chooseLookJs);

const path = '/admin/site/';
const maxShownChanges = 10;

function pathOf(host: string, part: SitePart): string {
  const query = new URLSearchParams({
    ...(host !== allHosts && { host }),
    ...(part !== siteParts[0] && { part }),
  });
  return query.size > 0 ? `${path}?${query}` : path;
}

async function showSitePage(context: PageContext) {
  const { database, layout, url, formErrors, t } = context;
  const { hosts, host, part } = await findChoice(context);
  const [own, inherited, changes] = await Promise.all([
    loadOwnSettings(database, host),
    host === allHosts ? undefined : loadSite(database, allHosts),
    listSiteChanges(database, maxShownChanges),
  ]);
  return context.render(
    <Page
      title={t('site.title')}
      isForm
      stylesheets={[adminStylesheet, otherLooksStylesheet]}
      scripts={[chooseLookScript]}
    >
      <h1>{t('site.title')}</h1>
      <LinkTabs label={t('site.title')}>
        {siteParts.map((name) => (
          <LinkItem href={pathOf(host, name)} current={name === part && 'page'}>
            {t(`site.${name}`)}
          </LinkItem>
        ))}
      </LinkTabs>
      <LinkTabs label={t('site.hosts')}>
        {hosts.map((name) => (
          <LinkItem href={pathOf(name, part)} current={name === host && 'page'}>
            {name || t('site.allHosts')}
          </LinkItem>
        ))}
      </LinkTabs>
      <p class="narrow faint">{host === allHosts ? t('site.forAll') : t('site.forHost', { host })}</p>
      {url.query.has('saved') && !formErrors && <Notice>{t('site.saved')}</Notice>}
      <ErrorSummary
        formErrors={formErrors}
        fields={{ ...siteFields, ...getTypeNameFields(layout.language) }}
      />
      <SiteForm
        part={part}
        action={pathOf(host, part)}
        own={own}
        site={await loadSite(database, host)}
        inherited={inherited}
        options={context.accounts.signUpOptions}
        formErrors={formErrors}
      />
      {part === siteParts[0] && (
        <>
          {await loadSections(context, 'site.parts', undefined)}
          <Changes changes={changes} />
        </>
      )}
    </Page>,
  );
}

/** Hosts are the default, that of the request, and all that have settings. */
async function findChoice({ database, request, url }: PageContext) {
  const hosts = [...new Set([allHosts, request.hostname, ...(await listHosts(database))])];
  const host = url.query.get('host') ?? allHosts;
  const asked = url.query.get('part') ?? siteParts[0];
  const part = siteParts.find((name) => name === asked);
  if (!hosts.includes(host) || !part) throw new NotFound();
  return { hosts, host, part };
}

function Changes({ changes }: { changes: Awaited<ReturnType<typeof listSiteChanges>> }) {
  const language = useLanguage();
  const { t } = language;
  const fields: Fields = translateFields(language, siteFields);
  if (changes.length === 0) return null;
  return (
    <section class="narrow" aria-labelledby="changes">
      <h2 id="changes">{t('site.changes')}</h2>
      <ul class="rows">
        {changes.map(({ at, username, host, settings }) => (
          <li>
            <div>
              <bdi>{username ?? t('site.operator')}</bdi> ·{' '}
              {settings.map((name) => fields[name]?.label ?? name).join(language.comma)}
              <p class="byline">
                <DateTimeText instant={at} /> · {host || t('site.allHosts')}
              </p>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

async function submitSite(context: PageContext) {
  const { database } = context;
  const { host, part } = await findChoice(context);
  const { data } = await context.request.readBody();
  const texts = await readTexts(context, data);
  const inherited = host === allHosts ? undefined : await loadSite(database, allHosts);
  // A value that the form shows by default is no setting of its own.
  const defaults = {
    types: workTypes,
    languages: siteLanguages,
    look: looks[0],
    ratings: ratingStyles[0],
    review: reviewScopes[0],
    descriptions: descriptionRules[0],
    sign_up: signUpPolicies[0],
    names: shownNames[0],
    ...inherited,
  };
  const defaulted = [
    'types',
    'languages',
    'look',
    'ratings',
    'review',
    'descriptions',
    'sign_up',
    'names',
  ] as const;
  for (const name of defaulted) if (texts[name] === String(defaults[name])) texts[name] = '';
  await context.transact((write) => changeSite(write, host, texts));
  if ('next' in data) return seeOther(parseNextPath(data.next));
  const address = pathOf(host, part);
  return seeOther(`${address}${address.includes('?') ? '&' : '?'}saved`);
}

/** The texts of the settings that the form has sent. */
async function readTexts(
  context: PageContext,
  data: Readonly<Record<string, unknown>>,
): Promise<Partial<Record<SettingName, string>>> {
  const { viewer, layout } = context;
  const texts: Partial<Record<SettingName, string>> = {};
  for (const name of settingNames) {
    const value = data[name];
    if (name !== 'logo' && typeof value === 'string') texts[name] = value;
  }
  if (texts.accent === ownColor) texts.accent = toText(data.accent_color);
  if ('offers' in data) {
    texts.types = String(workTypes.filter((type) => `offers_${type}` in data));
    if (!texts.types) throw new Invalid({ types: [apiText('site.noType')] });
    if ('one_text' in data) texts.type_names = readTypeNames(layout.language, data);
  }
  if ('speaks' in data) {
    texts.languages = String(siteLanguages.filter((code) => `speaks_${code}` in data));
    if (!texts.languages) throw new Invalid({ languages: [apiText('site.noLanguage')] });
  }
  const [picture] = [data.logo].flat();
  if (picture instanceof File && picture.size > 0) texts.logo = await prepareLogo(context, viewer, picture);
  else if ('remove_logo' in data) texts.logo = '';
  return texts;
}

/** A type has both names or none. */
function readTypeNames({ t }: Translator, data: Readonly<Record<string, unknown>>): string {
  const errors: Record<string, string[]> = {};
  const lines = contentTypes.flatMap((type) => {
    const [one = '', many = ''] = [data[`one_${type}`], data[`many_${type}`]].map((name) =>
      toText(name).trim(),
    );
    if (!one && !many) return [];
    if (!one) errors[`one_${type}`] = [t('site.oneNeeded')];
    if (!many) errors[`many_${type}`] = [t('site.manyNeeded')];
    return [`${type}: ${one}, ${many}`];
  });
  if (Object.keys(errors).length > 0) throw new Invalid(errors);
  return lines.join('\n');
}

/** For admins, as long as the site has no name of its own. */
async function loadNotice({ viewer, layout, rich }: PageContext) {
  if (!can(viewer, 'changeSite') || layout.site.name !== defaultSite.name) return undefined;
  return <p class="notice">{rich('home.setUp', { link: (text) => <a href={path}>{text}</a> })}</p>;
}

export const sections: Sections = { 'home.notices': loadNotice };

export const routes = [{ ...page(path, 'changeSite', showSitePage, submitSite), acceptsFiles: true }];
