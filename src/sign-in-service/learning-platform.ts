// Coming from a learning platform that speaks LTI 1.3, such as Moodle or Canvas: the implicit flow of OpenID Connect with a
// form, and claims about the course.

import * as oidc from 'openid-client';
import { apiText } from '../common/api-text.ts';
import type { AddressPolicy } from '../common/checked-fetch.ts';
import { Invalid, OperatorError } from '../common/errors.ts';
import { courseLimits, type Launch, type LearningPlatform } from '../gallery/classes/course.ts';
import type { CourseRole } from '../gallery/sign-in/identity.ts';
import { createFetch, findDown, nonceOf, readNames, readText, stateOf, toleranceSeconds } from './open-id.ts';

export interface LearningPlatformSettings {
  readonly ltiPlatform: string;
  readonly ltiClientId: string;
  readonly ltiLoginUrl: string;
  readonly ltiKeysUrl: string;
  /** Empty for all. */
  readonly ltiDeployments: readonly string[];
  readonly ltiLabel: string;
}

/** Throws if some are set and others are missing. */
export function checkLearningPlatformSettings(settings: LearningPlatformSettings): void {
  const { ltiPlatform, ltiClientId, ltiLoginUrl, ltiKeysUrl, ltiDeployments, ltiLabel } = settings;
  const needed = { ltiPlatform, ltiClientId, ltiLoginUrl, ltiKeysUrl };
  const isMissing = Object.values(needed).includes('');
  if (isMissing && [...Object.values(needed), ...ltiDeployments, ltiLabel].some(Boolean))
    throw new OperatorError(
      'A learning platform needs all of --lti-platform, --lti-client-id, --lti-login-url and --lti-keys-url.',
    );
}

const claimOf = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;
const rolePrefix = 'http://purl.imsglobal.org/vocab/lis/v2/membership#';

const refusal = () => new Invalid({ non_field_errors: [apiText('identityRefused')] });

export class LtiPlatform implements LearningPlatform {
  readonly label: string;
  readonly origin: string;
  readonly #configuration: oidc.Configuration;

  constructor(
    private readonly settings: LearningPlatformSettings,
    policy: AddressPolicy,
  ) {
    const { ltiPlatform, ltiClientId, ltiLoginUrl, ltiKeysUrl, ltiLabel } = settings;
    const login = new URL(ltiLoginUrl);
    this.label = ltiLabel || login.hostname;
    this.origin = login.origin;
    const server = { issuer: ltiPlatform, authorization_endpoint: ltiLoginUrl, jwks_uri: ltiKeysUrl };
    const metadata = { [oidc.clockTolerance]: toleranceSeconds };
    this.#configuration = new oidc.Configuration(server, ltiClientId, metadata, oidc.None());
    this.#configuration[oidc.customFetch] = createFetch(policy, this.label);
    oidc.useIdTokenResponseType(this.#configuration);
    if (ltiKeysUrl.startsWith('http:')) oidc.allowInsecureRequests(this.#configuration);
  }

  buildStart(callback: string, challenge: string, hints: Readonly<Record<string, string>>): string {
    const { ltiPlatform, ltiClientId, ltiLoginUrl } = this.settings;
    const { iss, client_id = ltiClientId, login_hint = '', lti_message_hint } = hints;
    if (iss !== ltiPlatform || client_id !== ltiClientId || login_hint === '') throw refusal();
    const address = new URL(ltiLoginUrl);
    const parameters = {
      scope: 'openid',
      response_type: 'id_token',
      response_mode: 'form_post',
      prompt: 'none',
      client_id,
      redirect_uri: callback,
      login_hint,
      ...(lti_message_hint !== undefined && { lti_message_hint }),
      state: stateOf(challenge),
      nonce: nonceOf(challenge),
    };
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
    return address.href;
  }

  async finish(
    callback: string,
    { id_token = '', state = '' }: Readonly<Record<string, string>>,
    challenge: string,
  ): Promise<Launch> {
    const body = new URLSearchParams({ id_token, state });
    const claims = await oidc
      .implicitAuthentication(
        this.#configuration,
        new Request(callback, { method: 'POST', body }),
        nonceOf(challenge),
        { expectedState: stateOf(challenge) },
      )
      .catch((error) => {
        // The token comes from the browser: what is wrong with it is nobody's fault but the sender's.
        throw findDown(error) ?? refusal();
      });
    return this.#readLaunch(claims);
  }

  #readLaunch(claims: oidc.IDToken): Launch {
    const deployment = claims[claimOf('deployment_id')];
    const isLaunch =
      claims[claimOf('message_type')] === 'LtiResourceLinkRequest' &&
      claims[claimOf('version')] === '1.3.0' &&
      typeof deployment === 'string';
    const { ltiDeployments } = this.settings;
    if (!isLaunch || (ltiDeployments.length > 0 && !ltiDeployments.includes(deployment))) throw refusal();
    const { id, title, label } = readObject(claims[claimOf('context')]);
    const role = readRole(claims[claimOf('roles')]);
    const name = `${claims.iss} ${deployment} ${id}`;
    const hasCourse = typeof id === 'string' && id !== '' && name.length <= courseLimits.name;
    const shownTitle = readText(title) || readText(label) || this.label;
    return {
      subject: `${claims.iss} ${claims.sub}`,
      loadNames: async () => readNames(claims),
      ...(hasCourse &&
        role && { course: { name, title: [...shownTitle].slice(0, courseLimits.title).join(''), role } }),
    };
  }
}

const readObject = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

/** A platform may use the short names of the roles in a course. Who only helps to teach is a member of nothing. */
function readRole(roles: unknown): CourseRole | undefined {
  const has = (role: string) =>
    Array.isArray(roles) && (roles.includes(rolePrefix + role) || roles.includes(role));
  if (has('Instructor')) return 'teacher';
  return has('Learner') ? 'member' : undefined;
}
