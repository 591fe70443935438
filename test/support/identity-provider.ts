// A sign-in service that speaks OpenID Connect and makes any token that a test asks for. A real one is in test/clients.

import { createHash, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { closeLater } from './closing.ts';
import type { Person } from './person.ts';

type Claims = Readonly<Record<string, unknown>>;

export const clientId = 'gallery';
const clientSecret = 'of the gallery';
const keyName = 'key 1';

/** Somebody's account there. */
export interface AccountThere {
  readonly sub: string;
  readonly preferred_username?: string;
  readonly given_name?: string;
  readonly family_name?: string;
}

interface Grant {
  readonly account: AccountThere;
  readonly nonce: string;
  readonly codeChallenge: string;
}

export interface TokenParts {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  key: KeyObject | string;
}

const base64url = (text: string | Buffer) => Buffer.from(text).toString('base64url');
export const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/** Signed as the header says: with a private key, or with a text by HS256. */
export function makeToken({ header, claims, key }: TokenParts): string {
  const content = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`;
  if (header.alg === 'none') return `${content}.`;
  const signature =
    header.alg === 'HS256'
      ? createHmac('sha256', key).update(content).digest()
      : sign('sha256', Buffer.from(content), key);
  return `${content}.${base64url(signature)}`;
}

export class TestProvider {
  readonly keys = newKey();
  /** Changes what is signed. */
  change: (parts: TokenParts) => void = () => {};
  /** Changes what the token endpoint answers. */
  respond: (answer: Record<string, unknown>) => object = (answer) => answer;
  /** Signs in where a browser comes: its page has a link back. */
  accountInBrowser: AccountThere | undefined;
  readonly requests: string[] = [];
  readonly #grants = new Map<string, Grant>();
  readonly #server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => this.#answer(request),
  });

  constructor() {
    closeLater(() => this.#server.stop(true));
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#server.port}`;
  }

  /** Of a site that sends people here. */
  get environment(): Record<string, string> {
    return {
      VITRINE_OIDC_ISSUER: this.issuer,
      VITRINE_OIDC_CLIENT_ID: clientId,
      VITRINE_OIDC_CLIENT_SECRET: clientSecret,
      VITRINE_OIDC_LABEL: 'Riverside School',
      VITRINE_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    };
  }

  /** Signs in at the address to which the site sent the browser. Returns the path to which it is sent back. */
  approve(address: string, account: AccountThere): string {
    const back = this.#grant(address, account);
    return back.pathname + back.search;
  }

  #grant(address: string, account: AccountThere): URL {
    const { searchParams } = new URL(address);
    const read = (name: string) => searchParams.get(name) ?? '';
    const code = crypto.randomUUID();
    this.#grants.set(code, { account, nonce: read('nonce'), codeChallenge: read('code_challenge') });
    const back = new URL(read('redirect_uri'));
    back.search = String(new URLSearchParams({ code, state: read('state') }));
    return back;
  }

  /** All steps, in the browser of the person. */
  async signIn({ browser }: Person, account: AccountThere, next = '/mine/'): Promise<Response> {
    const started = await browser.get(`/sign-in/elsewhere/?${new URLSearchParams({ next })}`);
    if (started.status !== 303) return started;
    return browser.get(this.approve(started.headers.get('Location') ?? '', account));
  }

  async #answer(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    this.requests.push(pathname);
    if (pathname === '/.well-known/openid-configuration') return Response.json(this.#metadata());
    if (pathname === '/keys') {
      const key = this.keys.publicKey.export({ format: 'jwk' });
      return Response.json({ keys: [{ ...key, kid: keyName, use: 'sig', alg: 'RS256' }] });
    }
    if (pathname === '/authorize' && this.accountInBrowser)
      return new Response(`<a href="${this.#grant(request.url, this.accountInBrowser)}">Go back</a>`, {
        headers: { 'Content-Type': 'text/html' },
      });
    if (pathname === '/token') return this.#grantToken(request);
    return new Response(null, { status: 404 });
  }

  #metadata(): Claims {
    const { issuer } = this;
    return {
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
    };
  }

  async #grantToken(request: Request): Promise<Response> {
    const form = new URLSearchParams(await request.text());
    const grant = this.#grants.get(form.get('code') ?? '');
    this.#grants.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const credentials = `Basic ${btoa(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret).replaceAll('%20', '+')}`)}`;
    if (request.headers.get('Authorization') !== credentials)
      return Response.json({ error: 'invalid_client' }, { status: 401 });
    if (!grant || grant.codeChallenge !== challenge)
      return Response.json({ error: 'invalid_grant' }, { status: 400 });
    const now = Math.floor(Date.now() / 1000);
    const parts: TokenParts = {
      header: { alg: 'RS256', kid: keyName },
      claims: {
        iss: this.issuer,
        aud: clientId,
        iat: now,
        exp: now + 300,
        nonce: grant.nonce,
        ...grant.account,
      },
      key: this.keys.privateKey,
    };
    this.change(parts);
    const answer = { access_token: 'access', token_type: 'Bearer', id_token: makeToken(parts) };
    return Response.json(this.respond(answer));
  }
}
