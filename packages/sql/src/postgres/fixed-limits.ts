// Limits as numbers in the text of a query. PostgreSQL keeps the plan of a prepared statement only if it seems to cost no more than one
// for the values. With a limit as a parameter, such a plan would be for a tenth of all rows, so it plans again each time: that
// takes ten times as long as twenty rows of a list.

import type { Sql } from 'sql-template-tag';

const beforeLimit = /\blimit $/;
const beforeOffset = /^\s*offset $/;

export function withFixedLimits(statement: Sql): Pick<Sql, 'text' | 'values'> {
  const { strings } = statement;
  const isLast = (index: number) =>
    index === statement.values.length - 1 && strings[index + 1]?.trim() === '';
  if (!strings.some((part) => beforeLimit.test(part))) return statement;
  const values: unknown[] = [];
  let text = '';
  for (const [index, part] of strings.entries()) {
    text += part;
    if (index === statement.values.length) break;
    const value = statement.values[index];
    const next = strings[index + 1] ?? '';
    if (typeof value !== 'number' || !beforeLimit.test(part)) text += `$${values.push(value)}`;
    else if (!beforeOffset.test(next) || !isLast(index + 1)) text += value;
    else return skipRows(text, values, value, Number(statement.values[index + 1]));
  }
  return { text, values };
}

/** At the end of a query. The rows with those before it are planned for one of a few numbers, and keep their order. */
function skipRows(text: string, values: unknown[], limit: number, offset: number) {
  if (offset === 0) return { text: text + limit, values };
  const most = 2 ** Math.ceil(Math.log2(limit + offset));
  const end = `limit ${limit} offset $${values.push(offset)}`;
  return { text: `select * from (${text}${most}) as rows_before_too ${end}`, values };
}
