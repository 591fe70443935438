// One long journey through the site in a real browser: with the mouse and without scripts, and with scripts on a small
// screen with nothing but the keyboard.

import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openBrowser, openWindow } from '../support/browser.ts';
import { onOneDatabase } from '../support/databases.ts';
import { visitor } from '../support/person.ts';
import { type Site, siteOn } from '../support/site.ts';

const demo = readFileSync(join(import.meta.dir, '../../src/features/demo/gallery.ndjson'), 'utf8');
const password = 'correct horse battery';

interface InputDevice {
  press(element: Locator): Promise<void>;
  write(field: Locator, text: string): Promise<void>;
}

const mouse: InputDevice = {
  press: (element) => element.click(),
  write: (field, text) => field.fill(text),
};

const keyboard: InputDevice = {
  async press(element) {
    await moveFocusTo(element);
    const isRadio = (await element.getAttribute('type')) === 'radio';
    await element.page().keyboard.press(isRadio ? 'Space' : 'Enter');
  },
  async write(field, text) {
    await moveFocusTo(field);
    await field.page().keyboard.press('Control+a');
    await field.page().keyboard.type(text);
  },
};

/** Presses Tab until the element has the focus. */
async function moveFocusTo(element: Locator): Promise<void> {
  const page = element.page();
  const isRadio = (await element.getAttribute('type')) === 'radio';
  const radioGroup = isRadio ? await element.getAttribute('name') : null;
  for (let steps = 0; steps < 150; steps++) {
    const { isThere, isInGroup } = await element.evaluate(
      (found, name) => ({
        isThere: found === document.activeElement,
        isInGroup: name !== null && document.activeElement?.getAttribute('name') === name,
      }),
      radioGroup,
    );
    if (isThere) return;
    // Tab reaches one radio button of a group, and arrow keys reach the others.
    await page.keyboard.press(isInGroup ? 'ArrowUp' : 'Tab');
  }
  throw new Error(`the keyboard does not reach ${element}`);
}

interface Variant {
  readonly name: string;
  readonly device: InputDevice;
  readonly options: BrowserContextOptions;
}

const desktop = { width: 1280, height: 900 };
const phone = { width: 360, height: 740 };
const variants: Variant[] = [
  { name: 'without scripts', device: mouse, options: { viewport: desktop, javaScriptEnabled: false } },
  {
    name: 'at 360 pixels with the keyboard alone',
    device: keyboard,
    options: { viewport: phone, colorScheme: 'dark' },
  },
];

onOneDatabase((kind) => {
  describe('a new user finds, copies, edits, publishes, rates, comments and signs out', () => {
    let browser: Browser;
    let site: Site;

    beforeAll(async () => {
      site = await siteOn(kind, { dump: demo, environment: { VITRINE_SIGN_UP: 'open' } });
      browser = await openBrowser();
    });

    for (const [index, { name, device, options }] of variants.entries()) {
      test(name, async () => {
        const origin = site.serve();
        const page = await (await openWindow(browser, visitor(site), options)).newPage();
        const problems = collectProblems(page, origin);
        const link = (name: string) => page.getByRole('link', { name, exact: true });
        const button = (name: string) => page.getByRole('button', { name, exact: true });
        const waitForHeading = (name: string) =>
          page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

        await page.goto(`${origin}/`);
        if (options.viewport === phone) await device.press(button('Show search'));
        await device.write(page.getByRole('searchbox'), 'broken toasters');
        await device.press(button('Search'));
        await device.press(link('The Museum of Broken Toasters').first());
        await waitForHeading('The Museum of Broken Toasters');

        await device.press(link('Sign in').first());
        await device.press(page.getByRole('main').getByRole('link', { name: 'Sign up' }));
        await device.write(page.getByLabel('Username'), `user${index}`);
        await device.write(page.getByLabel('Password'), password);
        await device.write(page.getByLabel('First name'), 'Wal');
        await device.press(button('Sign up'));
        await waitForHeading('The Museum of Broken Toasters');

        await device.press(button('Remix this'));
        await waitForHeading('Edit The Museum of Broken Toasters');
        await device.write(page.getByLabel('Title'), `Toasters, copy ${index}`);
        await device.write(page.getByLabel('Tags', { exact: true }), 'toast, repair');
        await device.press(page.getByLabel('Everyone'));
        await device.press(button('Save'));
        await waitForHeading(`Toasters, copy ${index}`);

        await device.press(link('The Museum of Broken Toasters').first());
        await device.press(button('4 of 5'));
        await page.getByRole('group', { name: 'Your rating: 4 of 5' }).waitFor();
        expect(await page.locator('#rating [role=status]').textContent()).toBe('Saved.');
        expect(await page.locator('#rating :focus').getAttribute('value')).toBe('4');
        await device.write(page.getByLabel('Your comment'), `Number ${index} has my *favourite* spoon.`);
        await device.press(button('Post comment'));
        const comment = page
          .getByRole('article')
          .filter({ hasText: `${index} has my favourite spoon` })
          .last();
        await comment.waitFor();

        await device.press(page.locator('.user-nav summary'));
        await device.press(button('Sign out'));
        await link('Sign in').waitFor();
        expect(problems).toEqual([]);

        const [copy] = await results(site, `/api/v1/projects/?contributor=user${index}&content_type=link`);
        expect(copy).toEqual({
          id: expect.any(Number),
          uuid: expect.any(String),
          url: expect.any(String),
          html_url: expect.any(String),
          created: expect.any(String),
          modified: expect.any(String),
          title: `Toasters, copy ${index}`,
          slug: `toasters-copy-${index}`,
          copied_from: 59,
          contributor_name: 'Wal',
          contributor_html_url: expect.stringContaining(`-user${index}/?format=api`),
          visibility: 'public',
          tags: 'toast, repair',
          text: expect.stringMatching(/^Sixty-three toasters/),
          status: 1,
          rating_count: 0,
          rating_sum: 0,
          karma: 0,
        });

        const comments = await results(site, '/api/v1/projects/59/comments/?fields=title,text&page_size=100');
        expect(comments).toContainEqual({
          title: `Number ${index} has my favourite spoon.`,
          text: `Number ${index} has my *favourite* spoon.`,
        });
      });
    }
  });
});

/** Collects errors and warnings of the browser, failed responses, and requests to other sites. */
function collectProblems(page: Page, origin: string): string[] {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`)) problems.push(request.url());
  });
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()} ${response.url()}`);
  });
  return problems;
}

async function results(site: Site, path: string): Promise<unknown[]> {
  const list = await visitor(site).json<{ results: unknown[] }>(path);
  return list.results;
}
