// /.well-known/security.txt (RFC 9116): where to report a problem, which is the contact of the site.

import { NotFound } from '../../common/errors.ts';
import { prepareResponse } from '../../rest/prepared-response.ts';
import type { PageContext } from '../page-context.ts';

const dayMs = 24 * 3_600_000;
/** The file says that it is valid for so long: readers of an older copy should fetch it again. */
const validDays = 90;

export async function showSecurityTxt({ layout: { site }, origin }: PageContext) {
  if (!site.contact) throw new NotFound();
  const today = Math.floor(Date.now() / dayMs);
  const lines = [
    `Contact: ${site.contact.href}`,
    `Expires: ${new Date((today + validDays) * dayMs).toISOString()}`,
    `Canonical: ${origin}/.well-known/security.txt`,
  ];
  const headers = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'public, max-age=3600' };
  return prepareResponse(200, headers, `${lines.join('\n')}\n`);
}
