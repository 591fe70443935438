// The snippets that repeat a request with curl, JavaScript or Python do nothing else, whatever its address contains.

import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { buildSnippets, quoteForShell } from '#rest/renderers/snippets.ts';

/** Text that means something to a shell, to JavaScript or to Python, and any other text without NUL. */
const hostileText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...["'", '"', '`', '$(id)', '$HOME', '\\', '\n', '\r', '; id', '!!', '{a,b}', '[1-3]']),
      fc.constantFrom('\u2028', '</pre>', '#', '%s', '*', '~', '&', '|', '\t', "'''", '"""', '\\n', '😀'),
      fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0')),
    ),
  )
  .map((parts) => parts.join(''));

const headers = { Accept: 'application/json' };

function snippetFor(language: string, url: string): string {
  const snippets = buildSnippets({ method: 'GET', url, headers });
  return snippets.find(({ name }) => name === language)?.text ?? '';
}

/** What a shell prints when it runs this program. */
const runShell = (program: string) => new Response(Bun.spawn(['sh', '-c', program]).stdout).text();

test('a shell reads quoted text as it was before', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      expect(await runShell(`printf %s ${quoteForShell(text)}`)).toBe(text);
    }),
    { numRuns: 100 },
  );
});

test('the snippet for curl is one command, whose last argument is the address', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const url = `http://gallery.example/?q=${text}`;
      // Instead of curl, the shell runs a function that prints its arguments.
      const printArguments = `curl() { for argument; do printf '%s\\0' "$argument"; done; }`;
      const printed = await runShell(`${printArguments}\n${snippetFor('curl', url)}`);

      const globOption = /[[\]{}]/.test(url) ? ['--globoff'] : [];
      expect(printed.split('\0').slice(0, -1)).toEqual([
        ...globOption,
        '-H',
        'Accept: application/json',
        url,
      ]);
    }),
    { numRuns: 100 },
  );
});

test('the snippet in JavaScript requests the address and nothing else', async () => {
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  await fc.assert(
    fc.asyncProperty(hostileText, async (url) => {
      const requests: unknown[] = [];
      const fetch = async (...request: unknown[]) => {
        requests.push(request);
        return { json: async () => ({}) };
      };
      const run = new AsyncFunction('fetch', 'console', snippetFor('JavaScript', url));
      await run(fetch, { log() {} });

      expect(requests).toEqual([[url, { headers }]]);
    }),
  );
});

test('the snippet in Python requests the address, which is a string as in JSON', () => {
  fc.assert(
    fc.property(hostileText, (url) => {
      const lines = snippetFor('Python', url).split('\n');
      const address = lines.splice(3, 1)[0]?.trim().slice(0, -1) ?? '';

      expect(JSON.parse(address)).toBe(url);
      // A string in Python has the escapes of JSON, and must end on its line.
      expect(address).toMatch(/^"(?:[^"\\\p{Cc}]|\\["\\bfnrt/]|\\u[0-9a-f]{4})*"$/u);
      expect(lines).toEqual([
        'import requests',
        '',
        'response = requests.get(',
        '    headers={"Accept":"application/json"},',
        ')',
        'print(response.json())',
      ]);
    }),
  );
});

test('a body is quoted too, and has the literals of its language', () => {
  const json = { title: 'it\'s "true"', done: true, parent: null };
  const snippets = buildSnippets({ method: 'POST', url: 'http://gallery.example/', headers, json });
  const [curl, javascript, python] = snippets.map(({ text }) => text);

  expect(curl).toContain(
    `-d '{"title":"it'\\''s \\"true\\"","done":true,"parent":null}' \\\n  'http://gallery.example/'`,
  );
  expect(javascript).toContain(`  body: JSON.stringify(${JSON.stringify(json)}),\n`);
  expect(python).toContain('    json={"title":"it\'s \\"true\\"","done":True,"parent":None},\n');
});

test('a snippet names the method unless it is GET', () => {
  const snippets = buildSnippets({ method: 'OPTIONS', url: 'http://gallery.example/', headers });
  const [curl, javascript, python] = snippets.map(({ text }) => text);

  expect(curl).toBe("curl -X OPTIONS -H 'Accept: application/json' 'http://gallery.example/'");
  expect(javascript).toContain('  method: "OPTIONS",\n');
  expect(python).toContain('response = requests.options(\n');
});
