// Whatever an address holds, who pastes a snippet runs nothing of it.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { buildSnippets, quoteForShell, type SnippetRequest } from '../../src/rest/renderers/snippets.ts';

/** Words that mean something to a shell, to JavaScript or to Python, and anything else but NUL. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(...["'", '"', '`', '$(id)', '$HOME', '\\', '\n', '\r', '; id', '!!', '{a,b}', '[1-3]']),
      fc.constantFrom('\u2028', '</pre>', '#', '%s', '*', '~', '&', '|', '\t', "'''", '"""', '\\n', '😀'),
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    ),
  )
  .map((words) => words.join(''));

const about = (url: string, method = 'GET'): SnippetRequest => ({
  method,
  url,
  headers: { Accept: 'application/json' },
});

const snippetOf = (name: string, url: string) =>
  buildSnippets(about(url)).find((snippet) => snippet.name === name)?.text ?? '';

const shell = (program: string) => new Response(Bun.spawn(['sh', '-c', program]).stdout).text();

test('a shell reads what was quoted as it was', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      expect(await shell(`printf %s ${quoteForShell(text)}`)).toBe(text);
    }),
    { numRuns: 100 },
  );
});

test('the line for curl is one command, with the address as its last word', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      const url = `http://gallery.example/?q=${text}`;
      const shown = `curl() { for word; do printf '%s\\0' "$word"; done; }\n${snippetOf('curl', url)}`;
      const words = (await shell(shown)).split('\0').slice(0, -1);

      const globs = /[[\]{}]/.test(url) ? ['--globoff'] : [];
      expect(words).toEqual([...globs, '-H', 'Accept: application/json', url]);
    }),
    { numRuns: 100 },
  );
});

test('the program in JavaScript asks for the address and for nothing else', async () => {
  const Program = (async () => {}).constructor as FunctionConstructor;
  await fc.assert(
    fc.asyncProperty(hostile, async (url) => {
      const asked: unknown[] = [];
      const fetch = async (...given: unknown[]) => {
        asked.push(given);
        return { json: async () => ({}) };
      };
      await new Program('fetch', 'console', snippetOf('JavaScript', url))(fetch, { log() {} });

      expect(asked).toEqual([[url, { headers: { Accept: 'application/json' } }]]);
    }),
  );
});

test('the program in Python asks for the address, with strings as in JSON', () => {
  fc.assert(
    fc.property(hostile, (url) => {
      const lines = snippetOf('Python', url).split('\n');
      const address = lines.splice(4, 1)[0]?.trim().slice(0, -1) ?? '';

      expect(JSON.parse(address)).toBe(url);
      // Python's strings have the escapes of JSON, and end with the line.
      expect(address).toMatch(/^"(?:[^"\\\p{Cc}]|\\["\\bfnrt/]|\\u[0-9a-f]{4})*"$/u);
      expect(lines).toEqual([
        'import json',
        'from urllib.request import Request, urlopen',
        '',
        'request = Request(',
        '    headers={"Accept":"application/json"},',
        ')',
        'with urlopen(request) as response:',
        '    print(json.load(response))',
      ]);
    }),
  );
});

test('another method than GET is named', () => {
  const texts = buildSnippets(about('http://gallery.example/', 'OPTIONS')).map(({ text }) => text);

  expect(texts[0]).toBe("curl -X OPTIONS -H 'Accept: application/json' 'http://gallery.example/'");
  expect(texts[1]).toContain('  method: "OPTIONS",\n');
  expect(texts[2]).toContain('    method="OPTIONS",\n');
});
