// Signing in at a service that speaks OpenID Connect: the code flow with PKCE. The library checks tokens, and asks the
// service under the rules for addresses (common/address-rules.ts).

import * as oidc from 'openid-client';
import { apiText } from '#common/api-text.ts';
import { Invalid, SignInServiceDown } from '#common/errors.ts';
import { isSameSecret, sign } from '#common/signature.ts';
import { timeLimits } from '#common/time-limits.ts';
import type { AddressPolicy } from '../../core/checked-fetch.ts';
import type { ProvenPerson, SignInService } from './linked-account.ts';
import {
  createFetch,
  findRequestFailure,
  nonceOf,
  readNames,
  stateOf,
  toleranceSeconds,
  toSubject,
} from './protocol.ts';
import type { OpenIdSettings } from './settings.ts';

/** The addresses of a service change seldom; the library asks for new keys by itself. */
const metadataCacheMs = 24 * 60 * 60_000;

const verifierOf = (challenge: string) => sign(challenge, 'verifier');

export class OpenIdService implements SignInService {
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

  async buildSignInUrl(callback: string, challenge: string): Promise<string> {
    const code_challenge = await oidc.calculatePKCECodeChallenge(verifierOf(challenge));
    return this.#ask(async () => {
      const url = oidc.buildAuthorizationUrl(await this.#configure(), {
        redirect_uri: callback,
        scope: 'openid profile',
        state: stateOf(challenge),
        nonce: nonceOf(challenge),
        code_challenge,
        code_challenge_method: 'S256',
      });
      if (/^https?:$/.test(url.protocol)) return url.href;
      throw new Error('The address for signing in is none of the web.');
    });
  }

  async readAnswer(callback: string, answer: URLSearchParams, challenge: string): Promise<ProvenPerson> {
    const refusal = new Invalid({ non_field_errors: [apiText('signInRefused')] });
    const isAnswer = answer.has('code') || answer.has('error');
    if (!isAnswer || !isSameSecret(answer.get('state') ?? '', stateOf(challenge))) throw refusal;
    const configuration = await this.#ask(() => this.#configure());
    const checks = {
      expectedState: stateOf(challenge),
      expectedNonce: nonceOf(challenge),
      pkceCodeVerifier: verifierOf(challenge),
      idTokenExpected: true,
    };
    const url = new URL(`${callback}?${answer}`);
    const tokens = await this.#ask(() => oidc.authorizationCodeGrant(configuration, url, checks), refusal);
    const claims = tokens.claims();
    if (!claims) throw refusal;
    const loadNames = async () => {
      const isEnough = claims.preferred_username !== undefined;
      if (isEnough || !configuration.serverMetadata().userinfo_endpoint) return readNames(claims);
      // Without it, people type their names.
      const load = oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return readNames(await load.catch(() => claims));
    };
    return { subject: toSubject(claims, this.label), loadNames };
  }

  #configure(): Promise<oidc.Configuration> {
    if (this.#known && this.#known.until > Date.now()) return this.#known.configuration;
    const configuration = this.#discover();
    this.#known = { configuration, until: Date.now() + metadataCacheMs };
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
      timeout: timeLimits.signInService / 1000,
      execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
    });
  }

  /** `refusal` is for a mistake of the person who signs in. Everything else is for the operator's log. */
  async #ask<Result>(work: () => Promise<Result>, refusal?: Invalid): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      const isUserError =
        error instanceof oidc.AuthorizationResponseError ||
        (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant');
      if (refusal && isUserError) throw refusal;
      throw findRequestFailure(error) ?? new SignInServiceDown(error, this.label);
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
