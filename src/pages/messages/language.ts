// /language/ stores the language that somebody chose for the pages.

import type { PageContext, PageDependencies } from '../page-context.ts';
import { refererPath, seeOther } from '../redirects.ts';
import { buildLanguageCookie, languageCodes } from './languages.ts';

export async function setLanguage(_: PageDependencies, { request }: PageContext) {
  const { language } = (await request.readBody()).data;
  const chosen = languageCodes.find((code) => code === language);
  return seeOther(refererPath(request), [buildLanguageCookie(chosen)]);
}
