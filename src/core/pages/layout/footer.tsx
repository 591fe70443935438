// The footer of every page: what a person chooses for all pages, and links to the page in other formats.

import { buildThemeCookie, type Theme, themes } from '#rest/theme.ts';
import { offeredLanguages } from '../../site/site-fields.ts';
import { buildLanguageCookie, getLanguage, languageCodes } from '../../texts/languages.ts';
import { isAnonymous } from '../../viewer/viewer.ts';
import { anyone, form, refererPath, seeOther } from '../page.ts';
import { cached } from './cached.tsx';
import { Form } from './form.tsx';
import { type Alternate, useLayout } from './layout-data.ts';

export function Footer({ alternates = [] }: { alternates: readonly Alternate[] | undefined }) {
  const { theme, viewer, language } = useLayout();
  const { t } = language;
  const Settings = isAnonymous(viewer) ? VisitorSettings : SiteSettings;
  return (
    <footer class="site-footer">
      <Settings theme={theme} />
      <nav aria-label={t('footer.formats')}>
        {alternates.map(
          ({ type, href, text }) =>
            text && (
              <a href={href} type={type}>
                {t(text)}
              </a>
            ),
        )}
        <a href="/api/v1/">API</a>
      </nav>
    </footer>
  );
}

/** The text of the site, and the theme and language that a person chooses for all pages. */
function SiteSettings({ theme }: { theme: Theme | undefined }) {
  const { language, site, name } = useLayout();
  const { t } = language;
  const themes = [
    { value: '', label: t('footer.automatic') },
    { value: 'light', label: t('footer.light') },
    { value: 'dark', label: t('footer.dark') },
  ];
  const languages = offeredLanguages(site).map((code) => ({
    value: code,
    label: getLanguage(code).name ?? code,
    lang: code,
  }));
  return (
    <>
      {site.tagline && <p dir="auto">{site.tagline}</p>}
      <nav aria-label={t('footer.about')}>
        {name === undefined && <a href="/tags/">{t('layout.tags')}</a>}
        {site.about && <a href="/about/">{t('about.title')}</a>}
        {site.rules && <a href="/rules/">{t('rules.title')}</a>}
        {site.links?.map(({ label, href }) => (
          <a href={href} dir="auto">
            {label}
          </a>
        ))}
        {site.contact && <a href={site.contact.href}>{t('footer.contact')}</a>}
      </nav>
      <Switch name="theme" label={t('footer.theme')} choices={themes} current={theme ?? ''} />
      <Switch name="language" label={t('footer.language')} choices={languages} current={language.code} />
    </>
  );
}

const VisitorSettings = cached(SiteSettings);

interface SwitchProps {
  readonly name: 'theme' | 'language';
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string; readonly lang?: string }[];
  readonly current: string;
}

function Switch({ name, label, choices, current }: SwitchProps) {
  if (choices.length < 2) return null;
  return (
    <Form class={`switch ${name}-switch`} action={`/${name}/`} aria-label={label}>
      {choices.map(({ value, label, lang }) => (
        <button
          class="plain"
          type="submit"
          name={name}
          value={value}
          lang={lang}
          aria-pressed={value === current ? 'true' : 'false'}
        >
          {label}
        </button>
      ))}
    </Form>
  );
}

/** The forms store the choices in cookies. */
export const preferenceRoutes = [
  form('/theme/', anyone, async ({ request }) => {
    const { theme: chosen } = (await request.readBody()).data;
    return seeOther(refererPath(request), [buildThemeCookie(themes.find((theme) => theme === chosen))]);
  }),
  form('/language/', anyone, async ({ request }) => {
    const { language } = (await request.readBody()).data;
    const chosen = languageCodes.find((code) => code === language);
    return seeOther(refererPath(request), [buildLanguageCookie(chosen)]);
  }),
];
