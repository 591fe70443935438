// Three-dimensional models: an STL keeps its triangles, a GLB all that is drawn.

import { InvalidFile } from './invalid-file.ts';
import { cleanPicture } from './picture.ts';

const stlHeadLength = 80;

/** Only a colour may stand in the head. */
export function cleanStl(bytes: Buffer): Buffer {
  const head = bytes.toString('latin1', 0, stlHeadLength);
  const parts = [...head.matchAll(/COLOR=.{4}|MATERIAL=.{12}/gs)];
  bytes.fill(0, 0, stlHeadLength);
  let at = 0;
  for (const [part] of parts) at += bytes.write(part, at, 'latin1');
  return bytes;
}

const [jsonChunk, binaryChunk] = [0x4e4f534a, 0x004e4942];

interface Gltf {
  asset?: Record<string, unknown>;
  images?: { bufferView?: number }[];
  bufferViews?: { byteOffset?: number; byteLength?: number }[];
  extensionsUsed?: string[];
}

/** As objects, JSON takes many times its length. */
const maxJsonBytes = 5_000_000;
const maxJsonValues = 500_000;
/** JSON.stringify would overflow the stack on very deep data. */
const maxJsonDepth = 100;
const metadataExtension = 'KHR_xmp_json_ld';

export function cleanGlb(bytes: Buffer): Buffer {
  const chunks = new Map<number, Buffer>();
  for (let at = 12; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at);
    if (end > bytes.length) throw new InvalidFile('brokenFile');
    const type = bytes.readUInt32LE(at + 4);
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, end));
    at = end;
  }
  const [json, binary] = [chunks.get(jsonChunk), chunks.get(binaryChunk)];
  if (!json || json.length > maxJsonBytes || hasTooManyValues(json)) throw new InvalidFile('brokenFile');
  const scene = parseScene(json);
  const { version, minVersion } = scene.asset ?? {};
  scene.asset = { version, minVersion };
  if (Array.isArray(scene.extensionsUsed))
    scene.extensionsUsed = scene.extensionsUsed.filter((name) => name !== metadataExtension);
  if (binary) cleanImages(scene, binary);
  const text = JSON.stringify(scene, (key, value) =>
    key === 'extras' || key === metadataExtension ? undefined : value,
  );
  const padding = ' '.repeat((4 - (Buffer.byteLength(text) % 4)) % 4);
  const parts = [writeChunk(jsonChunk, Buffer.from(text + padding))];
  if (binary) parts.push(writeChunk(binaryChunk, binary));
  const head = Buffer.from('glTF\x02\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt32LE(12 + parts.reduce((sum, { length }) => sum + length, 0), 8);
  return Buffer.concat([head, ...parts]);
}

function parseScene(json: Buffer): Gltf {
  let scene: unknown;
  try {
    scene = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(json));
  } catch {
    throw new InvalidFile('brokenFile');
  }
  if (typeof scene !== 'object' || scene === null || Array.isArray(scene))
    throw new InvalidFile('brokenFile');
  return scene;
}

const [quote, backslash, comma] = ['"', '\\', ','].map((character) => character.charCodeAt(0));
const opening = ['[', '{'].map((character) => character.charCodeAt(0));
const closing = [']', '}'].map((character) => character.charCodeAt(0));

/** Too many or too deep, outside of texts. Whether the JSON is valid, the parser finds out. */
function hasTooManyValues(json: Buffer): boolean {
  let [depth, values, isInText] = [0, 1, false];
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0;
    if (isInText) {
      if (byte === backslash) at++;
      else if (byte === quote) isInText = false;
    } else if (byte === quote) isInText = true;
    else if (byte === comma) values++;
    else if (byte === opening[0] || byte === opening[1]) {
      values++;
      depth++;
    } else if (byte === closing[0] || byte === closing[1]) depth--;
    if (depth > maxJsonDepth || values > maxJsonValues) return true;
  }
  return false;
}

/** They become shorter in their places. */
function cleanImages({ images, bufferViews }: Gltf, binary: Buffer): void {
  if (!Array.isArray(images) || !Array.isArray(bufferViews)) return;
  for (const image of images) {
    const view = bufferViews[image?.bufferView ?? -1];
    if (!view) continue;
    const { byteOffset: start = 0, byteLength: length = 0 } = view;
    const place = binary.subarray(start, start + length);
    const cleaned = cleanPicture(place);
    if (!cleaned) continue;
    place.fill(0, cleaned.length);
    view.byteLength = cleaned.length;
  }
}

function writeChunk(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(content.length);
  head.writeUInt32LE(type, 4);
  return Buffer.concat([head, content]);
}
