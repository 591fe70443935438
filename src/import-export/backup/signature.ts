// Signs manifests with Ed25519. Keys are in PEM and signatures are the plain 64 bytes, as openssl reads them.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { errorCode, OperatorError } from '../../common/errors.ts';
import { privateFileMode } from '../../common/private-files.ts';

/** Writes a private key that only its owner may read, and its public key beside it. */
export function createKeyFiles(path: string): { publicPath: string } {
  const publicPath = `${path}.pub`;
  for (const file of [path, publicPath])
    if (existsSync(file)) throw new OperatorError(`${file} exists: a key is never replaced.`);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), {
    mode: privateFileMode,
    flag: 'wx',
  });
  writeFileSync(publicPath, publicKey.export({ type: 'spki', format: 'pem' }), { flag: 'wx' });
  return { publicPath };
}

export const readPrivateKey = (path: string): KeyObject => readKey(path, createPrivateKey, 'private');

export const readPublicKey = (path: string): KeyObject => readKey(path, createPublicKey, 'public');

function readKey(path: string, parse: (pem: string) => KeyObject, kind: string): KeyObject {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    throw new OperatorError(`The key ${path} cannot be read: ${errorCode(error)}.`);
  }
  try {
    const key = parse(pem);
    if (key.asymmetricKeyType === 'ed25519') return key;
  } catch {}
  throw new OperatorError(`${path} is not the ${kind} key of a pair that vitrine backup-key has made.`);
}

export const signManifest = (manifest: string, key: KeyObject): Uint8Array =>
  sign(null, Buffer.from(manifest), key);

export const isSignedBy = (manifest: Uint8Array, signature: Uint8Array, key: KeyObject): boolean =>
  verify(null, manifest, key, signature);
