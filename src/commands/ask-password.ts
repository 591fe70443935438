// Asks for a password without echo, or reads the first line of standard input. Never from the command line, which other
// users of the machine can see.

import { OperatorError } from '../common/errors.ts';

export async function askPassword(): Promise<string> {
  if (!process.stdin.isTTY) return readFirstLine();
  const [password = '', repetition] = await readHiddenLines(['Password: ', 'The same again: ']);
  if (password !== repetition) throw new OperatorError('The two passwords differ: nothing was changed.');
  return password;
}

async function readFirstLine(): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of Bun.stdin.stream()) {
    text += decoder.decode(chunk, { stream: true });
    if (text.includes('\n')) break;
  }
  const [line = ''] = text.split(/\r?\n/, 1);
  if (line === '')
    throw new OperatorError('A password is needed: the first line of standard input is empty.');
  return line;
}

/** Reads one line for each prompt, without echo. Pasted text may contain several lines. */
function readHiddenLines(prompts: string[]): Promise<string[]> {
  const { stdin, stderr } = process;
  const lines: string[] = [];
  let line: string[] = [];
  stdin.setEncoding('utf8').setRawMode(true).resume();
  // Not earlier: the terminal would still echo the first keys.
  stderr.write(prompts[0] ?? '');
  return new Promise<string[]>((resolve, reject) => {
    stdin.on('data', (keys: string) => {
      for (const key of keys) {
        if (key === '\u0003') reject(new OperatorError('Interrupted: nothing was changed.'));
        else if (key === '\u007f' || key === '\b') line.pop();
        else if (key === '\u0015') line = [];
        else if (key !== '\r' && key !== '\n' && key !== '\u0004') line.push(key);
        else {
          lines.push(line.join(''));
          line = [];
          stderr.write(`\n${prompts[lines.length] ?? ''}`);
          if (lines.length === prompts.length) return resolve(lines);
        }
      }
    });
  }).finally(() => {
    stdin.removeAllListeners('data');
    stdin.setRawMode(false).pause();
  });
}
