// Signing in at a service that speaks OpenID Connect: the code flow with PKCE. The library checks tokens, and asks the
// service under the rules for addresses of webhooks.

import * as oidc from 'openid-client';
import { apiText } from '../common/api-text.ts';
import { type AddressPolicy, fetchChecked } from '../common/checked-fetch.ts';
import { Invalid, OperatorError, SignInServiceDown } from '../common/errors.ts';
import { isSameSecret, sign } from '../common/signature.ts';
import type { IdentityProvider, PersonNames, ProvenIdentity } from '../gallery/sign-in/identity.ts';

export interface OpenIdSettings {
  readonly oidcIssuer: string;
  readonly oidcClientId: string;
  readonly oidcClientSecret: string;
  readonly oidcLabel: string;
}

/** Throws if one of them makes no sense without another. */
export function checkSignInSettings(settings: OpenIdSettings & { readonly passwords: string }): void {
  const { oidcIssuer, oidcClientId, oidcClientSecret, oidcLabel, passwords } = settings;
  if (oidcIssuer !== '' && oidcClientId === '')
    throw new OperatorError('--oidc-issuer needs --oidc-client-id: the name of this site there.');
  if (oidcIssuer === '' && `${oidcClientId}${oidcClientSecret}${oidcLabel}` !== '')
    throw new OperatorError('The sign-in service needs --oidc-issuer: its address.');
  if (oidcIssuer === '' && passwords === 'off')
    throw new OperatorError('--passwords off needs --oidc-issuer: the service at which people sign in then.');
}

const timeoutSeconds = 5;
/** Of clocks that are not quite right. */
export const toleranceSeconds = 30;
/** Its addresses change seldom; the library asks for new keys by itself. */
const knownMs = 24 * 60 * 60_000;

/** What only the browser that began can know, and the service repeats. The challenge is random. */
export const stateOf = (challenge: string) => sign(challenge, 'state');
export const nonceOf = (challenge: string) => sign(challenge, 'nonce');
const verifierOf = (challenge: string) => sign(challenge, 'verifier');

/** For the library, which checks what comes back. `label` names the service to people. */
export const createFetch =
  (policy: AddressPolicy, label: string): oidc.CustomFetch =>
  async (url, { signal = AbortSignal.timeout(timeoutSeconds * 1000), ...request }) => {
    const response = await fetchChecked(policy, new URL(url), { ...(request as RequestInit), signal }).catch(
      (error) => {
        throw new SignInServiceDown(error, label);
      },
    );
    if (response) return response;
    const host = URL.parse(url)?.host;
    throw new SignInServiceDown(`${host} is no address on the internet: see --webhook-allow-network.`, label);
  };

/** The failure of a request among the causes of an error, as the library hides it there. */
export function findDown(error: unknown): SignInServiceDown | undefined {
  if (error instanceof SignInServiceDown) return error;
  return error instanceof Error && error.cause !== undefined ? findDown(error.cause) : undefined;
}

export class OpenIdProvider implements IdentityProvider {
  readonly label: string;
  readonly #issuer: URL;
  #known: { readonly configuration: Promise<oidc.Configuration>; readonly until: number } | undefined;

  constructor(
    private readonly settings: OpenIdSettings,
    private readonly policy: AddressPolicy,
  ) {
    this.#issuer = new URL(settings.oidcIssuer);
    this.label = settings.oidcLabel || this.#issuer.hostname;
  }

  async buildStart(callback: string, challenge: string): Promise<string> {
    const configuration = await this.#ask(() => this.#configure());
    return oidc.buildAuthorizationUrl(configuration, {
      redirect_uri: callback,
      scope: 'openid profile',
      state: stateOf(challenge),
      nonce: nonceOf(challenge),
      code_challenge: await oidc.calculatePKCECodeChallenge(verifierOf(challenge)),
      code_challenge_method: 'S256',
    }).href;
  }

  async finish(callback: string, answer: URLSearchParams, challenge: string): Promise<ProvenIdentity> {
    const refusal = new Invalid({ non_field_errors: [apiText('identityRefused')] });
    if (!isSameSecret(answer.get('state') ?? '', stateOf(challenge))) throw refusal;
    const url = new URL(`${callback}?${answer}`);
    const [configuration, tokens] = await this.#ask(async () => {
      const configuration = await this.#configure();
      const checks = {
        expectedState: stateOf(challenge),
        expectedNonce: nonceOf(challenge),
        pkceCodeVerifier: verifierOf(challenge),
        idTokenExpected: true,
      };
      return [configuration, await oidc.authorizationCodeGrant(configuration, url, checks)] as const;
    }, refusal);
    const claims = tokens.claims();
    if (!claims) throw refusal;
    const loadNames = async () => {
      const isEnough = claims.preferred_username !== undefined;
      if (isEnough || !configuration.serverMetadata().userinfo_endpoint) return readNames(claims);
      // Without it, people type their names.
      const load = oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return readNames(await load.catch(() => claims));
    };
    return { subject: `${claims.iss} ${claims.sub}`, loadNames };
  }

  #configure(): Promise<oidc.Configuration> {
    if (this.#known && this.#known.until > Date.now()) return this.#known.configuration;
    const configuration = this.#discover();
    this.#known = { configuration, until: Date.now() + knownMs };
    configuration.catch(() => {
      this.#known = undefined;
    });
    return configuration;
  }

  #discover(): Promise<oidc.Configuration> {
    const { oidcClientId, oidcClientSecret } = this.settings;
    const metadata = { [oidc.clockTolerance]: toleranceSeconds };
    const isPlain = this.#issuer.protocol === 'http:';
    return oidc.discovery(this.#issuer, oidcClientId, metadata, authenticateWith(oidcClientSecret), {
      [oidc.customFetch]: createFetch(this.policy, this.label),
      timeout: timeoutSeconds,
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    });
  }

  /** `refusal` is for what the person who signs in has done. Everything else is for the operator's log. */
  async #ask<Result>(work: () => Promise<Result>, refusal?: Invalid): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const isTheirs =
        error instanceof oidc.AuthorizationResponseError ||
        (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant');
      throw refusal && isTheirs ? refusal : (findDown(error) ?? new SignInServiceDown(error, this.label));
    }
  }
}

/** As the service wants it: OpenID Connect says HTTP Basic if it says nothing. */
function authenticateWith(secret: string): oidc.ClientAuth {
  if (secret === '') return oidc.None();
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const takesBasic = methods === undefined || methods.includes('client_secret_basic');
    return (takesBasic ? oidc.ClientSecretBasic : oidc.ClientSecretPost)(secret)(server, ...request);
  };
}

export const readText = (value: unknown) => (typeof value === 'string' ? value.slice(0, 200) : '');

export const readNames = (claims: Readonly<Record<string, unknown>>): PersonNames => ({
  username: readText(claims.preferred_username),
  first_name: readText(claims.given_name),
  last_name: readText(claims.family_name),
});
