import { Invalid } from '../errors.ts';
import type { Answer } from '../rest/answer.ts';
import { explain } from '../rest/exceptions.ts';
import type { Frame } from './frame.ts';
import { page } from './layout.tsx';

const words: Record<number, { heading: string; sentence: string }> = {
  400: { heading: 'That was not understood', sentence: 'Something in the address is not as it should be.' },
  403: { heading: 'That is not yours to do', sentence: 'Somebody else made this, or looks after it.' },
  404: {
    heading: 'There is nothing here',
    sentence: 'It may have been moved or taken away, or it is not for everyone to see.',
  },
  500: {
    heading: 'Something went wrong with us',
    sentence: 'It is not your doing. It has been written down, and trying again in a while may help.',
  },
  503: { heading: 'Back in a moment', sentence: 'The gallery is away for a moment. Please try again soon.' },
};

/** The id is what the log knows the request by. */
export function errorPage(frame: Frame, error: unknown, id: string, allow: string): Answer {
  const { status, title, headers, data } = explain(error);
  const told = words[status] ?? { heading: title, sentence: String(data.detail ?? '') };
  const answer = page(frame, {
    title: told.heading,
    status,
    listed: false,
    children: (
      <div class="error">
        <p class="code">{status}</p>
        <h1>{told.heading}</h1>
        <p>{status < 404 ? String(data.detail ?? told.sentence) : told.sentence}</p>
        {error instanceof Invalid && (
          <ul>
            {Object.entries(error.fields).map(([name, sentences]) => (
              <li>
                <code>{name}</code>: {sentences.join(' ')}
              </li>
            ))}
          </ul>
        )}
        {status === 404 && <p>The search above knows every title and every word, if it is still there.</p>}
        {status >= 500 && (
          <p>
            If you tell us of it, name this: <code>{id}</code>
          </p>
        )}
        <ul class="ways">
          <li>
            <a href="/">What is new in the gallery</a>
          </li>
          <li>
            <a href="/tags/">All tags</a>
          </li>
        </ul>
      </div>
    ),
  });
  for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
  if (status === 405) answer.headers.set('Allow', allow);
  return answer;
}
