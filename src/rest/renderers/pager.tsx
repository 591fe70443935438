interface PagerProps {
  readonly number: number;
  readonly last: number;
  urlOf(number: number): string;
}

/** Links to the first page, the last page and those around the current one. */
export function Pager({ number, last, urlOf }: PagerProps) {
  if (last <= 1) return null;
  const numbers = [...new Set([1, number - 1, number, number + 1, last])].filter((n) => n >= 1 && n <= last);
  return (
    <nav class="pager" aria-label="Pages">
      {number > 1 && (
        <a rel="prev" href={urlOf(number - 1)}>
          Previous
        </a>
      )}
      <ol>
        {numbers.map((pageNumber, index) => (
          <>
            {pageNumber - (numbers[index - 1] ?? pageNumber - 1) > 1 && <li aria-hidden="true">…</li>}
            <li>
              <a
                href={urlOf(pageNumber)}
                aria-label={`Page ${pageNumber}`}
                aria-current={pageNumber === number ? 'page' : undefined}
              >
                {pageNumber.toLocaleString('en')}
              </a>
            </li>
          </>
        ))}
      </ol>
      {number < last && (
        <a rel="next" href={urlOf(number + 1)}>
          Next
        </a>
      )}
    </nav>
  );
}
