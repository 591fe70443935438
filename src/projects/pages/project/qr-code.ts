// /content/<uuid>/qr.svg: a QR code of the project's link without the slug, so that it stays right when the title
// changes. It is the same whether there is such a project or not.

import { encode } from 'uqr';
import { NotFound } from '#common/errors.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { anyone, type PageContext, page } from '../../../core/pages/page.ts';

/** The empty border, in squares, that scanners need. */
const border = 4;

async function showQrCode({ params, origin }: PageContext): Promise<PreparedResponse> {
  if (!/^[A-Za-z0-9]{1,40}$/.test(params.uuid ?? '')) throw new NotFound();
  const headers = { 'Content-Type': 'image/svg+xml', 'Cache-Control': 'public, max-age=86400' };
  return prepareResponse(200, headers, drawQrCode(`${origin}/content/${params.uuid}/`));
}

/** An SVG picture. */
export function drawQrCode(text: string): string {
  const { data, size } = encode(text, { ecc: 'M', border });
  const lines = data.flatMap((row, y) =>
    row.map((isDark, x) => {
      if (!isDark || row[x - 1]) return '';
      const end = row.indexOf(false, x);
      return `M${x} ${y}h${end - x}v1H${x}z`;
    }),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${lines.join('')}"/></svg>`;
}

export const qrCodeRoutes = [page('/content/:uuid/qr.svg/', anyone, showQrCode)];
