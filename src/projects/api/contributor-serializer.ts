// The JSON of a contributor.

import { z } from 'zod';
import { pageSchema } from '#rest/pagination.ts';
import { idSchema, timestampSchema, toRecord } from '../../core/api/schemas.ts';
import { displayName, type VisibleContributor } from '../../core/contributors/contributor.ts';
import { formatInstant } from '../../core/instant.ts';
import { contributorPath } from '../../core/paths.ts';
import { contributorExample } from './examples.ts';

export const contributorSchema = z
  .object({
    id: idSchema,
    url: z.url().describe('The API’s URL of this contributor.'),
    html_url: z.url().describe('The contributor’s page.'),
    projects_url: z.url().describe('The contributor’s projects.'),
    username: z.string(),
    name: z.string().describe('The name that everybody sees: first and last name, or the username.'),
    first_name: z.string().describe('Empty if only the contributor and moderators see it.'),
    last_name: z.string().describe('Empty if only the contributor and moderators see it.'),
    created: timestampSchema.describe('When the contributor joined.'),
  })
  .meta({ id: 'Contributor', description: 'A contributor of the gallery.', examples: [contributorExample] });

export const contributorPageSchema = pageSchema(contributorSchema, {
  id: 'ContributorPage',
  description: 'A page of contributors.',
});

export function serializeContributor(contributor: VisibleContributor, origin: string, timeZone: string) {
  const { id, username, first_name, last_name, created } = contributor;
  const { full_first_name = first_name, full_last_name = last_name } = contributor;
  return toRecord(contributorSchema, contributor, {
    url: `${origin}/api/v1/contributors/${id}/`,
    html_url: `${origin}${contributorPath(id, username)}`,
    projects_url: `${origin}/api/v1/projects/?contributor=${id}`,
    name: displayName(contributor),
    first_name: full_first_name,
    last_name: full_last_name,
    created: formatInstant(created, timeZone),
  });
}
