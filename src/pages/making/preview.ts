// /preview/: a text as it will look, for the script that shows it while it is written.

import { authorizeAny } from '../../gallery/permissions.ts';
import { answer } from '../../rest/answer.ts';
import { pageHeaders } from '../../rest/page-headers.ts';
import type { PageParts, Served } from '../serve.ts';
import { previewOf } from './writing-form.tsx';

export async function preview(_: PageParts, { viewer, context }: Served) {
  authorizeAny(viewer, 'makeProject');
  const { data } = await context.body();
  return answer(200, { ...pageHeaders, 'Cache-Control': 'no-store' }, previewOf(data));
}
