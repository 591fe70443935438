// The style sheets of a site whose admins chose a look, or a colour of their own: /accents/<colour>.css.

import { NotFound } from '#common/errors.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { accentPath, readableColors } from '../../site/accent.ts';
import type { SiteSettings } from '../../site/site-fields.ts';
import { otherLooksStylesheet } from '../assets.ts';
import { anyone, page } from '../page.ts';

export function LookStylesheets({ site }: { site: SiteSettings }) {
  const paths = [site.look && otherLooksStylesheet, accentPath(site)];
  return <>{paths.map((path) => path && <link rel="stylesheet" href={path} />)}</>;
}

const headers = { 'Content-Type': 'text/css', 'Cache-Control': 'public, max-age=31536000, immutable' };

export const accentRoute = page('/accents/:file/', anyone, async ({ params }) => serveAccent(params.file));

export function serveAccent(file = ''): PreparedResponse {
  const [, color] = /^([0-9a-f]{6})\.css$/.exec(file) ?? [];
  if (color === undefined) throw new NotFound();
  const { light, dark } = readableColors(`#${color}`);
  return prepareResponse(200, headers, `:root { --chosen: light-dark(${light}, ${dark}); }\n`);
}
