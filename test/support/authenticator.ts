// A device with passkeys, without a browser: it answers the options that the site sends, and can do it wrongly.

import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId: string;
}

/** How a response differs from the one that an honest browser sends. */
interface Deviation {
  readonly origin?: string;
  readonly host?: string;
  readonly challenge?: string;
  readonly isVerified?: boolean;
  readonly userHandle?: string;
  /** The signature of another key. */
  readonly isForged?: boolean;
}

export class Authenticator {
  readonly id = randomBytes(16);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  #userHandle = '';
  counter = 0;

  constructor(private readonly origin = 'http://gallery.example') {}

  /** The form field `credential` for a new passkey. */
  create({ challenge, rp, user }: CreationOptions, deviation: Deviation = {}): string {
    this.#userHandle = user.id;
    const length = Buffer.from([0, this.id.length]);
    const credential = Buffer.concat([Buffer.alloc(16), length, this.id, encodeKey(this.#keys.publicKey)]);
    const data = Buffer.concat([this.#buildData(deviation.host ?? rp.id, deviation, 0x40), credential]);
    const response = {
      clientDataJSON: this.#buildClientData('webauthn.create', challenge, deviation),
      attestationObject: base64url(
        // {"fmt": "none", "attStmt": {}, "authData": data} in CBOR.
        Buffer.concat([
          Buffer.from([0xa3, ...text('fmt'), ...text('none'), ...text('attStmt'), 0xa0, ...text('authData')]),
          Buffer.from([0x59, data.length >> 8, data.length & 0xff]),
          data,
        ]),
      ),
      transports: ['internal'],
    };
    return this.#wrap(response);
  }

  /** The form field `credential` for signing in. */
  get({ challenge, rpId }: RequestOptions, deviation: Deviation = {}): string {
    const data = this.#buildData(deviation.host ?? rpId, deviation, 0);
    const clientDataJSON = this.#buildClientData('webauthn.get', challenge, deviation);
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))]);
    const key = deviation.isForged
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
      : this.#keys.privateKey;
    return this.#wrap({
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: base64url(
        sign('sha256', signed, createPrivateKey(key.export({ type: 'pkcs8', format: 'pem' }))),
      ),
      userHandle: deviation.userHandle ?? this.#userHandle,
    });
  }

  #wrap(response: object): string {
    const id = base64url(this.id);
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response });
  }

  #buildClientData(type: string, challenge: string, deviation: Deviation): string {
    const { origin } = this;
    const data = { type, challenge, origin, crossOrigin: false, ...pick(deviation, 'origin', 'challenge') };
    return base64url(Buffer.from(JSON.stringify(data)));
  }

  /** The hash of the host, flags (1: somebody is present, 4: verified), and the counter. */
  #buildData(host: string, { isVerified = true }: Deviation, flags: number): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(this.counter);
    return Buffer.concat([
      sha256(Buffer.from(host)),
      Buffer.from([flags | 1 | (isVerified ? 4 : 0)]),
      counter,
    ]);
  }
}

const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
const text = (value: string) => [0x60 + value.length, ...Buffer.from(value)];
const pick = (deviation: Deviation, ...names: (keyof Deviation)[]) =>
  Object.fromEntries(
    names.flatMap((name) => (deviation[name] === undefined ? [] : [[name, deviation[name]]])),
  );

/** {1: 2, 3: -7, -1: 1, -2: x, -3: y} in CBOR: a key of P-256 for ECDSA. */
function encodeKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const [xBytes, yBytes] = [x, y].map((part) => [0x58, 32, ...Buffer.from(part, 'base64url')]);
  return Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, ...(xBytes ?? []), 0x22, ...(yBytes ?? [])]);
}
