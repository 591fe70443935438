// The colours of the three looks: text is readable in each of them, light and dark, with every accent.

import { expect, test } from 'bun:test';
import looksCss from '../../src/core/pages/assets/looks.css' with { type: 'text' };
import otherLooksCss from '../../src/core/pages/assets/other-looks.css' with { type: 'text' };
import { readableColors } from '../../src/core/site/accent.ts';
import { accents, corners, looks } from '../../src/core/site/site-fields.ts';

const css = looksCss + otherLooksCss;

type Color = readonly [red: number, green: number, blue: number];

/** The colours in `light-dark(…)` of each property in the rule with this selector. */
function colorsIn(selector: string): Map<string, readonly [light: Color, dark: Color]> {
  const start = css.indexOf(`${selector} {`);
  const rule = css.slice(start, css.indexOf('}', start));
  const found = rule.matchAll(/(--[\w-]+):[^;]*?light-dark\((#[0-9a-f]{3,6}), (#[0-9a-f]{3,6})\)/g);
  return new Map(
    [...found].map(([, name = '', light = '', dark = '']) => [name, [parse(light), parse(dark)]]),
  );
}

function parse(hex: string): Color {
  const digits =
    hex.length === 4 ? [...hex.slice(1)].map((digit) => digit + digit) : hex.slice(1).match(/../g);
  return (digits ?? []).map((pair) => Number.parseInt(pair, 16)) as unknown as Color;
}

const luminance = (color: Color) =>
  color
    .map((value) => value / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
    .reduce((sum, value, index) => sum + value * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0);

function contrast(one: Color, other: Color): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

const mix = (one: Color, other: Color, part: number) =>
  one.map((value, index) => value * part + (other[index] ?? 0) * (1 - part)) as unknown as Color;

const common = colorsIn('[data-look="dusk"]');

/** The hard ones, and others from all over. */
const anyColors = [
  ...['#000000', '#ffffff', '#808080', '#ffff00', '#00ff00', '#0000ff', '#ff0000', '#00ffff', '#ff00ff'],
  ...Array.from(
    { length: 200 },
    (_, index) => `#${((index * 0x9e3779b1) % 0x1000000).toString(16).padStart(6, '0')}`,
  ),
];

for (const look of looks) {
  for (const [scheme, side] of [
    ['light', 0],
    ['dark', 1],
  ] as const) {
    test(`everything is readable in ${look}, ${scheme}, with each accent`, () => {
      const own = colorsIn(`[data-look="${look}"]`);
      const colorOf = (name: string) => (own.get(name) ?? common.get(name))?.[side] as Color;
      const tooWeak: unknown[] = [];
      const require = (min: number, names: string, one: Color, other: Color) => {
        const found = contrast(one, other);
        if (!(found >= min)) tooWeak.push([names, found]);
      };
      const choices = [
        ['own', colorOf('--accent')],
        ...accents.map((name) => [name, colorsIn(`[data-accent="${name}"]`).get('--chosen')?.[side]]),
        ...anyColors.map((color) => [color, parse(readableColors(color)[scheme])]),
      ] as [string, Color][];
      for (const [name, accent] of choices) {
        const wash = mix(accent, colorOf('--card'), 0.09);
        for (const [ground, color] of [
          ['paper', colorOf('--paper')],
          ['card', colorOf('--card')],
          ['wash', wash],
        ] as const) {
          for (const text of ['--ink', '--faint', '--danger'])
            require(4.5, `${text} on ${ground} of ${name}`, colorOf(text), color);
          require(4.5, `${name} on ${ground}`, accent, color);
          require(3, `edge on ${ground} of ${name}`, colorOf('--edge'), color);
        }
        require(4.5, `text on ${name}`, colorOf('--on-accent'), accent);
      }
      require(4.5, 'text on danger', colorOf('--on-danger'), colorOf('--danger'));
      expect(tooWeak).toEqual([]);
    });
  }
}

test('every look, accent and step of the corners has a rule', () => {
  const missing = [
    ...looks.map((name) => `[data-look="${name}"]`),
    ...accents.map((name) => `[data-accent="${name}"]`),
    ...corners.map((name) => `[data-corners="${name}"]`),
  ].filter((selector) => !css.includes(`${selector} {`));
  expect(missing).toEqual([]);
});
