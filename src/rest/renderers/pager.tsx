interface Pages {
  readonly number: number;
  readonly last: number;
  address(number: number): string;
}

/** The first, the last, and those around this one. */
export function Pager({ number, last, address }: Pages) {
  if (last <= 1) return null;
  const shown = [...new Set([1, number - 1, number, number + 1, last])].filter((n) => n >= 1 && n <= last);
  return (
    <nav class="pager" aria-label="Pages">
      {number > 1 && (
        <a rel="prev" href={address(number - 1)}>
          Previous
        </a>
      )}
      <ol>
        {shown.map((one, index) => (
          <>
            {one - (shown[index - 1] ?? one - 1) > 1 && <li aria-hidden="true">…</li>}
            <li>
              <a
                href={address(one)}
                aria-label={`Page ${one}`}
                aria-current={one === number ? 'page' : undefined}
              >
                {one.toLocaleString('en')}
              </a>
            </li>
          </>
        ))}
      </ol>
      {number < last && (
        <a rel="next" href={address(number + 1)}>
          Next
        </a>
      )}
    </nav>
  );
}
