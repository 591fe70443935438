// A person comes, finds something, makes a copy of it and more: in a real browser, with a script and without, and on
// a small screen with nothing but the keyboard.

import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Site, siteOn } from '../support/site.ts';

const demo = readFileSync(join(import.meta.dir, '../../src/gallery/demo/gallery.ndjson'), 'utf8');
const password = 'correct horse battery';

/** How somebody uses a page. */
interface Hands {
  press(what: Locator): Promise<void>;
  write(what: Locator, text: string): Promise<void>;
}

const mouse: Hands = {
  press: (what) => what.click(),
  write: (what, text) => what.fill(text),
};

const keyboard: Hands = {
  async press(what) {
    await reach(what);
    const radio = (await what.getAttribute('type')) === 'radio';
    await what.page().keyboard.press(radio ? 'Space' : 'Enter');
  },
  async write(what, text) {
    await reach(what);
    await what.page().keyboard.press('Control+a');
    await what.page().keyboard.type(text);
  },
};

/** From where the focus is, onwards, as far as a patient person would go. */
async function reach(what: Locator): Promise<void> {
  const page = what.page();
  const group = (await what.getAttribute('type')) === 'radio' ? await what.getAttribute('name') : null;
  for (let steps = 0; steps < 150; steps++) {
    if (await what.evaluate((element) => element === document.activeElement)) return;
    // Of a group of radio buttons Tab reaches one, and arrows the others.
    const inside = await page.evaluate(
      (name) => name !== null && document.activeElement?.getAttribute('name') === name,
      group,
    );
    await page.keyboard.press(inside ? 'ArrowUp' : 'Tab');
  }
  throw new Error(`the keyboard does not reach ${what}`);
}

interface Walk {
  readonly name: string;
  readonly hands: Hands;
  readonly context: Parameters<Browser['newContext']>[0];
}

const walks: Walk[] = [
  { name: 'with a script', hands: mouse, context: { viewport: { width: 1280, height: 900 } } },
  {
    name: 'without a script',
    hands: mouse,
    context: { viewport: { width: 1280, height: 900 }, javaScriptEnabled: false },
  },
  {
    name: 'at 360 pixels with the keyboard alone',
    hands: keyboard,
    context: { viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
  },
];

onBothDatabases((kind) => {
  describe('somebody finds, copies, edits, publishes, rates, comments and signs out', () => {
    let browser: Browser;
    let site: Site;

    beforeAll(async () => {
      site = await siteOn(kind, { dump: demo, environment: { VITRINE_SIGN_UP: 'open' } });
      browser = await openBrowser();
    });

    for (const [index, { name, hands, context }] of walks.entries()) {
      test(name, async () => {
        const base = site.serve();
        const tab = await browser.newContext(context);
        const page = await tab.newPage();
        const complaints = complaintsOf(page, base);
        const link = (words: string | RegExp) => page.getByRole('link', { name: words, exact: true });
        const button = (words: string) => page.getByRole('button', { name: words, exact: true });
        const arrive = (title: string) =>
          page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();

        await page.goto(`${base}/`);
        await hands.write(page.getByRole('searchbox'), 'broken toasters');
        await hands.press(button('Search'));
        await hands.press(link('The Museum of Broken Toasters').first());
        await arrive('The Museum of Broken Toasters');

        await hands.press(link('Sign in').first());
        await hands.press(page.getByRole('main').getByRole('link', { name: 'Sign up' }));
        await hands.write(page.getByLabel('Username'), `walker${index}`);
        await hands.write(page.getByLabel('Password'), password);
        await hands.write(page.getByLabel('First name'), 'Wal');
        await hands.press(button('Sign up'));
        await arrive('The Museum of Broken Toasters');

        await hands.press(button('Make a copy'));
        await arrive('Edit The Museum of Broken Toasters');
        await hands.write(page.getByLabel('Title'), `Toasters, copy ${index}`);
        await hands.write(page.getByLabel('Tags', { exact: true }), 'toast, repair');
        await hands.press(page.getByLabel('Everyone'));
        await hands.press(button('Save'));
        await arrive(`Toasters, copy ${index}`);

        await hands.press(link('The Museum of Broken Toasters').first());
        await hands.press(button('4 of 5'));
        await page.getByRole('group', { name: 'You gave it 4 of 5' }).waitFor();
        await hands.write(page.getByLabel('Your comment'), `Number ${index} has my *favourite* spoon.`);
        await hands.press(button('Send'));
        await page
          .getByRole('article')
          .filter({ hasText: `${index} has my favourite spoon` })
          .last()
          .waitFor();

        await hands.press(button('Sign out'));
        await link('Sign in').waitFor();
        expect(complaints).toEqual([]);

        const [copy] = await results(site, `/api/v1/projects/?contributor=walker${index}&content_type=link`);
        const { id, created, modified, uuid, html_url, url, ...rest } = copy as Record<string, unknown>;
        expect(rest).toEqual({
          title: `Toasters, copy ${index}`,
          slug: `toasters-copy-${index}`,
          copied_from: 59,
          contributor_name: 'Wal',
          contributor_html_url: expect.stringContaining(`-walker${index}/?format=api`),
          visibility: 'public',
          tags: 'toast, repair',
          text: expect.stringMatching(/^Sixty-three toasters/),
          status: 1,
          rating_count: 0,
          rating_sum: 0,
          karma: 0,
        });
        const said = await results(site, `/api/v1/projects/59/comments/?fields=title,text&page_size=100`);
        expect(said).toContainEqual({
          title: `Number ${index} has my favourite spoon.`,
          text: `Number ${index} has my *favourite* spoon.`,
        });
      });
    }
  });
});

/** The errors and warnings of the browser, failed responses, and requests to other sites. */
function complaintsOf(page: Page, base: string): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${base}/`)) complaints.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  return complaints;
}

async function results(site: Site, path: string): Promise<unknown[]> {
  return ((await site.json(path)) as { results: unknown[] }).results;
}
