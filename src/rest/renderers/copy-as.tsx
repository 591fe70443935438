// This request as code to copy; src/assets/copy.js adds a button to each.

import { buildSnippets, type SnippetRequest } from './snippets.ts';

export function CopyAs({ request }: { request: SnippetRequest }) {
  return (
    <details class="copy-as">
      <summary>Copy as curl, JavaScript or Python</summary>
      {buildSnippets(request).map(({ name, text }) => (
        <section aria-label={name}>
          <h2>{name}</h2>
          <Snippet name={name} text={text} />
        </section>
      ))}
    </details>
  );
}

export function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <div class="snippet">
      <pre data-copy={name}>{text}</pre>
    </div>
  );
}
