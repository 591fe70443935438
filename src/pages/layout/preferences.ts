// /theme/ stores the chosen colour scheme: light, dark, or that of the operating system.

import { buildThemeCookie, themes } from '../../rest/theme.ts';
import { buildLanguageCookie, languageCodes } from '../messages/languages.ts';
import { anyone, form, refererPath, seeOther } from '../page.ts';

// /language/ stores the language that somebody chose for the pages.

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
