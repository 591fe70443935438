// /about/ and /rules/: what the site's admins say about it. Without their text there is no such page.

import { NotFound } from '#common/errors.ts';
import { raw } from '#rest/jsx/jsx-runtime.ts';
import { excerpt } from '../markdown/markdown.ts';
import { renderMarkdownText } from '../markdown/rendering.ts';
import { LinkLine } from './layout/components.tsx';
import { Page } from './layout/layout.tsx';
import { useLayout } from './layout/layout-data.ts';
import { anyone, type PageHandler, page } from './page.ts';

const showText =
  (name: 'about' | 'rules'): PageHandler =>
  async (context) => {
    const { layout, origin, t } = context;
    const { site } = layout;
    const text = site[name];
    if (!text) throw new NotFound();
    const title = name === 'about' ? t('about.heading', { site: site.name }) : t('rules.title');
    const html = await renderMarkdownText({ text, title });
    return context.render(
      <Page title={title} isPublic description={excerpt(text, title, 160)} canonical={`${origin}/${name}/`}>
        <article class="narrow">
          <h1 dir="auto">{title}</h1>
          <div class="text" dir="auto">
            {raw(html)}
          </div>
          {name === 'about' && site.contact && (
            <LinkLine href={site.contact.href}>{site.contact.label}</LinkLine>
          )}
        </article>
      </Page>,
    );
  };

const showAboutPage = showText('about');
const showRulesPage = showText('rules');

/** On the pages where people agree to the rules or ask for them. */
export function RulesLink() {
  const { site, language } = useLayout();
  if (!site.rules) return null;
  return <p class="faint">{language.rich('rules.read', { link: (text) => <a href="/rules/">{text}</a> })}</p>;
}

/** Whom the author of something that was removed can write to. */
export function RemovalContact() {
  const { site, language } = useLayout();
  if (!site.contact) return null;
  const { href, label } = site.contact;
  return <p>{language.rich('project.removalContact', { contact: <a href={href}>{label}</a> })}</p>;
}

export const siteTextRoutes = [
  page('/about/', anyone, showAboutPage),
  page('/rules/', anyone, showRulesPage),
];
