// The manifest of a backup says what the backup consists of. It is written last: a backup without one is unfinished.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { OperatorError, systemReason } from '#common/errors.ts';
import { isJsonObject, parseJson } from '#common/json.ts';
import { privateFileMode } from '#common/private-files.ts';
import { lineCounts } from '../../core/dump/frame.ts';
import {
  count,
  defineLine,
  instant,
  type LineOf,
  objects,
  optional,
  sha256,
  text,
  wholeNumber,
} from '../../core/dump/line-format.ts';

// Signs manifests with Ed25519. Keys are in PEM and signatures are the plain 64 bytes, as openssl reads them.

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
    throw new OperatorError(`The key ${path} cannot be read: ${systemReason(error)}.`);
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

const manifestVersion = 1;
/** More missing files than this mean that the place for files is wrong. */
export const maxMissingFiles = 100;

/**
 * The files in a backup's folder, in the order in which they are deleted. Names never come from a manifest, so that it
 * cannot point elsewhere.
 */
export const fileNames = {
  manifest: 'manifest.json',
  dump: 'gallery.ndjson.zst',
  /** The uploaded files, as `sha256sum --check` reads it. */
  list: 'files.sha256',
  signature: 'manifest.json.sig',
} as const;

export type FileName = (typeof fileNames)[keyof typeof fileNames];

const hash = sha256('a SHA-256');
const galleryId = sha256('the id of a gallery');
/** How many restores a gallery remembers. */
export const maxOrigins = 100;

const manifestLine = defineLine('vitrine-backup', {
  version: wholeNumber(manifestVersion),
  created: instant,
  /** Which gallery it is of. Not in the dump: a restored gallery is another one. */
  gallery: galleryId,
  /** The backups from which it was restored, the earliest first: see origins.ts. */
  restored_from: optional(
    objects({ gallery: galleryId, backup: text({ maxLength: 30 }) }, { minItems: 1, maxItems: maxOrigins }),
  ),
  vitrine: text({ maxLength: 50 }),
  /** The number of the last change in the change log. */
  change: count,
  /** The lines of the dump by type. */
  lines: lineCounts,
  dump_bytes: count,
  dump_sha256: hash,
  list_sha256: hash,
  file_count: count,
  file_bytes: count,
  /** Files that the gallery itself had lost. */
  missing: objects({ hash, bytes: wholeNumber(1) }, { minItems: 0, maxItems: maxMissingFiles }),
});

export type Manifest = Omit<LineOf<typeof manifestLine>, 'version'>;

export const formatManifest = (manifest: Manifest): string =>
  `${manifestLine.stringify({ version: manifestVersion, ...manifest })}\n`;

/** Returns a sentence if it is no manifest, or one of a later version. */
export function parseManifest(bytes: Uint8Array): Manifest | string {
  const values = parseJson(bytes);
  if (values === undefined) return 'it is not JSON.';
  if (!isJsonObject(values) || values.type !== 'vitrine-backup') return 'it is not the manifest of a backup.';
  if (Number(values.version) > manifestVersion)
    return `it has version ${Number(values.version)}, and this program reads versions up to ${manifestVersion}: use a newer version of Vitrine.`;
  return manifestLine.parse(values);
}

/** `<hash>  files/ab/<hash>`: the path from the folder of all backups. */
export const formatListLine = (name: string): string => `${name}  files/${name.slice(0, 2)}/${name}\n`;

/** Undefined if it is no line of a list. */
export function parseListLine(line: string): string | undefined {
  const name = line.slice(0, 64);
  return /^[0-9a-f]{64}$/.test(name) && `${line}\n` === formatListLine(name) ? name : undefined;
}
