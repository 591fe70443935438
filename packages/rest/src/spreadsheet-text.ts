// Texts in tables that spreadsheets open. A spreadsheet would run a text such as `=HYPERLINK(…)` as a formula: one apostrophe
// more prevents that. Texts that begin with apostrophes before such a character get one too, so that a program can take
// exactly one away.

const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

export const escapeFormula = (text: string): string => (formula.test(text) ? `'${text}` : text);

export const unescapeFormula = (text: string): string =>
  text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
