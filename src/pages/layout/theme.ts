// /theme/ stores the chosen colour scheme: light, dark, or that of the operating system.

import { buildThemeCookie, themes } from '../../rest/theme.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { refererPath, seeOther } from '../redirects.ts';

export async function setTheme(_: PageDependencies, { request }: PageContext) {
  const { theme: chosen } = (await request.readBody()).data;
  return seeOther(refererPath(request), [buildThemeCookie(themes.find((theme) => theme === chosen))]);
}
