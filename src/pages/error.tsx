import { NotFound } from '../errors.ts';
import type { Answer } from '../rest/answer.ts';
import { explain } from '../rest/exceptions.ts';
import { page } from './layout.tsx';

const words: Record<number, string> = {
  404: 'There is nothing at this address. It may have been moved, or it is not for everyone to see.',
  503: 'The gallery is away for a moment. Please try again soon.',
};

export function errorPage(error: unknown): Answer {
  const { status, title, headers, data } = explain(error);
  const answer = page({
    title,
    status,
    listed: false,
    children: (
      <>
        <h1>{title}</h1>
        <p>{words[status] ?? String(data.detail ?? '')}</p>
        <p>
          <a href="/">To the gallery</a>
        </p>
      </>
    ),
  });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  if (status === 405) answer.headers.set('Allow', 'GET, HEAD');
  return answer;
}

export const nothingHere = () => errorPage(new NotFound());
