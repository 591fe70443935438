// The fields of a form for a webhook.

import { apiText, type Text } from '#common/api-text.ts';
import { Forbidden } from '#common/errors.ts';
import { InvalidValue, readOrThrow } from '#common/inputs.ts';
import { choiceField, type Field, type Fields, integerField, textField } from '#rest/fields.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { projectFilters } from '../../projects/reading/filters.ts';
import { type WebhookEvents, webhookLimits } from './webhook.ts';

const urlText = textField({
  label: apiText('webhook.url'),
  help: apiText('webhook.urlHelp'),
  required: true,
  maxLength: webhookLimits.url,
  isSingleLine: true,
  format: 'uri',
});

const urlField: Field<string, true> = {
  ...urlText,
  read(value, settings) {
    if (!settings?.readUrl) throw new Error('The rules for addresses are missing.');
    return settings.readUrl(urlText.read(value));
  },
};

const filterText = textField({
  label: apiText('webhook.filter'),
  help: apiText('webhook.filterHelp'),
  maxLength: webhookLimits.filter,
  isSingleLine: true,
  allowsBlank: true,
});

const filterField: Field<string> = {
  ...filterText,
  read(value, settings) {
    const query = new URLSearchParams(filterText.read(value));
    const seen = new Set<string>();
    for (const [name, text] of query) {
      const filter = Object.hasOwn(projectFilters, name) ? projectFilters[name] : undefined;
      if (!filter?.matches) throw new InvalidValue(`A webhook has no filter ${JSON.stringify(name)}.`);
      if (seen.has(name)) throw new InvalidValue(`The filter ${JSON.stringify(name)} is there twice.`);
      seen.add(name);
      readOrThrow(filter, text, (problem) => new InvalidValue(`${name}: ${problem}`), settings);
    }
    return query.toString();
  },
};

export const webhookFields = {
  url: urlField,
  events: choiceField(
    apiText('webhook.events'),
    { own: apiText('webhook.own'), gallery: apiText('webhook.gallery') },
    { help: apiText('webhook.eventsHelp') },
  ),
  filter: filterField,
} satisfies Fields;

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
