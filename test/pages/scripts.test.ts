// The features that the scripts of the pages add in browsers with scripts.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.ts';
import { type Everything, everything } from '../support/every-page.ts';

let browser: Browser;
let all: Everything;

beforeAll(async () => {
  all = await everything('SQLite');
  browser = await openBrowser();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

test('a list grows below what is there, and its address goes along', async () => {
  const window = await all.open(browser, 'visitor', {});
  const page = await window.newPage();
  await page.goto('/?ordering=title');
  const titles = () => page.locator('.cards .name').allTextContents();
  const first = await titles();
  expect(await page.getByRole('navigation', { name: 'Pages' }).isVisible()).toBe(false);

  await button(page, 'Load more').click();
  await page
    .getByRole('status')
    .filter({ hasText: /more below/ })
    .waitFor();
  const second = await titles();
  expect(second.slice(0, 24)).toEqual(first);
  expect(new Set(second).size).toBe(second.length);
  expect(`${second.length} things`).toBe((await page.locator('.count').textContent())?.trim() ?? '');
  expect(page.url()).toEndWith('/?ordering=title&page=2');
  expect(await button(page, 'Load more').count()).toBe(0);
});

test('unsaved text survives a closed tab, until it is saved', async () => {
  const window = await all.open(browser, 'klaus_werkt', {});
  let page = await window.newPage();
  await page.goto('/new/question/');
  await page.getByLabel('Your question').fill('Why is the sky blue?');
  await page.getByLabel('More about it').fill('I looked *up*.');
  await page.close();

  page = await window.newPage();
  await page.goto('/new/question/');
  expect(await page.getByLabel('Your question').inputValue()).toBe('');
  await button(page, 'Bring it back').click();
  expect(await page.getByLabel('Your question').inputValue()).toBe('Why is the sky blue?');
  expect(await page.getByLabel('More about it').inputValue()).toBe('I looked *up*.');
  await button(page, 'Save as a draft').click();
  await page.getByRole('heading', { level: 1, name: 'Why is the sky blue?' }).waitFor();

  await page.goto('/new/question/');
  expect(await button(page, 'Bring it back').count()).toBe(0);
});

test('a form that was refused keeps its values, also in a closed tab', async () => {
  const window = await all.open(browser, 'klaus_werkt', {});
  const page = await window.newPage();
  await page.goto('/new/link/');
  await page.getByLabel('Title').fill('Nowhere');
  await page.getByLabel('Where it leads').fill('nowhere');
  await button(page, 'Publish').click();
  await page.getByRole('alert').getByRole('link', { name: 'Where it leads: Enter a valid URL.' }).click();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('link');
  await page.close();

  const again = await window.newPage();
  await again.goto('/new/link/');
  await button(again, 'Bring it back').click();
  expect(await again.getByLabel('Title').inputValue()).toBe('Nowhere');
});

test('unsaved text survives signing in again', async () => {
  const window = await all.open(browser, 'klaus_werkt', {});
  const page = await window.newPage();
  await page.goto('/new/quote/');
  await page.getByLabel('Title').fill('A long one');
  await page.getByLabel('The quote').fill('> It took an hour to copy.');
  const cookies = await window.cookies();
  await window.clearCookies();
  await button(page, 'Preview').click();
  await page.waitForResponse((response) => response.url().includes('/sign-in/'));
  expect(await page.getByRole('heading', { name: 'Sign in' }).count()).toBe(0);

  await button(page, 'Publish').click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await window.addCookies(cookies);
  await page.goto('/new/quote/');
  // With the token of another session it is not taken either.
  await page.locator('form.project-form input[name=csrfmiddlewaretoken]').evaluate((field) => field.remove());
  await button(page, 'Bring it back').click();
  await button(page, 'Publish').click();
  await page.getByRole('heading', { level: 1, name: 'That is not yours to do' }).waitFor();
  await page.goto('/new/quote/');
  await button(page, 'Bring it back').click();
  expect(await page.getByLabel('The quote').inputValue()).toBe('> It took an hour to copy.');
});

test('the preview follows the text, and tags are suggested', async () => {
  const window = await all.open(browser, 'klaus_werkt', {});
  const page = await window.newPage();
  await page.goto('/new/text/');
  await page.getByLabel('Text', { exact: true }).fill('One **word**');
  await button(page, 'Preview').click();
  await page.locator('#preview strong', { hasText: 'word' }).waitFor();
  await page.getByLabel('Text', { exact: true }).fill('Another **one** <script>alert(1)</script>');
  await page.locator('#preview strong', { hasText: 'one' }).waitFor();
  expect(await page.locator('#preview script').count()).toBe(0);

  const tags = page.getByLabel('Tags', { exact: true });
  await tags.pressSequentially('mine, elec');
  await page.locator('datalist option[value="mine, electronics"]').waitFor({ state: 'attached' });
});

test('a theme is applied immediately, and stays', async () => {
  const window = await all.open(browser, 'visitor', { colorScheme: 'light' });
  const page = await window.newPage();
  const paper = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.goto('/');
  const light = await paper();
  await button(page, 'Dark').click();
  const dark = await paper();
  expect(dark).not.toBe(light);
  for (const path of ['/tags/', '/api/v1/']) {
    await page.goto(path);
    expect(await paper()).toBe(dark);
  }
  await page.goto('/tags/');
  await button(page, 'As the system').click();
  expect(await paper()).toBe(light);
});
