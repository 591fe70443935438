// Passkeys in Chromium, with an authenticator that is simulated. passkeys.test.ts tries what the server does with them on
// both databases; here one is enough.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { colorRules, findViolations, measureOverflow } from '../support/accessibility.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { visitor } from '../support/person.ts';
import { ada, dump, type Site, siteOn } from '../support/site.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const waitForHeading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();

interface Device {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

async function addDevice(page: Page): Promise<Device> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

/** Signs up as grace and makes a passkey. */
async function signUpWithPasskey(site: Site): Promise<{ page: Page; device: Device }> {
  const grace = visitor(site);
  await grace.send('/sign-up/', { username: 'grace', password: 'long and unusual' });
  const page = await (await openWindow(browser, grace)).newPage();
  const device = await addDevice(page);
  await page.goto('/account/passkeys/');
  await page.getByLabel('Name').fill('my laptop');
  await button(page, 'Create passkey').click();
  await page.locator('.rows').getByText('my laptop').first().waitFor();
  return { page, device };
}

async function signOut(page: Page): Promise<void> {
  await page.locator('.user-nav summary').click();
  await button(page, 'Sign out').click();
  await page.getByRole('link', { name: 'Sign in' }).first().waitFor();
}

async function typePassword(page: Page): Promise<void> {
  if (!page.url().includes('/sign-in/')) await page.goto('/sign-in/?next=/account/');
  await page.getByLabel('Username').fill('grace');
  await page.getByLabel('Password').fill('long and unusual');
  await button(page, 'Sign in').click();
  await waitForHeading(page, 'Two-step sign-in');
}

const openSite = () =>
  siteOn('SQLite', {
    dump: dump(ada),
    environment: { VITRINE_SIGN_UP: 'open', VITRINE_ALLOWED_HOSTS: 'gallery.example,localhost,.localhost' },
  });

test('a person makes a passkey, signs out, signs in with it and removes it', async () => {
  const { page, device } = await signUpWithPasskey(await openSite());
  const { credentials } = await device.cdp.send('WebAuthn.getCredentials', device);
  expect(credentials).toEqual([
    expect.objectContaining({ isResidentCredential: true, rpId: 'localhost', userName: 'grace' }),
  ]);

  await signOut(page);
  await page.goto('/sign-in/?next=/account/passkeys/');
  await button(page, 'Sign in with fingerprint, face or PIN (passkey)').click();
  await waitForHeading(page, 'Passkeys');
  expect(await page.locator('.rows li').textContent()).toContain('last used');

  await page.getByRole('link', { name: 'Remove my laptop' }).click();
  await button(page, 'Remove passkey').click();
  await page.getByText('You have no passkeys.').waitFor();
  await signOut(page);
  await page.goto('/sign-in/');
  await button(page, 'Sign in with fingerprint, face or PIN (passkey)').click();
  await page.getByText('This passkey doesn’t work here').waitFor();
});

test('one device makes one passkey for an account, and a person who cancels is told so', async () => {
  const { page, device } = await signUpWithPasskey(await openSite());
  await page.getByLabel('Name').fill('again');
  await button(page, 'Create passkey').click();
  await page.getByText('This device already has a passkey for your account.').waitFor();

  await device.cdp.send('WebAuthn.setUserVerified', { ...device, isUserVerified: false });
  await signOut(page);
  await page.goto('/sign-in/');
  await button(page, 'Sign in with fingerprint, face or PIN (passkey)').click();
  await page.getByText('That was cancelled or took too long. Please try again.').waitFor();
});

test('after the password a passkey is asked for, or a recovery code, which needs no JavaScript', async () => {
  const site = await openSite();
  const { page } = await signUpWithPasskey(site);
  await page.goto('/account/second-step/');
  await button(page, 'Turn on').click();
  const codes = (await page.locator('.secret').textContent())?.split('\n') ?? [];
  expect(codes).toHaveLength(10);
  await signOut(page);
  await typePassword(page);
  await button(page, 'Use fingerprint, face or PIN (passkey)').click();
  await waitForHeading(page, 'Account');

  const window = await openWindow(browser, visitor(site), { javaScriptEnabled: false });
  const withoutScript = await window.newPage();
  await withoutScript.goto('/sign-in/?next=/account/');
  expect(await withoutScript.getByText('Sign in with fingerprint, face or PIN (passkey)').isVisible()).toBe(
    false,
  );
  await typePassword(withoutScript);
  expect(await withoutScript.getByText('Use fingerprint, face or PIN (passkey)').isVisible()).toBe(false);
  await withoutScript.getByLabel('Recovery code').fill(codes[0] ?? '');
  await button(withoutScript, 'Use the code').click();
  await waitForHeading(withoutScript, 'Account');
});

test('a passkey is not offered on another host of the same site', async () => {
  const site = await openSite();
  const { page } = await signUpWithPasskey(site);
  const otherOrigin = site.serve().replace('localhost', 'other.localhost');
  await page.goto(`${otherOrigin}/sign-in/`);
  await button(page, 'Sign in with fingerprint, face or PIN (passkey)').click();
  await page.getByText('That was cancelled or took too long. Please try again.').waitFor();
});

test('a copied device with an older counter is refused', async () => {
  const { page, device } = await signUpWithPasskey(await openSite());
  const [copy] = (await device.cdp.send('WebAuthn.getCredentials', device)).credentials;
  if (!copy) throw new Error('the device has no passkey');
  const signIn = async () => {
    await signOut(page);
    await page.goto('/sign-in/?next=/account/');
    await button(page, 'Sign in with fingerprint, face or PIN (passkey)').click();
  };
  await signIn();
  await waitForHeading(page, 'Account');

  await device.cdp.send('WebAuthn.clearCredentials', device);
  await device.cdp.send('WebAuthn.addCredential', { ...device, credential: { ...copy, signCount: 0 } });
  await signIn();
  await page.getByText('This passkey doesn’t work here').waitFor();
});

test('the pages of the second factor are accessible and fit a narrow screen', async () => {
  const { page } = await signUpWithPasskey(await openSite());
  await page.setViewportSize({ width: 320, height: 640 });
  const check = async () => {
    expect(await findViolations(page)).toEqual([]);
    expect(await page.evaluate(measureOverflow)).toBe(0);
  };
  await page.goto('/account/second-step/');
  await button(page, 'Turn on').click();
  await page.locator('.secret').waitFor();
  await check();
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findViolations(page, colorRules)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await signOut(page);
  await typePassword(page);
  await check();
  await page.getByLabel('Recovery code').fill('wrong');
  await button(page, 'Use the code').click();
  await page.getByText('That code is wrong, or has already been used.').first().waitFor();
  await check();
});
