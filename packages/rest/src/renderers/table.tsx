// The records of a list as a table, with a column for each of their members.

import { isJsonObject } from '../../../common/src/json.ts';
import { isUrl } from './json-view.ts';

/** The records of a response; undefined if it is no list. */
export function findRecords(data: unknown): Readonly<Record<string, unknown>>[] | undefined {
  const list = isJsonObject(data) ? data.results : data;
  return Array.isArray(list) && list.length > 0 && list.every(isJsonObject) ? list : undefined;
}

interface TableProps {
  readonly records: readonly Readonly<Record<string, unknown>>[];
  /** Undefined if the list cannot be sorted by the member. */
  orderBy(
    member: string,
  ): { readonly href: string; readonly direction?: 'ascending' | 'descending' } | undefined;
}

export function Table({ records, orderBy }: TableProps) {
  const names = [...new Set(records.flatMap((record) => Object.keys(record)))];
  return (
    <section class="wide" aria-label="Table">
      <table class="records">
        <thead>
          <tr>
            {names.map((name) => {
              const order = orderBy(name);
              return (
                <th scope="col" aria-sort={order?.direction}>
                  {order ? <a href={order.href}>{name}</a> : name}
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr>
              {names.map((name) => (
                <td dir="auto">
                  <Cell value={record[name]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const maxLength = 80;
const maxUrlLength = 32;

/** URLs are without their origin, which is mostly that of this site. */
function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <>–</>;
  if (typeof value === 'object') return <code>{cut(JSON.stringify(value), maxLength)}</code>;
  const text = String(value);
  if (isUrl(text)) return <a href={text}>{cut(URL.parse(text)?.pathname ?? text, maxUrlLength)}</a>;
  return <>{cut(text, maxLength)}</>;
}

const cut = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text;

export interface PagerProps {
  readonly number: number;
  readonly last: number;
  readonly texts?: PagerTexts;
  readonly attributes?: Readonly<Record<string, string>>;
  urlOf(number: number): string;
}

interface PagerTexts {
  readonly pages: string;
  readonly previous: string;
  readonly next: string;
  page(number: number): string;
  formatNumber(number: number): string;
}

const english: PagerTexts = {
  pages: 'Pages',
  previous: 'Previous',
  next: 'Next',
  page: (number) => `Page ${number}`,
  formatNumber: (number) => number.toLocaleString('en'),
};

/** Links to the first page, the last page and those around the current one. */
export function Pager({ number, last, urlOf, texts = english, attributes }: PagerProps) {
  if (last <= 1) return null;
  const numbers = [...new Set([1, number - 1, number, number + 1, last])].filter((n) => n >= 1 && n <= last);
  return (
    <nav class="pager" aria-label={texts.pages} {...attributes}>
      {number > 1 && (
        <a rel="prev" href={urlOf(number - 1)}>
          {texts.previous}
        </a>
      )}
      <ol>
        {numbers.map((pageNumber, index) => (
          <>
            {pageNumber - (numbers[index - 1] ?? pageNumber - 1) > 1 && <li aria-hidden="true">…</li>}
            <li>
              <a
                href={urlOf(pageNumber)}
                aria-label={texts.page(pageNumber)}
                aria-current={pageNumber === number ? 'page' : undefined}
              >
                {texts.formatNumber(pageNumber)}
              </a>
            </li>
          </>
        ))}
      </ol>
      {number < last && (
        <a rel="next" href={urlOf(number + 1)}>
          {texts.next}
        </a>
      )}
    </nav>
  );
}
