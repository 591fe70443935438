// The texts of the API, each with a code. The API says them in English. Pages show people their own language: they find
// its text by the code (pages/messages/).

import texts from './api-texts.json';

export type ApiTextCode = keyof typeof texts;

type Values = Readonly<Record<string, string | number | ApiText>>;

/** A text and the values in it. As a string, and in JSON, it is the API's English. */
export class ApiText {
  constructor(
    readonly code: ApiTextCode,
    readonly values: Values = {},
  ) {}

  toString(): string {
    return texts[this.code].replace(/\{(\w+)\}/g, (_, name: string) => String(this.values[name]));
  }

  toJSON(): string {
    return this.toString();
  }
}

export const apiText = (code: ApiTextCode, values?: Values): ApiText => new ApiText(code, values);

/** A text without a code is shown in English on all pages. */
export type Text = string | ApiText;
