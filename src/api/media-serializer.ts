// A file of a project as the API sends it.

import { z } from 'zod';
import { type Media, mediaLimits, mediaPath, mediaTypes, type Size } from '../gallery/media/media.ts';

const pixels = z.int().min(1).nullable().describe('In pixels; null of what is no picture.');
const sizeSchema = z.object({ url: z.url(), bytes: z.int().min(0), width: pixels, height: pixels });

export const mediaSchema = z
  .object({
    number: z.int().min(1).describe('What the file is called by in its address.'),
    api_url: z.url().describe('The API’s address of this file.'),
    position: z.int().min(1).max(mediaLimits.files),
    type: z.enum(Object.keys(mediaTypes)),
    name: z.string().describe('For whoever takes it away.'),
    alt: z.string().describe('What a picture shows, for those who do not see it.'),
    ...sizeSchema.shape,
    sizes: z
      .array(sizeSchema)
      .describe('All that there is of it, the smallest first. The last is the file itself.'),
  })
  .meta({ id: 'Media', description: 'A file of a project.' });

/** A file as the API shows it. */
export function serializeMedia(media: Media, origin: string): z.input<typeof mediaSchema> {
  const { project, number, position, type, name, alt } = media;
  const serializeSize = ({ bytes, width, height, ...kept }: Size) => {
    return { url: `${origin}${mediaPath(type, kept)}`, bytes, width, height };
  };
  const sizes = media.sizes.map(serializeSize);
  const original = sizes.at(-1);
  if (!original) throw new Error(`nothing is kept of file ${number} of project ${project}`);
  const api_url = `${origin}/api/v1/projects/${project}/media/${number}/`;
  return { number, api_url, position, type, name, alt, ...original, sizes };
}
