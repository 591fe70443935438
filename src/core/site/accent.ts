// Any colour as the accent of a site: made as dark or as light as text in it and on it must be to be read.

import type { SiteSettings } from './site-fields.ts';

/** Relative luminances: contrasts of 4.5 and more with the paper, the cards and the buttons of each look, light and dark. */
const darkest = 0.135;
const lightest = 0.39;

const toLinear = (channel: number): number =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
const fromLinear = (channel: number): number =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;

type Channels = readonly [red: number, green: number, blue: number];

const luminanceOf = ([red, green, blue]: Channels): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue;

const parse = (color: string) =>
  [1, 3, 5].map((at) => toLinear(Number.parseInt(color.slice(at, at + 2), 16) / 255)) as unknown as Channels;

/** Rounds away from the limit. */
const format = (channels: readonly number[], round: (value: number) => number): string =>
  `#${channels
    .map((channel) => Math.min(255, Math.max(0, round(fromLinear(channel) * 255))))
    .map((channel) => channel.toString(16).padStart(2, '0'))
    .join('')}`;

/** The colour on light and on dark paper. It keeps its hue: black is mixed into it, or white. */
export function readableColors(color: string): { readonly light: string; readonly dark: string } {
  const channels = parse(color);
  const luminance = luminanceOf(channels);
  const black = Math.min(1, darkest / luminance);
  const white = Math.max(0, (lightest - luminance) / (1 - luminance));
  return {
    light:
      luminance <= darkest
        ? color
        : format(
            channels.map((channel) => channel * black),
            Math.floor,
          ),
    dark:
      luminance >= lightest
        ? color
        : format(
            channels.map((channel) => channel + white * (1 - channel)),
            Math.ceil,
          ),
  };
}

/** The path of the stylesheet with the accent; undefined if it is one of those that every page has. */
export const accentPath = ({ accent }: Pick<SiteSettings, 'accent'>): string | undefined =>
  accent?.startsWith('#') ? `/accents/${accent.slice(1)}.css` : undefined;
