// /manifest.webmanifest: the name, the icon and the colours with which a phone keeps the site on its home screen.

import { prepareResponse } from '#rest/prepared-response.ts';
import type { Theme } from '#rest/theme.ts';
import type { looks, SiteSettings } from '../../site/site-fields.ts';
import { favicon } from '../assets.ts';
import { anyone, page } from '../page.ts';

export const manifestPath = '/manifest.webmanifest';
export const touchIconPath = '/apple-touch-icon.png';

/** The colour of the paper of each look: see assets/looks.css. */
const paper: Readonly<Record<(typeof looks)[number], Readonly<Record<Theme, string>>>> = {
  dusk: { light: '#f8f5ef', dark: '#16161b' },
  daylight: { light: '#f6f9fc', dark: '#0e1218' },
  playground: { light: '#fff4cf', dark: '#1d1738' },
};

export const themeColor = ({ look = 'dusk' }: Pick<SiteSettings, 'look'>, theme: Theme): string =>
  paper[look][theme];

export const manifestRoute = page(`${manifestPath}/`, anyone, async ({ layout: { site } }) => {
  const color = themeColor(site, 'light');
  const manifest = {
    name: site.name,
    start_url: '/',
    display: 'minimal-ui',
    background_color: color,
    theme_color: color,
    icons: [
      { src: favicon, sizes: 'any', type: 'image/svg+xml' },
      { src: touchIconPath, sizes: '180x180', type: 'image/png' },
    ],
  };
  const headers = { 'Content-Type': 'application/manifest+json', 'Cache-Control': 'public, max-age=3600' };
  return prepareResponse(200, headers, JSON.stringify(manifest));
});
