// Reads models: STL as text or binary, and the triangles and base colours of GLB. Throws for files that are broken or need
// more than that.

const defaultColor = [0.86, 0.62, 0.3];
const maxTriangles = 2_000_000;
/** Nodes can share children: without a limit, a small file has any number of them. */
const maxNodes = 10_000;

/** Three corners for each triangle, around the origin, not farther away from it than 1. */
export function readModel(buffer) {
  const view = new DataView(buffer);
  const isGlb = buffer.byteLength >= 20 && view.getUint32(0, true) === 0x46546c67;
  const { corners, colors } = isGlb ? readGlb(buffer, view) : readStl(buffer, view);
  if (corners.length === 0) throw new Error('no triangles');
  if (!corners.every(Number.isFinite)) throw new Error('a coordinate is not a number');
  return { corners: center(Float32Array.from(corners)), colors: Float32Array.from(colors) };
}

function readStl(buffer, view) {
  const count = buffer.byteLength >= 84 ? view.getUint32(80, true) : -1;
  const corners = buffer.byteLength === 84 + 50 * count ? readBinary(view, count) : readText(buffer);
  requireFew(corners.length / 9);
  const colors = new Float32Array(corners.length);
  for (let index = 0; index < colors.length; index++) colors[index] = defaultColor[index % 3];
  // In STL, up is the third axis.
  for (let index = 0; index < corners.length; index += 3)
    [corners[index + 1], corners[index + 2]] = [corners[index + 2], -corners[index + 1]];
  return { corners, colors };
}

function readBinary(view, count) {
  requireFew(count);
  const corners = new Float32Array(9 * count);
  for (let triangle = 0; triangle < count; triangle++)
    // After 84 bytes and the normal.
    for (let index = 0; index < 9; index++)
      corners[9 * triangle + index] = view.getFloat32(96 + 50 * triangle + 4 * index, true);
  return corners;
}

function readText(buffer) {
  const text = new TextDecoder().decode(buffer);
  const corners = [];
  for (const [, x, y, z] of text.matchAll(/\bvertex\s+(\S+)\s+(\S+)\s+(\S+)/g))
    corners.push(Number(x), Number(y), Number(z));
  return corners.slice(0, corners.length - (corners.length % 9));
}

function requireFew(triangles) {
  if (triangles > maxTriangles) throw new Error('too many triangles');
}

function readGlb(buffer, view) {
  const jsonLength = view.getUint32(12, true);
  const json = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 20, jsonLength)));
  const gltf = { json, binary: new DataView(buffer, Math.min(28 + jsonLength, buffer.byteLength)) };
  const model = { corners: [], colors: [] };
  let nodes = 0;
  const visit = (index, parent) => {
    if (++nodes > maxNodes) throw new Error('too many nodes');
    const node = json.nodes[index];
    const matrix = multiply(parent, toMatrix(node));
    for (const primitive of json.meshes?.[node.mesh]?.primitives ?? [])
      addPrimitive(gltf, primitive, matrix, model);
    for (const child of node.children ?? []) visit(child, matrix);
  };
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  for (const root of json.scenes[json.scene ?? 0].nodes ?? []) visit(root, identity);
  return model;
}

function addPrimitive({ json, binary }, primitive, matrix, { corners, colors }) {
  // 4 is a list of triangles.
  if ((primitive.mode ?? 4) !== 4) return;
  const positions = readAccessor(json, binary, primitive.attributes.POSITION);
  const indices =
    primitive.indices === undefined
      ? Array.from({ length: positions.length / 3 }, (_, index) => index)
      : readAccessor(json, binary, primitive.indices);
  requireFew((corners.length + 3 * indices.length) / 9);
  const material = json.materials?.[primitive.material]?.pbrMetallicRoughness;
  const color = material?.baseColorFactor ?? (material ? [0.9, 0.9, 0.9] : defaultColor);
  for (const index of indices) {
    const [x, y, z] = positions.slice(3 * index, 3 * index + 3);
    for (let row = 0; row < 3; row++)
      corners.push(matrix[row] * x + matrix[4 + row] * y + matrix[8 + row] * z + matrix[12 + row]);
    colors.push(color[0], color[1], color[2]);
  }
}

const readers = {
  5121: [1, (view, offset) => view.getUint8(offset)],
  5123: [2, (view, offset) => view.getUint16(offset, true)],
  5125: [4, (view, offset) => view.getUint32(offset, true)],
  5126: [4, (view, offset) => view.getFloat32(offset, true)],
};

function readAccessor(json, binary, index) {
  const { bufferView, byteOffset = 0, componentType, count, type, sparse } = json.accessors[index];
  const place = json.bufferViews[bufferView];
  // Compressed and sparse data needs more than this reader.
  if (sparse || !place || place.buffer !== 0) throw new Error('unknown data');
  const [size, read] = readers[componentType];
  const width = type === 'VEC3' ? 3 : 1;
  requireFew(count / 3);
  const start = (place.byteOffset ?? 0) + byteOffset;
  const stride = place.byteStride ?? width * size;
  return Array.from({ length: count * width }, (_, position) =>
    read(binary, start + Math.floor(position / width) * stride + (position % width) * size),
  );
}

/** Columns, one after the other. */
function toMatrix({ matrix, translation = [0, 0, 0], rotation = [0, 0, 0, 1], scale = [1, 1, 1] }) {
  if (matrix) return matrix;
  const [x, y, z, w] = rotation;
  const turned = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  const columns = turned.flatMap((column, index) => [...column.map((value) => value * scale[index]), 0]);
  return [...columns, ...translation, 1];
}

function multiply(a, b) {
  return Array.from({ length: 16 }, (_, index) => {
    const [row, column] = [index % 4, index - (index % 4)];
    return [0, 1, 2, 3].reduce((sum, step) => sum + a[4 * step + row] * b[column + step], 0);
  });
}

function center(corners) {
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (const [index, value] of corners.entries()) {
    low[index % 3] = Math.min(low[index % 3], value);
    high[index % 3] = Math.max(high[index % 3], value);
  }
  const radius = Math.hypot(...high.map((value, axis) => value - low[axis])) / 2 || 1;
  return corners.map((value, index) => (value - (low[index % 3] + high[index % 3]) / 2) / radius);
}
