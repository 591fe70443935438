// Serializes the files of projects.

import { z } from 'zod';
import { type Media, mediaLimits, mediaPath, mediaTypes, type Size } from '../gallery/media/media.ts';

const pixels = z.int().min(1).nullable().describe('In pixels; null if the file is no picture.');
export const sizeSchema = z
  .object({ url: z.url(), bytes: z.int().min(0), width: pixels, height: pixels })
  .meta({ id: 'MediaSize', description: 'A size of a picture, or any other file.' });

export const mediaSchema = z
  .object({
    number: z.int().min(1).describe('The file’s number in its URL.'),
    api_url: z.url().describe('The API’s URL of this file.'),
    position: z.int().min(1).max(mediaLimits.files),
    type: z.enum(Object.keys(mediaTypes)),
    name: z.string().describe('The name for downloads.'),
    alt: z.string().describe('The alternative text of a picture.'),
    ...sizeSchema.shape,
    sizes: z
      .array(sizeSchema)
      .describe('All sizes of a picture, smallest first. The last one is the file itself.'),
  })
  .meta({ id: 'Media', description: 'A file of a project.' });

export function serializeMedia(media: Media, origin: string): z.input<typeof mediaSchema> {
  const { project, number, position, type, name, alt } = media;
  const serializeSize = ({ bytes, width, height, ...stored }: Size) => {
    return { url: `${origin}${mediaPath(type, stored)}`, bytes, width, height };
  };
  const sizes = media.sizes.map(serializeSize);
  const original = sizes.at(-1);
  if (!original) throw new Error(`there is no stored size of file ${number} of project ${project}`);
  const api_url = `${origin}/api/v1/projects/${project}/media/${number}/`;
  return { number, api_url, position, type, name, alt, ...original, sizes };
}
