// Coming from a learning platform that speaks LTI 1.3, such as Moodle or Canvas: the implicit flow of OpenID Connect with a
// form, and claims about the course.

import * as oidc from 'openid-client';
import { apiText } from '#common/api-text.ts';
import { Invalid, SignInServiceDown } from '#common/errors.ts';
import { isJsonObject } from '#common/json.ts';
import { timeLimits } from '#common/time-limits.ts';
import type { AddressPolicy } from '../../core/checked-fetch.ts';
import { writtenMembers } from '../../projects/project-fields.ts';
import {
  createFetch,
  findRequestFailure,
  nonceOf,
  readNames,
  readText,
  stateOf,
  toleranceSeconds,
  toSubject,
} from '../linked-accounts/protocol.ts';
import { readSuggestion } from '../sign-in/sign-up.ts';
import { type CourseRole, type LaunchingPerson, maxCourseName } from './course.ts';
import type { LearningPlatformSettings } from './settings.ts';

const claimOf = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;
const roleVocabulary = 'http://purl.imsglobal.org/vocab/lis/v2/membership';

const refusal = () => new Invalid({ non_field_errors: [apiText('signInRefused')] });

/** The keys of the platform are not there, or none are. */
const isBadKeySet = (error: unknown) =>
  error instanceof oidc.ClientError &&
  ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'].includes(error.code ?? '');

export class LearningPlatform {
  /** Its name for people. */
  readonly label: string;
  readonly #configuration: oidc.Configuration;

  constructor(
    private readonly settings: LearningPlatformSettings,
    policy: AddressPolicy,
  ) {
    const { ltiPlatform, ltiClientId, ltiLoginUrl, ltiKeysUrl, ltiLabel } = settings;
    this.label = ltiLabel || new URL(ltiPlatform).hostname;
    const server = { issuer: ltiPlatform, authorization_endpoint: ltiLoginUrl, jwks_uri: ltiKeysUrl };
    const metadata = { [oidc.clockTolerance]: toleranceSeconds };
    this.#configuration = new oidc.Configuration(server, ltiClientId, metadata, oidc.None());
    this.#configuration[oidc.customFetch] = createFetch(policy, this.label);
    this.#configuration.timeout = timeLimits.signInService / 1000;
    oidc.useIdTokenResponseType(this.#configuration);
    if (ltiKeysUrl.startsWith('http:')) oidc.allowInsecureRequests(this.#configuration);
  }

  /** Where to send the browser. `hints` are what the platform has sent with it. Throws Invalid for another platform. */
  buildSignInUrl(callback: string, challenge: string, hints: Readonly<Record<string, string>>): string {
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

  /** Checks the form with which the browser came back. Throws Invalid, or SignInServiceDown. */
  async readAnswer(
    callback: string,
    { id_token = '', state = '' }: Readonly<Record<string, string>>,
    challenge: string,
  ): Promise<LaunchingPerson> {
    const body = new URLSearchParams({ id_token, state });
    const claims = await oidc
      .implicitAuthentication(
        this.#configuration,
        new Request(callback, { method: 'POST', body }),
        nonceOf(challenge),
        { expectedState: stateOf(challenge) },
      )
      .catch((error) => {
        if (isBadKeySet(error)) throw new SignInServiceDown(error, this.label);
        // The token comes from the browser, which may have sent any.
        throw findRequestFailure(error) ?? refusal();
      });
    return this.#readLaunch(claims);
  }

  #chooseTitle(...texts: readonly unknown[]): string {
    const titles = texts.map((text) => readSuggestion(writtenMembers.title.field, readText(text)));
    return titles.find(Boolean) ?? this.label;
  }

  /** The platform has signed the claims: what is wrong in them is for the operator's log. */
  #readLaunch(claims: oidc.IDToken): LaunchingPerson {
    const read = (name: string) => claims[claimOf(name)];
    const deployment = readText(read('deployment_id'));
    const { ltiDeployments } = this.settings;
    const problem =
      read('message_type') !== 'LtiResourceLinkRequest' || read('version') !== '1.3.0'
        ? 'The platform sent something else than a launch of LTI 1.3.'
        : deployment === '' || (ltiDeployments.length > 0 && !ltiDeployments.includes(deployment))
          ? `The deployment id ${JSON.stringify(deployment)} is not among --lti-deployment.`
          : undefined;
    if (problem) throw new SignInServiceDown(problem, this.label);
    const context = read('context');
    const { id, title, label } = isJsonObject(context) ? context : {};
    const role = readRole(read('roles'));
    const name = JSON.stringify([claims.iss, deployment, id]);
    const hasCourse = readText(id) !== '' && name.length <= maxCourseName;
    return {
      subject: toSubject(claims, this.label),
      loadNames: async () => readNames(claims),
      ...(hasCourse && role && { course: { name, title: this.#chooseTitle(title, label), role } }),
    };
  }
}

/** A platform may use the short names of the roles in a course. An assistant has the role of a teacher, too. */
function readRole(value: unknown): CourseRole | undefined {
  const roles: readonly unknown[] = Array.isArray(value) ? value : [];
  const has = (role: string) => roles.includes(`${roleVocabulary}#${role}`) || roles.includes(role);
  if (roles.includes(`${roleVocabulary}/Instructor#TeachingAssistant`)) return undefined;
  if (has('Instructor')) return 'teacher';
  return has('Learner') ? 'member' : undefined;
}
