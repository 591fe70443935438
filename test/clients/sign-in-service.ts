// npm run test:clients: signing in at a real sign-in service, the package oidc-provider.

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { closeLater } from '../support/closing.ts';
import { onBothDatabases } from '../support/databases.ts';
import { visitor } from '../support/person.ts';
import { ada, dump, siteOn } from '../support/site.ts';

/** A browser at the service: it keeps cookies, follows redirects there, and sends the only form of a page. */
class BrowserThere {
  readonly #cookies = new Map<string, string>();

  /** The first address outside of the service. */
  async signIn(address: string, name: string): Promise<string> {
    const { origin } = new URL(address);
    let url = address;
    let form: Record<string, string> | undefined;
    for (let steps = 0; steps < 20; steps++) {
      if (new URL(url).origin !== origin) return url;
      const response = await fetch(url, {
        method: form ? 'POST' : 'GET',
        body: form && new URLSearchParams(form),
        headers: { Cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') },
        redirect: 'manual',
      });
      for (const cookie of response.headers.getSetCookie()) {
        const [, key = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
        this.#cookies.set(key, value);
      }
      const location = response.headers.get('Location');
      form = undefined;
      if (location) url = new URL(location, url).href;
      else {
        const html = await response.text();
        const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(html) ?? [];
        const [, prompt = ''] = /name="prompt" value="([^"]*)"/.exec(html) ?? [];
        if (!action) throw new Error(html);
        url = new URL(action, url).href;
        form = { prompt, ...(prompt === 'login' && { login: name, password: 'any' }) };
      }
    }
    throw new Error('the service did not send the browser back');
  }
}

async function startService(callback: string): Promise<string> {
  const script = join(import.meta.dir, 'oidc-provider.mjs');
  const child = Bun.spawn(['node', script, callback], { stdout: 'pipe', stderr: 'ignore' });
  closeLater(async () => child.kill());
  const { value } = await child.stdout.getReader().read();
  return new TextDecoder().decode(value).trim();
}

onBothDatabases((kind) => {
  test('a pupil of a school with a service of others gets an account, and is known the next time', async () => {
    const callback = 'http://gallery.example/sign-in/elsewhere/callback/';
    const issuer = await startService(callback);
    const site = await siteOn(kind, {
      dump: dump(ada),
      environment: {
        VITRINE_OIDC_ISSUER: issuer,
        VITRINE_OIDC_CLIENT_ID: 'gallery',
        VITRINE_OIDC_CLIENT_SECRET: 'of the gallery',
        VITRINE_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
        VITRINE_SIGN_UP: 'open',
      },
    });
    const signIn = async () => {
      const browser = visitor(site);
      const started = await browser.browser.get('/sign-in/elsewhere/?next=/account/');
      const back = new URL(await new BrowserThere().signIn(started.headers.get('Location') ?? '', 'noor'));
      expect(back.origin + back.pathname).toBe(callback);
      const response = await browser.browser.get(back.pathname + back.search);
      return { browser, location: response.headers.get('Location') };
    };

    const first = await signIn();
    expect(first.location).toBe('/sign-in/elsewhere/new/');
    const created = await first.browser.submit('/sign-in/elsewhere/new/', 'Sign up');
    expect(created.headers.get('Location')).toBe('/account/');
    const again = await signIn();
    expect(again.location).toBe('/account/');
    // The name is from what the service tells of people, not from its token.
    expect((await again.browser.open('/account/')).text).toContain('noor');
  });
});
