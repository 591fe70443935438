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
