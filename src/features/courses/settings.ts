// The settings of the learning platform: see settings/settings.ts.

import { OperatorError } from '#common/errors.ts';
import {
  defineSetting,
  defineText,
  parseServiceUrl,
  splitValues,
} from '../../core/settings/setting-values.ts';
import type { SettingsOf } from '../../core/settings/settings.ts';

/** The settings for people who come from a learning platform, such as Moodle or Canvas. */
export const settings = {
  ltiPlatform: defineSetting({
    flag: 'lti-platform',
    placeholder: 'URL',
    help: 'A learning platform (LTI 1.3) from whose courses people come: its issuer, such as https://moodle.school.example.',
    read: parseServiceUrl,
  }),
  ltiClientId: defineText({
    flag: 'lti-client-id',
    placeholder: 'TEXT',
    help: 'The name of this site at the learning platform.',
  }),
  ltiLoginUrl: defineSetting({
    flag: 'lti-login-url',
    placeholder: 'URL',
    help: 'The address at which the learning platform says who somebody is (authentication request URL).',
    read: parseServiceUrl,
  }),
  ltiKeysUrl: defineSetting({
    flag: 'lti-keys-url',
    placeholder: 'URL',
    help: 'The address of the public keys of the learning platform.',
    read: parseServiceUrl,
  }),
  ltiDeployments: defineSetting({
    flag: 'lti-deployment',
    placeholder: 'TEXT',
    variable: 'VITRINE_LTI_DEPLOYMENTS',
    help: 'An installation of this site there (deployment id); by default all of its client id.',
    repeatable: true,
    read: splitValues,
  }),
  ltiLabel: defineText({
    flag: 'lti-label',
    placeholder: 'TEXT',
    help: 'What people call the learning platform, such as Riverside Moodle; its host otherwise.',
  }),
};

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface FeatureSettings extends Definitions {}
}

export type LearningPlatformSettings = SettingsOf<Definitions>;

/** Throws if some are set and others are missing. */
export function checkLearningPlatformSettings(settings: LearningPlatformSettings): void {
  const { ltiPlatform, ltiClientId, ltiLoginUrl, ltiKeysUrl, ltiDeployments, ltiLabel } = settings;
  const needed = [ltiPlatform, ltiClientId, ltiLoginUrl, ltiKeysUrl];
  if (needed.includes('') && [...needed, ...ltiDeployments, ltiLabel].some(Boolean))
    throw new OperatorError(
      'A learning platform needs all of --lti-platform, --lti-client-id, --lti-login-url and --lti-keys-url.',
    );
}
