// Passkeys of people without a browser.

import { Authenticator } from './authenticator.ts';
import type { Person } from './person.ts';

/** The options that the site sends for a form. */
export async function optionsOf<Options>(
  { browser }: Person,
  path: string,
  values: Readonly<Record<string, string>> = {},
): Promise<Options> {
  const response = await browser.send(`${path}options/`, values);
  if (response.status !== 200)
    throw new Error(`${path}options/: ${response.status} ${await response.text()}`);
  return (await response.json()) as Options;
}

type Options = Parameters<Authenticator['create']>[0] & Parameters<Authenticator['get']>[0];

/** Makes a passkey on the account page, with a device of its own. */
export async function makePasskey(
  person: Person,
  name = 'my phone',
  device = new Authenticator(),
): Promise<Authenticator> {
  const options = await optionsOf<Options>(person, '/account/passkeys/', { name });
  const response = await person.browser.send('/account/passkeys/', {
    name,
    credential: device.create(options),
  });
  if (response.status !== 303) throw new Error(`the passkey was not made: ${await response.text()}`);
  return device;
}

/** Answers the challenge of a page that signs in. */
export async function usePasskey(
  person: Person,
  device: Authenticator,
  { path = '/sign-in/passkey/', ...deviation }: Parameters<Authenticator['get']>[1] & { path?: string } = {},
): Promise<Response> {
  const options = await optionsOf<Options>(person, path);
  return person.browser.send(path, { credential: device.get(options, deviation), next: '/mine/' });
}
