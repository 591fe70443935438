// The texts of the API, each with a code. The API says them in English. Pages show people their own language: they find
// its text by the code.

import texts from './api-texts.json' with { type: 'json' };

/** The texts of features, by their names: each declares its own. Those with `api.` before the code are the API's. */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it.
export interface FeatureTexts {}

export type FeatureTextKey = {
  [Name in keyof FeatureTexts]: keyof FeatureTexts[Name];
}[keyof FeatureTexts];

export type ApiTextCode =
  | keyof typeof texts
  | (FeatureTextKey extends infer Key ? (Key extends `api.${infer Code}` ? Code : never) : never);

const english: Record<string, string> = { ...texts };

/** The English texts of features, once at the start. */
export function addApiTexts(added: Readonly<Record<string, string>>): void {
  for (const [key, text] of Object.entries(added))
    if (key.startsWith('api.')) english[key.slice('api.'.length)] = text;
}

type Values = Readonly<Record<string, string | number | ApiText>>;

/** A text and the values in it. As a string, and in JSON, it is the API's English. */
export class ApiText {
  constructor(
    readonly code: ApiTextCode,
    readonly values: Values = {},
  ) {}

  toString(): string {
    return (english[this.code] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => String(this.values[name]));
  }

  toJSON(): string {
    return this.toString();
  }
}

export const apiText = (code: ApiTextCode, values?: Values): ApiText => new ApiText(code, values);

/** A text without a code is shown in English on all pages. */
export type Text = string | ApiText;
