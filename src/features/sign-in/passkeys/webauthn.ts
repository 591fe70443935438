// The exchange with the browser as the standard Web Authentication describes it. A library checks the responses.

import { z } from 'zod';
import { parseJson } from '#common/json.ts';
import { type Contributor, displayName } from '../../../core/contributors/contributor.ts';
import { challengeSeconds } from './challenges.ts';
import { type NewPasskey, type Passkey, passkeyLimits } from './passkey.ts';

/** The site for which a passkey is made and used. */
export interface RelyingParty {
  /** Scheme, host and port. */
  readonly origin: string;
  /** The host alone: a passkey is bound to it. */
  readonly host: string;
}

export const toRelyingParty = (origin: string): RelyingParty => ({ origin, host: new URL(origin).hostname });

const timeout = challengeSeconds * 1000;

/** The algorithms by their COSE numbers: Ed25519, ECDSA with P-256, RSA. */
const algorithms = [-8, -7, -257];

/** The argument of `navigator.credentials.create`, with bytes as base64url. */
export function buildCreationOptions(
  { host }: RelyingParty,
  /** The name of the site, which the device shows. */
  siteName: string,
  challenge: string,
  contributor: Contributor,
  existing: readonly Passkey[],
) {
  const { id, username } = contributor;
  return {
    challenge,
    timeout,
    rp: { id: host, name: siteName },
    user: { id: toUserHandle(id), name: username, displayName: displayName(contributor) },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: describeCredentials(host, existing),
    // The device knows whose passkey it is, and asks for a fingerprint, a face or a PIN.
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  };
}

/** The argument of `navigator.credentials.get`. Without passkeys, the device offers those that it has for the host. */
export function buildRequestOptions(
  { host }: RelyingParty,
  challenge: string,
  passkeys: readonly Passkey[] = [],
) {
  return {
    challenge,
    timeout,
    rpId: host,
    allowCredentials: describeCredentials(host, passkeys),
    userVerification: 'required',
  };
}

function describeCredentials(host: string, passkeys: readonly Passkey[]) {
  return passkeys
    .filter((passkey) => passkey.host === host)
    .map(({ credential, transports }) => ({
      type: 'public-key',
      id: credential,
      transports: splitTransports(transports),
    }));
}

/** Only the id: a device may show this to anybody. */
const toUserHandle = (contributor: number): string => Buffer.from(String(contributor)).toString('base64url');

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;
type Transport = (typeof knownTransports)[number];

function splitTransports(text: string): Transport[] {
  const names = text.split(' ');
  return knownTransports.filter((name) => names.includes(name));
}

const base64url = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[\w-]*$/);
const credentialId = base64url(passkeyLimits.credential).min(1);
const credentialMembers = {
  id: credentialId,
  rawId: credentialId,
  type: z.literal('public-key'),
  clientExtensionResults: z.object({}),
};
const creationSchema = z.object({
  ...credentialMembers,
  response: z.object({
    clientDataJSON: base64url(10_000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(50)).max(20),
  }),
});
const assertionSchema = z.object({
  ...credentialMembers,
  response: z.object({
    clientDataJSON: base64url(10_000),
    authenticatorData: base64url(10_000),
    signature: base64url(10_000),
    userHandle: base64url(100).nullable(),
  }),
});
export type Assertion = z.output<typeof assertionSchema>;

/** The response of the browser, as JSON in a form field; undefined if it is something else. */
export const parseAssertion = (field: unknown): Assertion | undefined =>
  assertionSchema.safeParse(typeof field === 'string' ? parseJson(field) : undefined).data;

/** At the first use, which takes 9 ms (70 ms from the sources). */
async function loadLibrary() {
  // A package of the library needs this polyfill, and does not find it in the compiled program.
  await import('reflect-metadata');
  return { ...(await import('@simplewebauthn/server')), ...(await import('@simplewebauthn/server/helpers')) };
}

/** Undefined if the browser's response does not prove that the passkey was made for this challenge and this site. */
export async function verifyCreation(
  { origin, host }: RelyingParty,
  challenge: string,
  field: unknown,
): Promise<NewPasskey | undefined> {
  const parsed = creationSchema.safeParse(typeof field === 'string' ? parseJson(field) : undefined).data;
  if (!parsed) return undefined;
  const transports = splitTransports(parsed.response.transports.join(' '));
  const response = { ...parsed, response: { ...parsed.response, transports } };
  const { decodeAttestationObject, verifyRegistrationResponse } = await loadLibrary();
  try {
    // No statement of the device's maker was asked for, and none is checked: it could have certificates to download.
    const attestation = decodeAttestationObject(Buffer.from(parsed.response.attestationObject, 'base64url'));
    if (!['none', 'packed'].includes(attestation.get('fmt')) || attestation.get('attStmt').get('x5c'))
      return undefined;
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!registrationInfo) return undefined;
    const { id: credential, publicKey, counter } = registrationInfo.credential;
    const public_key = Buffer.from(publicKey).toString('base64url');
    if (credential.length > passkeyLimits.credential || public_key.length > passkeyLimits.publicKey)
      return undefined;
    return { credential, public_key, counter, transports: transports.join(' '), host };
  } catch {
    // The library throws for everything that is wrong with a response.
    return undefined;
  }
}

/** Returns the new counter; undefined if this is not the passkey's signature of this challenge for this site. */
export async function verifyAssertion(
  { origin, host }: RelyingParty,
  challenge: string,
  { credential, public_key, counter, contributor }: Passkey,
  assertion: Assertion,
): Promise<number | undefined> {
  const { userHandle, ...members } = assertion.response;
  if (userHandle !== null && userHandle !== toUserHandle(contributor)) return undefined;
  const { verifyAuthenticationResponse } = await loadLibrary();
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...assertion, response: members },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: host,
      requireUserVerification: true,
      credential: { id: credential, publicKey: Buffer.from(public_key, 'base64url'), counter },
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
