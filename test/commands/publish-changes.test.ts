// `vitrine changes publish` without NATS: see also test/scale/nats.ts.

import { expect, test } from 'bun:test';
import { vitrine, vitrineIn } from '../support/server.ts';

test('a mistake in the settings is one sentence, and no password is shown', async () => {
  const address = 'must be an address such as nats://user:password@host:4222';
  const messages = [
    [[], 'It is: vitrine changes publish --nats nats://host:4222 --public-url https://gallery.example.org'],
    [['--nats', 'http://127.0.0.1'], `--nats ${address}.`],
    [
      ['--nats', 'nats://ada:secret@127.0.0.1'],
      '--nats holds a password, which others on this machine could read: set VITRINE_NATS instead.',
    ],
    [
      ['--nats-prefix', 'a.>'],
      '--nats-prefix must be words with dots between them, such as sites.gallery; it was "a.>".',
    ],
  ] as const;
  for (const [options, message] of messages)
    expect(await vitrine('changes', 'publish', ...options)).toEqual({
      code: 2,
      out: '',
      error: `vitrine: ${message}\n`,
    });
  const { code, error } = await vitrineIn({ VITRINE_NATS: 'nats://:secret@' }, 'changes', 'publish');
  expect([code, error]).toEqual([2, `vitrine: VITRINE_NATS ${address}.\n`]);
});
