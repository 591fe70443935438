// The fields of a form for a webhook.

import { apiText, type Text } from '../../common/api-text.ts';
import { Forbidden } from '../../common/errors.ts';
import { choiceField, type Field, type Fields, integerField, textField } from '../../common/fields.ts';
import { InvalidValue, readOrThrow } from '../../common/inputs.ts';
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
      apiText('webhook.events'),
      { own: apiText('webhook.own'), gallery: apiText('webhook.gallery') },
      { help: apiText('webhook.eventsHelp') },
    ),
    filter: filterField(projects),
  }) satisfies Fields;

/** How much a receiver gets at a time. */
export const webhookPaceFields = {
  concurrency: integerField({
    label: 'Concurrency',
    help: 'How many requests may be under way. With more than one, only the events of each project come in order.',
    min: 1,
    max: webhookLimits.concurrency,
  }),
  batch_size: integerField({
    label: 'Batch size',
    help: 'How many events one request has at most. With more than one, each request has a list of events.',
    min: 1,
    max: webhookLimits.batchSize,
  }),
} satisfies Fields;

function urlField(rules: AddressRules): Field<string, true> {
  const field = textField({
    label: apiText('webhook.url'),
    help: apiText('webhook.urlHelp'),
    required: true,
    maxLength: webhookLimits.url,
    isSingleLine: true,
    format: 'uri',
  });
  return { ...field, read: (value) => rules.readUrl(field.read(value)) };
}

function filterField({ filters }: WebhookFieldDependencies['projects']): Field<string> {
  const field = textField({
    label: apiText('webhook.filter'),
    help: apiText('webhook.filterHelp'),
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
        readOrThrow(filter, text, (problem) => new InvalidValue(`${name}: ${problem}`));
      }
      return query.toString();
    },
  };
}

const sequenceField = (label: Text, help: Text) =>
  integerField({ label, help, min: 1, max: Number.MAX_SAFE_INTEGER });

/** A range that is sent again. */
export const redeliveryFields = {
  first: sequenceField(apiText('webhook.first'), apiText('webhook.firstHelp')),
  last: sequenceField(apiText('webhook.last'), apiText('webhook.lastHelp')),
} satisfies Fields;

export function requireEvents({ isModerator }: Viewer, events: WebhookEvents): void {
  if (events === 'gallery' && !isModerator)
    throw new Forbidden('Only moderators get all changes of the gallery.');
}
