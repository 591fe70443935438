// /theme/ stores the chosen colour scheme: light, dark, or that of the operating system.

import { buildThemeCookie, themes } from '../../rest/theme.ts';
import { buildLanguageCookie, languageCodes } from '../messages/languages.ts';
import type { PageContext } from '../page-context.ts';
import { refererPath, seeOther } from '../redirects.ts';

export async function setTheme({ request }: PageContext) {
  const { theme: chosen } = (await request.readBody()).data;
  return seeOther(refererPath(request), [buildThemeCookie(themes.find((theme) => theme === chosen))]);
}

// /language/ stores the language that somebody chose for the pages.

export async function setLanguage({ request }: PageContext) {
  const { language } = (await request.readBody()).data;
  const chosen = languageCodes.find((code) => code === language);
  return seeOther(refererPath(request), [buildLanguageCookie(chosen)]);
}
