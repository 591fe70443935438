// Three-dimensional models: an STL keeps its triangles, a GLB all that is drawn.

import { findExcess, isJsonObject, parseJson } from '../../../common/json.ts';
import { brokenFile } from '../media.ts';
import { stripPicture } from './picture.ts';

const stlHeadLength = 80;

/** Only a colour may stand in the head. */
export function stripStl(bytes: Buffer): Buffer {
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
const metadataExtension = 'KHR_xmp_json_ld';

export function stripGlb(bytes: Buffer): Buffer {
  const chunks = new Map<number, Buffer>();
  for (let at = 12; at + 8 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at);
    if (end > bytes.length) throw brokenFile();
    const type = bytes.readUInt32LE(at + 4);
    if (!chunks.has(type)) chunks.set(type, bytes.subarray(at + 8, end));
    at = end;
  }
  const [json, binary] = [chunks.get(jsonChunk), chunks.get(binaryChunk)];
  if (!json || json.length > maxJsonBytes || findExcess(json, maxJsonValues) !== undefined)
    throw brokenFile();
  const parsed = parseJson(json);
  if (!isJsonObject(parsed)) throw brokenFile();
  const scene: Gltf = parsed;
  const { version, minVersion } = scene.asset ?? {};
  scene.asset = { version, minVersion };
  if (Array.isArray(scene.extensionsUsed))
    scene.extensionsUsed = scene.extensionsUsed.filter((name) => name !== metadataExtension);
  if (binary) stripImages(scene, binary);
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

/** They become shorter in their places. */
function stripImages({ images, bufferViews }: Gltf, binary: Buffer): void {
  if (!Array.isArray(images) || !Array.isArray(bufferViews)) return;
  for (const image of images) {
    const view = bufferViews[image?.bufferView ?? -1];
    if (!view) continue;
    const { byteOffset: start = 0, byteLength: length = 0 } = view;
    const place = binary.subarray(start, start + length);
    const stripped = stripPicture(place);
    if (!stripped) continue;
    place.fill(0, stripped.length);
    view.byteLength = stripped.length;
  }
}

function writeChunk(type: number, content: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(content.length);
  head.writeUInt32LE(type, 4);
  return Buffer.concat([head, content]);
}
