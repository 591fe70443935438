// The fields of a form for a new API key, and the key that they describe.

import { apiText } from '#common/api-text.ts';
import { Forbidden } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { choiceField, type Field, type Fields, textField, type Values } from '#rest/fields.ts';
import type { SignInDependencies } from '../../core/accounts/dependencies.ts';
import { createKey, keyLimits, type NewKey } from '../../core/accounts/keys.ts';
import { currentPasswordField, optionalPasswordField } from '../../core/accounts/passwords.ts';
import type { Client } from '../../core/accounts/sign-in-attempts.ts';
import { addDays, type Instant, now, parseInstant } from '../../core/instant.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { confirmPasswordOrSession } from '../sign-in/sign-in.ts';

type ExpiryRule = (created: Instant) => Instant | null;

const inOneYear: ExpiryRule = (created) => addDays(created, 365);

const expiresField: Field<ExpiryRule> = {
  label: apiText('expires'),
  help: 'A number of days, a date-time, or null for never; a year by default.',
  schema: { type: ['integer', 'string', 'null'] },
  read(value, { timeZone } = { timeZone: 'UTC' }) {
    if (value === null || value === '') return () => null;
    const days = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : value;
    if (typeof days === 'number') {
      if (!Number.isInteger(days) || days < 1 || days > keyLimits.days)
        throw new InvalidValue(apiText('days', { max: keyLimits.days }));
      return (created) => addDays(created, days);
    }
    const at = typeof days === 'string' ? parseInstant(days, timeZone) : undefined;
    if (at === undefined) throw new InvalidValue(apiText('expiry'));
    if (at <= now()) throw new InvalidValue(apiText('past'));
    return () => at;
  },
};

export const keyFields = {
  name: textField({
    label: apiText('name'),
    help: apiText('keyNameHelp'),
    required: true,
    maxLength: keyLimits.name,
    isSingleLine: true,
  }),
  access: choiceField(
    apiText('access'),
    { read: apiText('read'), write: apiText('write') },
    { help: apiText('accessHelp') },
  ),
  expires: expiresField,
  password: currentPasswordField(apiText('password')),
} satisfies Fields;

/** For a page, which asks for the password only where there is one. */
export const keyFormFields = { ...keyFields, password: optionalPasswordField() } satisfies Fields;

/** A stolen key cannot make itself another one, nor can a session that was left open. */
export function requireSession({ credential }: Viewer): void {
  if (credential?.kind !== 'session')
    throw new Forbidden('A key cannot create keys: sign in with your password.');
}

/** Creates a key of the viewer's own; by default it only reads and is valid for a year. */
export async function createOwnKey(
  deps: SignInDependencies,
  viewer: Viewer,
  { name, access = 'read', expires = inOneYear, password }: Values<typeof keyFormFields>,
  client: Client,
): Promise<NewKey> {
  const contributor = requireSignedIn(viewer);
  requireSession(viewer);
  const passwordHash = await confirmPasswordOrSession(deps, viewer, password, client);
  const can_write = access === 'write';
  return createKey(deps.database, contributor, { contributor, name, can_write, expires, passwordHash });
}
