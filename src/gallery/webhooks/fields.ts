// The fields of a form for a webhook.

import { Forbidden } from '../../common/errors.ts';
import {
  choiceField,
  type Field,
  type Fields,
  InvalidValue,
  integerField,
  textField,
} from '../../common/fields.ts';
import type { ProjectFinder } from '../projects/reading/find.ts';
import type { Viewer } from '../viewer.ts';
import type { AddressRules } from './address-rules.ts';
import { type WebhookEvents, webhookLimits } from './webhook.ts';

export interface WebhookFieldDependencies {
  readonly webhookRules: AddressRules;
  readonly projects: Pick<ProjectFinder, 'filters'>;
}

export const webhookFields = ({ webhookRules, projects }: WebhookFieldDependencies) =>
  ({
    url: urlField(webhookRules),
    events: choiceField(
      'Events',
      { 'Changes of my projects': 'own', 'All changes of the gallery': 'gallery' },
      { help: 'Changes of your projects by default. Only moderators get all.' },
    ),
    filter: filterField(projects),
  }) satisfies Fields;

function urlField(rules: AddressRules): Field<string, true> {
  const field = textField({
    label: 'URL',
    help: 'To this address the gallery sends each event with POST.',
    required: true,
    maxLength: webhookLimits.url,
    isSingleLine: true,
    format: 'uri',
  });
  return { ...field, read: (value) => rules.readUrl(field.read(value)) };
}

function filterField({ filters }: WebhookFieldDependencies['projects']): Field<string> {
  const field = textField({
    label: 'Filter',
    help: 'Filters of a listing, such as content_type=photo&tags=paper. Without any, all events are sent.',
    maxLength: webhookLimits.filter,
    isSingleLine: true,
    allowsBlank: true,
  });
  return {
    ...field,
    read(value) {
      const query = new URLSearchParams(field.read(value));
      const seen = new Set<string>();
      for (const [name, text] of query) {
        const filter = Object.hasOwn(filters, name) ? filters[name] : undefined;
        if (!filter?.matches) throw new InvalidValue(`A webhook has no filter ${JSON.stringify(name)}.`);
        if (seen.has(name)) throw new InvalidValue(`The filter ${JSON.stringify(name)} is there twice.`);
        seen.add(name);
        const { error } = filter.schema.safeParse(text);
        if (error) throw new InvalidValue(`${name}: ${error.issues.map(({ message }) => message).join(' ')}`);
      }
      return query.toString();
    },
  };
}

const sequenceField = (label: string, help: string) =>
  integerField({ label, help, min: 1, max: Number.MAX_SAFE_INTEGER });

/** A range that is sent again. */
export const redeliveryFields = {
  first: sequenceField('First change', 'Its number. Without any, a test is sent.'),
  last: sequenceField('Last change', 'The first by default. The changes are sent in order, until one fails.'),
} satisfies Fields;

export function requireEvents({ isModerator }: Viewer, events: WebhookEvents): void {
  if (events === 'gallery' && !isModerator)
    throw new Forbidden('Only moderators get all changes of the gallery.');
}
