// Draws a model with WebGL, and turns it by mouse, finger and keys. It turns once by itself, unless the viewer wants no motion.

const vertexShader = `
  attribute vec3 corner, normal, color;
  uniform vec2 turn;
  uniform float distance, aspect;
  varying vec3 shade;
  vec3 rotate(vec3 p) {
    vec2 s = sin(turn), c = cos(turn);
    p = vec3(c.x * p.x + s.x * p.z, p.y, c.x * p.z - s.x * p.x);
    return vec3(p.x, c.y * p.y - s.y * p.z, s.y * p.y + c.y * p.z);
  }
  void main() {
    vec3 p = rotate(corner);
    float z = p.z - distance;
    gl_Position = vec4(2.2 * p.x / aspect, 2.2 * p.y, -1.02 * z - 0.2, -z);
    float light = dot(rotate(normal), normalize(vec3(-0.4, 0.7, 0.8)));
    shade = color * (0.45 + 0.6 * max(light, -0.3 * light));
  }`;
const fragmentShader = `
  precision mediump float;
  varying vec3 shade;
  void main() { gl_FragColor = vec4(shade, 1.0); }`;

const pitchLimit = Math.PI / 2;
const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

/** The canvas; throws if the browser has no WebGL. */
export function showModel({ corners, colors }) {
  const canvas = document.createElement('canvas');
  canvas.tabIndex = 0;
  canvas.role = 'img';
  const gl = canvas.getContext('webgl', { antialias: true });
  const program = prepareProgram(gl);
  const attributes = { corner: corners, normal: flatNormals(corners), color: colors };
  for (const [name, values] of Object.entries(attributes)) {
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.STATIC_DRAW);
    const location = gl.getAttribLocation(program, name);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, 3, gl.FLOAT, false, 0, 0);
  }
  gl.enable(gl.DEPTH_TEST);
  const place = { yaw: -0.6, pitch: 0.45, distance: 2.7 };
  const uniform = (name) => gl.getUniformLocation(program, name);
  const [turn, distance, aspect] = ['turn', 'distance', 'aspect'].map(uniform);
  const draw = () => {
    canvas.width = canvas.clientWidth * devicePixelRatio;
    canvas.height = canvas.clientHeight * devicePixelRatio;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.uniform2f(turn, place.yaw, place.pitch);
    gl.uniform1f(distance, place.distance);
    gl.uniform1f(aspect, canvas.width / canvas.height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.drawArrays(gl.TRIANGLES, 0, corners.length / 3);
  };
  enableTurning(canvas, place, draw);
  new ResizeObserver(draw).observe(canvas);
  return canvas;
}

function prepareProgram(gl) {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexShader],
    [gl.FRAGMENT_SHADER, fragmentShader],
  ]) {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  gl.useProgram(program);
  return program;
}

/** At right angles to each triangle. */
function flatNormals(corners) {
  const normals = new Float32Array(corners.length);
  for (let start = 0; start < corners.length; start += 9) {
    const side = (corner, axis) => corners[start + 3 * corner + axis] - corners[start + axis];
    const cross = [0, 1, 2].map((axis) => {
      const [next, last] = [(axis + 1) % 3, (axis + 2) % 3];
      return side(1, next) * side(2, last) - side(1, last) * side(2, next);
    });
    const length = Math.hypot(...cross) || 1;
    for (let index = 0; index < 9; index++) normals[start + index] = cross[index % 3] / length;
  }
  return normals;
}

function enableTurning(canvas, place, draw) {
  let isTouched = matchMedia('(prefers-reduced-motion: reduce)').matches;
  const turnBy = (yaw, pitch, zoom = 1) => {
    isTouched = true;
    place.yaw += yaw;
    place.pitch = clamp(place.pitch + pitch, -pitchLimit, pitchLimit);
    place.distance = clamp(place.distance * zoom, 1.3, 12);
    draw();
  };
  canvas.addEventListener('pointerdown', ({ pointerId }) => canvas.setPointerCapture(pointerId));
  canvas.addEventListener('pointermove', ({ pointerId, movementX, movementY }) => {
    if (canvas.hasPointerCapture(pointerId)) turnBy(movementX / 100, movementY / 100);
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      turnBy(0, 0, event.deltaY > 0 ? 1.1 : 0.9);
    },
    { passive: false },
  );
  const steps = {
    ArrowLeft: [-0.15, 0],
    ArrowRight: [0.15, 0],
    ArrowUp: [0, -0.15],
    ArrowDown: [0, 0.15],
    '+': [0, 0, 0.9],
    '-': [0, 0, 1.1],
  };
  canvas.addEventListener('keydown', (event) => {
    if (!(event.key in steps) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    turnBy(...steps[event.key]);
  });
  const start = performance.now();
  const turnOnce = (now) => {
    if (isTouched || now - start > 6000) return;
    place.yaw = -0.6 + (Math.max(0, now - start) / 6000) * 2 * Math.PI;
    draw();
    requestAnimationFrame(turnOnce);
  };
  requestAnimationFrame(turnOnce);
}
