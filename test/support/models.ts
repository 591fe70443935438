// Generates models for tests: a cube.

const corners = Array.from({ length: 8 }, (_, index) => [index & 1, (index >> 1) & 1, index >> 2] as const);
const sides = [
  [0, 2, 3, 0, 3, 1],
  [4, 5, 7, 4, 7, 6],
  [0, 1, 5, 0, 5, 4],
  [2, 6, 7, 2, 7, 3],
  [0, 4, 6, 0, 6, 2],
  [1, 3, 7, 1, 7, 5],
];
const indices = sides.flat();
const triangles = Array.from({ length: indices.length / 3 }, (_, index) =>
  indices.slice(3 * index, 3 * index + 3).map((corner) => corners[corner] ?? [0, 0, 0]),
);

export function cubeStl(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(84 + 50 * triangles.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(80, triangles.length, true);
  for (const [index, triangle] of triangles.entries())
    for (const [place, value] of triangle.flat().entries())
      view.setFloat32(84 + 50 * index + 12 + 4 * place, value, true);
  return bytes;
}

export function cubeText(): string {
  const loops = triangles.map(
    (triangle) =>
      `facet normal 0 0 0\nouter loop\n${triangle.map((corner) => `vertex ${corner.join(' ')}\n`).join('')}endloop\nendfacet\n`,
  );
  return `solid cube\n${loops.join('')}endsolid cube\n`;
}

export function cubeGlb(): Uint8Array<ArrayBuffer> {
  const positions = new Uint8Array(Float32Array.from(corners.flat()).buffer);
  const numbers = Buffer.from(Uint16Array.from(indices).buffer);
  const content = Buffer.concat([positions, numbers]);
  const json = JSON.stringify({
    asset: { version: '2.0' },
    scenes: [{ nodes: [0] }],
    nodes: [
      { children: [1], scale: [2, 1, 1] },
      { mesh: 0, rotation: [0, 0.3826834, 0, 0.9238795] },
    ],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorFactor: [0.2, 0.5, 0.8, 1] } }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: 8, type: 'VEC3' },
      { bufferView: 1, componentType: 5123, count: indices.length, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteLength: positions.length },
      { buffer: 0, byteOffset: positions.length, byteLength: numbers.length },
    ],
    buffers: [{ byteLength: content.length }],
  });
  const text = Buffer.from(json.padEnd(Math.ceil(json.length / 4) * 4));
  const header = Buffer.alloc(20);
  header.write('glTF', 'latin1');
  header.writeUInt32LE(2, 4);
  header.writeUInt32LE(28 + text.length + content.length, 8);
  header.writeUInt32LE(text.length, 12);
  header.write('JSON', 16, 'latin1');
  const chunk = Buffer.alloc(8);
  chunk.writeUInt32LE(content.length);
  chunk.write('BIN\0', 4, 'latin1');
  return Uint8Array.from(Buffer.concat([header, text, chunk, content]));
}
