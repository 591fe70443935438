// Whatever an address holds, who pastes a snippet runs nothing of it.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { type SnippetRequest, shellQuoted, snippets } from '../../src/rest/renderers/snippets.ts';

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
  ...{ method, url },
  headers: { Accept: 'application/json' },
});

const snippetOf = (name: string, url: string) =>
  snippets(about(url)).find((snippet) => snippet.name === name)?.text ?? '';

const shell = (program: string) => new Response(Bun.spawn(['sh', '-c', program]).stdout).text();

test('a shell reads what was quoted as it was', async () => {
  await fc.assert(
    fc.asyncProperty(hostile, async (text) => {
      expect(await shell(`printf %s ${shellQuoted(text)}`)).toBe(text);
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

test.skipIf(!Bun.which('python3'))('so does the one in Python', async () => {
  const addresses = fc.sample(hostile, 200);
  // Each program runs with a library that says what it was asked for.
  const program = `
import io, json, sys, urllib.request
def said(request): print(json.dumps([request.full_url, request.headers])); return io.StringIO("{}")
class Request:
    def __init__(self, url, headers): self.full_url, self.headers = url, headers
urllib.request.Request, urllib.request.urlopen = Request, said
for program in json.load(sys.stdin): exec(program, {"print": lambda *words: None})
`;
  const python = Bun.spawn(['python3', '-c', program], {
    stdin: new Blob([JSON.stringify(addresses.map((url) => snippetOf('Python', url)))]),
  });
  const lines = (await new Response(python.stdout).text()).trimEnd().split('\n');

  expect(lines.map((line) => JSON.parse(line))).toEqual(
    addresses.map((url) => [url, { Accept: 'application/json' }]),
  );
});

test('another method than GET is named', () => {
  const texts = snippets(about('http://gallery.example/', 'OPTIONS')).map(({ text }) => text);

  expect(texts[0]).toBe("curl -X OPTIONS -H 'Accept: application/json' 'http://gallery.example/'");
  expect(texts[1]).toContain('  method: "OPTIONS",\n');
  expect(texts[2]).toContain('    method="OPTIONS",\n');
});
