// The scripts of forms with files: dropping, pasting, progress, and ordering by dragging and by keys.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { findViolations } from '../support/accessibility.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { person } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';
import { waitForValue } from '../support/waiting.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

async function openGallery(environment = {}) {
  const site = await siteOn('SQLite', { dump: dump(adasLine, project(1, { title: 'Kite' })), environment });
  const ada = await person(site, 'ada');
  const window = await openWindow(browser, ada);
  const page = await window.newPage();
  return { site, ada, page };
}

interface SentFile {
  readonly name: string;
  readonly bytes: number[];
  readonly type?: string;
}

/** Drops or pastes a file on an element. */
const give = (page: Page, kind: 'drop' | 'paste', target: string, file: SentFile) =>
  page.locator(target).evaluate(
    (element, { kind, name, bytes, type = 'image/png' }) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(bytes)], name, { type }));
      const options = { bubbles: true, cancelable: true };
      element.dispatchEvent(
        kind === 'drop'
          ? new DragEvent('drop', { ...options, dataTransfer: data })
          : new ClipboardEvent('paste', { ...options, clipboardData: data }),
      );
    },
    { kind, ...file },
  );

const readOrder = (page: Page, list = '.arrangement') =>
  page.locator(`${list} legend`).evaluateAll((names) => names.map(({ textContent }) => textContent));

test('dropped and pasted files are sent together, with a bar, and a published photo is shown', async () => {
  const { page } = await openGallery();
  await page.goto('/new/photo/');
  await page.getByLabel('Title').fill('Sunrise');
  await give(page, 'drop', 'h1', { name: 'roof.png', bytes: [...png(40, 30)] });
  await give(page, 'paste', 'body', { name: 'image.png', bytes: [...png(30, 40)] });
  await give(page, 'drop', 'h1', { name: 'mistake.png', bytes: [...png(20, 20)] });
  await page.getByRole('button', { name: 'Remove mistake.png' }).click();
  await page.getByText('2 of 10 files').waitFor();
  await page.locator('input[type=file]').setInputFiles({
    name: 'door.png',
    mimeType: 'image/png',
    buffer: png(20, 30),
  });
  expect(await readOrder(page, '.chosen-files')).toEqual(['roof.png', 'image.png', 'door.png']);
  await page.getByRole('group', { name: 'door.png' }).getByLabel('Description').fill('A door.');
  await page.getByRole('button', { name: 'Move door.png', exact: true }).press('ArrowLeft');
  expect(await page.getByRole('status').filter({ hasText: 'Position' }).textContent()).toBe('Position 2 / 3');
  await page.getByRole('button', { name: 'Move image.png', exact: true }).hover();
  await page.mouse.down();
  const box = await page.getByRole('group', { name: 'roof.png' }).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  await page.mouse.up();
  expect(await readOrder(page, '.chosen-files')).toEqual(['image.png', 'roof.png', 'door.png']);
  expect(await findViolations(page)).toEqual([]);
  const shown = page.getByRole('img', { name: /png$/ });
  await shown.nth(2).waitFor();
  expect(
    await shown.evaluateAll((pictures: HTMLCanvasElement[]) =>
      pictures.map((each) => [each.ariaLabel, each.width, each.height]),
    ),
  ).toEqual([
    ['image.png', 30, 40],
    ['roof.png', 40, 30],
    ['door.png', 20, 30],
  ]);
  let finish = () => {};
  const isShown = new Promise<void>((resolve) => {
    finish = resolve;
  });
  await page.route('**/new/photo/', async (route) => {
    await isShown;
    await route.continue();
  });

  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('status').filter({ hasText: 'Publishing…' }).waitFor();
  expect(await page.getByRole('progressbar', { name: 'Publishing…' }).count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Publish' }).isDisabled()).toBe(true);
  finish();
  await page.getByRole('heading', { name: 'Sunrise', level: 1 }).waitFor();
  const question = page.getByLabel('What is in the picture?');
  expect(await findViolations(page)).toEqual([]);
  await question.fill('A roof.');
  await page.locator('.describe').getByRole('button', { name: 'Save' }).click();
  await page.locator('.pictures').getByRole('img', { name: 'A roof.' }).waitFor();
  await page.getByRole('link', { name: 'Not now' }).click();
  await question.waitFor({ state: 'detached' });
  expect(
    await page
      .locator('.pictures img')
      .evaluateAll((pictures) => pictures.map((each) => each.getAttribute('alt'))),
  ).toEqual(['A roof.', '', 'A door.']);
});

test('a device that is touched takes a photo for the form', async () => {
  const { ada } = await openGallery();
  const phone = await openWindow(browser, ada, {
    isMobile: true,
    hasTouch: true,
    viewport: { width: 390, height: 800 },
  });
  const page = await phone.newPage();
  await page.goto('/new/photo/');
  for (const name of ['one.png', 'two.png']) {
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Take a photo' }).tap();
    const camera = await chooser;
    expect(await camera.element().getAttribute('capture')).toBe('environment');
    await camera.setFiles({ name, mimeType: 'image/png', buffer: png(20, 30) });
  }
  await waitForValue(() => readOrder(page, '.chosen-files'), ['one.png', 'two.png']);
});

test('a form that fails keeps its files, and says what is wrong at the fields', async () => {
  const { page } = await openGallery();
  await page.goto('/new/photo/');
  await page.getByLabel('Title').fill(' ');
  await page.getByText('Description and tags').click();
  await page.getByLabel('About the photo').fill('From the window.');
  await give(page, 'drop', 'h1', { name: 'roof.png', bytes: [...png(40, 30)] });
  await page.getByRole('button', { name: 'Publish' }).click();
  const alert = page.getByRole('alert');
  await alert.waitFor();
  expect(await alert.getByRole('listitem').allTextContents()).toEqual(['Title: Please fill this in.']);
  expect(await page.locator('.field-error').allTextContents()).toEqual(['Please fill this in.']);
  expect(await page.getByLabel('About the photo').inputValue()).toBe('From the window.');

  await page.getByLabel('Title').fill('Sunrise');
  expect(await page.getByLabel(/^Describe the picture/).isVisible()).toBe(false);
  await page.getByLabel('Description', { exact: true }).fill('A roof.');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('heading', { name: 'Sunrise', level: 1 }).waitFor();
  await waitForValue(() => page.locator('.pictures img').count(), 1);
});

test('files that are too large are not sent, and a broken connection is no loss', async () => {
  const { page } = await openGallery({ VITRINE_UPLOAD_LIMIT: '1' });
  await page.goto(`${pathOf(1)}files/`);
  const input = page.locator('input[type=file]');
  const choose = (bytes: number) =>
    input.setInputFiles({ name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.alloc(bytes, 'a') });
  await choose(1_200_000);
  const readMessage = () => input.evaluate((field: HTMLInputElement) => field.validationMessage);
  expect(await readMessage()).toMatch(/^This is too large. Up to 1(\.\d)? MB can be sent at once.$/);

  await page.getByText('1 of 10 files · This is too large.').waitFor();
  await page.getByRole('button', { name: 'Remove plan.txt' }).click();
  await give(page, 'drop', 'h1', { name: 'drawing.tiff', type: 'image/tiff', bytes: [1] });
  expect(await readMessage()).toBe('“drawing.tiff” is a kind of file that can’t be added here.');
  await page.getByRole('button', { name: 'Remove drawing.tiff' }).click();
  await choose(1000);
  expect(await readMessage()).toBe('');
  await page.route('**/files/', (route) => route.abort());
  await page.getByRole('button', { name: 'Add files' }).click();
  await page.getByText('The upload was interrupted. Nothing is lost: please try again.').waitFor();
  await page.unroute('**/files/');
  await page.getByRole('button', { name: 'Add files' }).click();
  await page.getByRole('group', { name: 'plan.txt' }).waitFor();
});

test('files are ordered by keys, by dragging and by number, and the first picture is the cover', async () => {
  const { page, ada } = await openGallery();
  const form = new FormData();
  for (const name of ['one.png', 'two.png', 'three.png'])
    form.append('file', new File([Uint8Array.from(png(40, 30))], name));
  form.append('file', new File(['print(1)'], 'plan.py'));
  await ada.request('POST', '/api/v1/projects/1/media/', form);
  await page.goto(`${pathOf(1)}files/`);
  await waitForValue(() => readOrder(page), ['one.webp', 'two.webp', 'three.webp', 'plan.py']);

  await page.getByRole('button', { name: 'Move two.webp' }).focus();
  await page.keyboard.press('ArrowRight');
  await waitForValue(() => readOrder(page), ['one.webp', 'three.webp', 'two.webp', 'plan.py']);
  expect(await page.getByRole('status').textContent()).toBe('Position 3 / 4');
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await waitForValue(() => readOrder(page), ['two.webp', 'one.webp', 'three.webp', 'plan.py']);
  expect(await page.getByLabel('Use as cover two.webp').isChecked()).toBe(true);

  const questions: string[] = [];
  page.on('dialog', (dialog) => {
    questions.push(`${dialog.type()} ${dialog.message()}`.trim());
    return dialog.dismiss();
  });
  await page.goto('/').catch(() => undefined);
  await page.locator('input[type=file]').setInputFiles({
    name: 'a.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('a'),
  });
  await page.getByRole('button', { name: 'Add files' }).click();
  expect(questions).toEqual([
    'beforeunload',
    'confirm Your changes to the files are not saved. Go on without them?',
  ]);

  await page.getByRole('button', { name: 'Move plan.py' }).hover();
  await page.mouse.down();
  const box = await page.getByRole('group', { name: 'one.webp' }).boundingBox();
  await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 20);
  await page.mouse.up();
  await waitForValue(() => readOrder(page), ['two.webp', 'plan.py', 'one.webp', 'three.webp']);

  const picture = page.getByRole('group', { name: 'one.webp' }).locator('.cover');
  const { width = 0, height = 0 } = (await picture.boundingBox()) ?? {};
  await picture.click({ position: { x: width - 5, y: height / 2 } });
  expect(await picture.getAttribute('class')).toBe('cover at-right');
  expect(await page.getByRole('status').first().textContent()).toBe('Right');
  await page.getByRole('group', { name: 'one.webp' }).getByText('Part that covers show').click();
  const places = page
    .getByRole('group', { name: 'one.webp' })
    .getByRole('radio', { name: 'Right', exact: true });
  expect(await places.isChecked()).toBe(true);
  await places.press('ArrowUp');
  expect(await picture.getAttribute('class')).toBe('cover');
  await page.getByLabel('Use as cover three.webp').check();
  await waitForValue(() => readOrder(page), ['three.webp', 'two.webp', 'plan.py', 'one.webp']);
  await page.getByRole('group', { name: 'plan.py' }).getByLabel('Position').fill('4');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Kite', level: 1 }).waitFor();
  const record = await ada.json<{ media: { name: string }[] }>('/api/v1/projects/1/?fields=media');
  expect(record.media.map(({ name }) => name)).toEqual(['three.webp', 'two.webp', 'one.webp', 'plan.py']);
});

test('above the form of a project, files are saved without losing what is written below', async () => {
  const { page, ada } = await openGallery();
  const files = new FormData();
  for (const name of ['one.png', 'two.png'])
    files.append('file', new File([Uint8Array.from(png(40, 30))], name));
  await ada.request('POST', '/api/v1/projects/1/media/', files);
  await page.goto(`${pathOf(1)}edit/`);
  const readCount = () => page.locator('.files-count').textContent();
  const readDescriptions = async () => {
    const { media } = await ada.json<{ media: { name: string; alt: string }[] }>(
      '/api/v1/projects/1/?fields=media',
    );
    return media.map(({ name, alt }) => `${name} ${alt}`.trim());
  };
  await page.getByLabel('Title').fill('Kites');
  await page.getByRole('group', { name: 'one.webp' }).getByLabel('Description').fill('A roof.');
  await page.getByRole('button', { name: 'Move two.webp' }).press('ArrowLeft');
  await page
    .locator('input[type=file]')
    .setInputFiles(
      ['three.png', 'four.png'].map((name) => ({ name, mimeType: 'image/png', buffer: png(30, 40) })),
    );
  await page.getByText('4 of 10 files').waitFor();
  expect(await readCount()).toBe('2 of 10 files');
  await page.getByRole('button', { name: 'Add files' }).click();
  await waitForValue(() => readOrder(page), ['two.webp', 'one.webp', 'three.webp', 'four.webp']);
  expect([await readCount(), await readDescriptions()]).toEqual([
    '4 of 10 files',
    ['one.webp', 'two.webp', 'three.webp', 'four.webp'],
  ]);
  expect(await findViolations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Turn four.webp' }).click();
  const sizeOfLast = async () => {
    const { width, height } = await ada.json<{ width: number; height: number }>(
      '/api/v1/projects/1/media/4/',
    );
    return [width, height];
  };
  await waitForValue(sizeOfLast, [40, 30]);
  await page
    .locator(':focus')
    .and(page.getByRole('button', { name: 'Turn four.webp' }))
    .waitFor();
  await page.getByLabel('Remove four.webp').check();
  await page.getByRole('button', { name: 'Save the files' }).click();
  await waitForValue(readCount, '3 of 10 files');
  expect(await readDescriptions()).toEqual(['two.webp', 'one.webp A roof.', 'three.webp']);
  await page.locator('input[type=file]').setInputFiles(
    Array.from({ length: 8 }, (_, number) => ({
      name: `${number}.png`,
      mimeType: 'image/png',
      buffer: png(8, 8),
    })),
  );
  await page.getByText('11 of 10 files').waitFor();
  expect(
    await page.locator('input[type=file]').evaluate((field: HTMLInputElement) => field.validationMessage),
  ).toBe('A project can have up to 10 files.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Kites', level: 1 }).waitFor();
});
