// The language of pages: chosen by the browser or by the person, and never by the API.

import { expect, test } from 'bun:test';
import { apiText } from '#common/api-text.ts';
import { getLanguage, languageCodes, messagesIn } from '../../src/core/texts/languages.ts';
import { getTranslator } from '../../src/core/texts/translator.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, pathOf, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1, { title: 'Kite', created: '2024-01-25T12:00:00Z' }));

const headingFor = async (site: Site, acceptLanguage: string) =>
  (await readPage(await visitor(site).browser.get('/', { 'Accept-Language': acceptLanguage }))).heading;

const english = 'Look what we made.';
const spanish = 'Mira lo que hicimos.';
const german = 'Schau, was wir gemacht haben.';
const arabic = 'شاهدوا ما صنعنا.';

test('a page is in the first language of the browser that the site has, else in English', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const expected = {
    '': english,
    es: spanish,
    'ES-mx': spanish,
    'it, es;q=0.8, en;q=0.5': spanish,
    'it, es;q=0.5, en;q=0.8': english,
    'es;q=0, en': english,
    'de-AT': german,
    'ar-EG': arabic,
    'fr, zh-Hant': english,
    '*': english,
    ';;;q=x, -': english,
  };

  for (const [languages, heading] of Object.entries(expected))
    expect([languages, await headingFor(site, languages)]).toEqual([languages, heading]);
});

test('a page says its language to browsers and caches', async () => {
  const site = await siteOn('SQLite', { dump: gallery });

  const response = await visitor(site).browser.get(pathOf(1), { 'Accept-Language': 'es-AR' });
  const { headers } = response;
  expect([headers.get('Content-Language'), headers.get('Vary')]).toEqual(['es', 'Cookie, Accept-Language']);
  const inEnglish = await visitor(site).get(pathOf(1));
  expect(inEnglish.headers.get('ETag')).not.toBe(headers.get('ETag'));
  const page = await readPage(response);
  expect(page.document.querySelector('html')?.getAttribute('lang')).toBe('es');
  expect(page.textsOf('.project header time')).toEqual(['25 de enero de 2024']);
});

test('a person chooses the language in the footer, and keeps it', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');

  const choice = await ada.submit('/account/', 'Español');
  expect(choice.status).toBe(303);
  expect((await ada.open('/')).heading).toBe(spanish);
  expect((await ada.open('/nowhere/')).heading).toBe('Este estante está vacío');
  const form = await readPage(await ada.send('/new/question/', { title: '', status: '1', once: 'q' }));
  expect(form.errors).toEqual(['Tu pregunta: Este campo no puede estar vacío.']);

  await ada.submit('/', 'English');
  expect((await ada.browser.get('/', { 'Accept-Language': 'es' })).headers.get('Content-Language')).toBe(
    'en',
  );

  await ada.send('/language/', { language: 'tlh' });
  expect((await ada.open('/')).heading).toBe(english);
});

test('the API and the files stay in English for every browser', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');

  const response = await ada.post('/api/v1/projects/', { title: '' }, { 'Accept-Language': 'es' });
  expect(response.headers.get('Content-Language')).toBeNull();
  expect(await response.json()).toMatchObject({ title: ['This field may not be blank.'] });
  const browsable = await visitor(site).browser.get('/api/v1/projects/', {
    Accept: 'text/html',
    'Accept-Language': 'es',
  });
  expect(await browsable.text()).toContain('<html lang="en"');
});

test('every language has a page that names it, its direction and all languages on offer', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const offered = languageCodes.flatMap((code) => getLanguage(code).name ?? []);
  expect(offered).toEqual(['English', 'Español', 'Deutsch', 'العربية']);

  for (const code of languageCodes) {
    const { direction } = getLanguage(code);
    const page = await readPage(await visitor(site).browser.get('/', { 'Accept-Language': code }));
    const html = page.document.querySelector('html');
    expect([html?.getAttribute('lang'), html?.getAttribute('dir') ?? undefined]).toEqual([code, direction]);
    expect(page.heading).toBe(messagesIn(code)['home.heading']);
    const footer = page.document.querySelector('footer')?.textContent ?? '';
    expect(offered.filter((name) => !footer.includes(name))).toEqual([]);
  }
});

test('a language from right to left turns the page', async () => {
  const site = await siteOn('SQLite', { dump: gallery });

  const page = await readPage(await visitor(site).browser.get('/', { 'Accept-Language': 'ar-XB' }));
  expect(page.document.querySelector('html')?.attributes).toMatchObject({ lang: 'ar-XB', dir: 'rtl' });
});

test('what is in Latin letters keeps its order in an Arabic sentence', async () => {
  const { t, rich, translate, comma } = getTranslator('ar');

  // Isolated from the words around it.
  expect(t('edit.deleteHeading', { title: 'C++ (2)' })).toBe('حذف \u2068C++ (2)\u2069؟');
  expect(String(rich('contributor.by', { name: '@kite' }))).toBe('من عمل \u2068@kite\u2069');
  expect(translate(apiText('notChoice', { value: '"x"' }))).toBe('«\u2068"x"\u2069» ليس خيارًا صالحًا.');
  expect(comma).toBe('، ');
  expect(getTranslator('en').t('edit.deleteHeading', { title: 'C++ (2)' })).not.toContain('\u2068');
  // Addresses, colours and times in the texts themselves: their marks and numbers would change places.
  const turned = Object.entries(messagesIn('ar')).filter(([, text]) =>
    /:\/\/|#[0-9a-f]{6}|\d-\d\d|\s\/\w/.test(text.replace(/\u2066[^\u2069]*\u2069/g, '')),
  );
  expect(turned).toEqual([]);
});

test('an admin chooses the language for everybody, and the languages that people can choose', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada', { role: 'admin' });
  const set = async (settings: Record<string, string>) =>
    expect((await ada.send('/admin/site/', { speaks: 'yes', speaks_en: '', ...settings })).status).toBe(303);
  const choices = async () => (await visitor(site).open('/')).textsOf('.language-switch button');
  const headings = async (...accepted: string[]) => {
    const found = [];
    for (const languages of accepted) found.push(await headingFor(site, languages));
    return found;
  };
  const withCookie = async (code: string) =>
    (await readPage(await site.get('/', { Cookie: `language=${code}` }))).heading;

  await set({ speaks_es: '', speaks_de: '', language: 'es' });
  expect(await headings('', 'en', 'de', 'fr')).toEqual([spanish, spanish, spanish, spanish]);
  expect([await withCookie('en'), await withCookie('de'), await withCookie('')]).toEqual([
    english,
    german,
    spanish,
  ]);
  expect(await choices()).toEqual(['English', 'Español', 'Deutsch']);

  // Only English and German: whoever chose Spanish before gets what the browser asks for.
  await set({ speaks_de: '', language: '' });
  expect(await headings('', 'es', 'es, de', 'de', 'en, de')).toEqual([
    english,
    english,
    german,
    german,
    english,
  ]);
  expect([await withCookie('es'), await withCookie('de')]).toEqual([english, german]);
  expect(await choices()).toEqual(['English', 'Deutsch']);

  const only = { speaks: 'yes', speaks_de: '', language: '' };
  expect((await ada.send('/admin/site/', only)).status).toBe(303);
  expect(await headings('', 'en', 'es, en', 'de')).toEqual([german, german, german, german]);
  expect(await choices()).toEqual([]);

  const none = await ada.send('/admin/site/', { speaks: 'yes', language: 'de' });
  expect([none.status, (await readPage(none)).errors]).toEqual([
    400,
    ['Sprachen zur Auswahl: Biete mindestens eine Sprache an.'],
  ]);
  const unknown = await ada.send('/admin/site/', { language: 'xx' });
  expect(unknown.status).toBe(400);
});
