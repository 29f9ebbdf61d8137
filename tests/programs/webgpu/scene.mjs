// A picture without a window: compute passes make a texture, its levels and where the boxes stand; a pass of four
// samples draws them before a sky, from a cube map; a compute pass counts the picture's brightness. What comes back is
// checked.
//   node scene.mjs [PICTURE.ppm]     deno run -A --unstable-webgpu scene.mjs [PICTURE.ppm]
import {Kit, exit, inDeno, inNode, limitNames, openAdapter, openDevice, ppm, programArguments, same, writeFile} from './harness.mjs';

const kWidth = 320, kHeight = 240, kBoxes = 25, kSize = 128, kLevels = 8, kSky = 16;

const kPaint = `
@group(0) @binding(0) var picture: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) at: vec3u) {
  // Bricks of 32 x 16 texels, every second row moved by half of one, with a joint of 2 texels.
  let row = at.y / 16;
  let x = at.x + 16 * (row & 1);
  let brick = (x / 32) * 7 + row * 13;
  let joint = at.y % 16 < 2 || x % 32 < 2;
  let shade = f32(brick % 5) * 0.08 + f32((at.x * 5 + at.y * 3) % 7) * 0.01;
  textureStore(picture, at.xy, select(vec4f(0.55 + shade, 0.25 + 0.5 * shade, 0.2, 1), vec4f(0.76, 0.72, 0.6, 1), joint));
}`;

const kHalve = `
@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var to: texture_storage_2d<rgba8unorm, write>;
@compute @workgroup_size(8, 8) fn main(@builtin(global_invocation_id) at: vec3u) {
  let size = textureDimensions(to);
  if (any(at.xy >= size)) { return; }
  let p = 2 * at.xy;
  textureStore(to, at.xy, 0.25 * (textureLoad(source, p, 0) + textureLoad(source, p + vec2u(1, 0), 0) +
                                  textureLoad(source, p + vec2u(0, 1), 0) + textureLoad(source, p + vec2u(1, 1), 0)));
}`;

const kPlace = `
struct Box { turn: vec4f, place: vec4f }
@group(0) @binding(0) var<storage, read_write> boxes: array<Box>;
@compute @workgroup_size(32) fn main(@builtin(global_invocation_id) at: vec3u) {
  if (at.x >= arrayLength(&boxes)) { return; }
  let x = f32(at.x % 5) - 2; let z = f32(at.x / 5);
  let angle = 0.3 * f32(at.x);
  boxes[at.x] = Box(vec4f(cos(angle), sin(angle), 0, 0), vec4f(2.2 * x, 0.4 * f32((at.x * 7) % 5) - 1.6, 5 + 2.2 * z, 0.8));
}`;

const kDraw = `
struct Box { turn: vec4f, place: vec4f }
struct Scene { sun: vec4f, scale: vec4f }
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var<storage, read> boxes: array<Box>;
@group(0) @binding(2) var bricks: texture_2d<f32>;
@group(0) @binding(3) var smooth_: sampler;
@group(0) @binding(4) var sky: texture_cube<f32>;

struct V { @builtin(position) p: vec4f, @location(0) uv: vec2f, @location(1) normal: vec3f, @location(2) view: vec3f }

@vertex fn box_vertex(@location(0) p: vec3f, @location(1) normal: vec3f, @location(2) uv: vec2f, @builtin(instance_index) i: u32) -> V {
  let box = boxes[i];
  let c = box.turn.x; let s = box.turn.y;
  let turn = mat3x3f(c, 0, -s, 0, 1, 0, s, 0, c);
  let at = turn * p * box.place.w + box.place.xyz;
  return V(vec4f(at.xy * scene.scale.xy, at.z * scene.scale.z + scene.scale.w, at.z), uv, turn * normal, at);
}
@fragment fn box_fragment(v: V) -> @location(0) vec4f {
  let light = 0.3 + 0.7 * max(dot(normalize(v.normal), scene.sun.xyz), 0);
  let mirror = textureSample(sky, smooth_, reflect(v.view, v.normal)).rgb;
  return vec4f(mix(textureSample(bricks, smooth_, v.uv).rgb * light, mirror, 0.15), 1);
}

@vertex fn sky_vertex(@builtin(vertex_index) i: u32) -> V {
  let p = vec2f(f32(i & 1u) * 4 - 1, f32(i >> 1u) * 4 - 1);
  return V(vec4f(p, 1, 1), p, vec3f(), vec3f(p / scene.scale.xy, 1));
}
@fragment fn sky_fragment(v: V) -> @location(0) vec4f { return textureSample(sky, smooth_, v.view); }`;

const kCount = `
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> bins: array<atomic<u32>, 16>;
var<workgroup> part: array<atomic<u32>, 16>;
@compute @workgroup_size(16, 16) fn main(@builtin(global_invocation_id) at: vec3u, @builtin(local_invocation_index) i: u32) {
  if (all(at.xy < textureDimensions(picture))) {
    let texel = vec3u(textureLoad(picture, at.xy, 0).rgb * 255 + 0.5);
    atomicAdd(&part[(texel.x + 2 * texel.y + texel.z) / 64], 1);
  }
  workgroupBarrier();
  if (i < 16) { atomicAdd(&bins[i], atomicLoad(&part[i])); }
}`;

// Six faces of four vertices: place, normal, texture coordinates.
function boxMesh() {
  const vertices = [], indices = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1]) {
      const first = vertices.length / 8;
      for (const [u, v] of [[0, 0], [1, 0], [1, 1], [0, 1]]) {
        const place = [0, 0, 0], normal = [0, 0, 0];
        place[axis] = side, place[(axis + 1) % 3] = 2 * u - 1, place[(axis + 2) % 3] = (2 * v - 1) * side;
        normal[axis] = side;
        vertices.push(...place, ...normal, u, v);
      }
      indices.push(...[0, 1, 2, 0, 2, 3].map((i) => first + i));
    }
  return {vertices: new Float32Array(vertices), indices: new Uint16Array(indices)};
}

// A sky that grows lighter downwards, with a face's own tint.
function skyFace(face) {
  const data = new Uint8Array(kSky * kSky * 4);
  for (let y = 0; y < kSky; y++)
    for (let x = 0; x < kSky; x++) {
      const down = face === 2 ? 0 : face === 3 ? 15 : y;
      data.set([60 + 8 * down, 100 + 6 * down + 2 * face, 200 + 3 * down, 255], 4 * (y * kSky + x));
    }
  return data;
}

class Picture {
  constructor(device) {
    this.kit = new Kit(device);
    this.device = device;
  }

  computePass(code, resources, groups) {
    const pipeline = this.device.createComputePipeline({layout: 'auto', compute: {module: this.kit.module(code), entryPoint: 'main'}});
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.kit.bind(pipeline, resources));
    pass.dispatchWorkgroups(...groups);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  makeTextures() {
    const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC;
    this.bricks = this.kit.texture('rgba8unorm', [kSize, kSize], usage, {mipLevelCount: kLevels});
    const level = (i) => this.bricks.createView({baseMipLevel: i, mipLevelCount: 1});
    this.computePass(kPaint, [level(0)], [kSize / 8, kSize / 8]);
    for (let i = 1; i < kLevels; i++) {
      const groups = Math.ceil((kSize >> i) / 8);
      this.computePass(kHalve, [level(i - 1), level(i)], [groups, groups]);
    }
    this.sky = this.kit.texture('rgba8unorm', [kSky, kSky, 6], GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST);
    for (let face = 0; face < 6; face++)
      this.kit.write(this.sky, skyFace(face), [kSky, kSky, 1], {bytesPerRow: 4 * kSky, origin: [0, 0, face]});
    this.boxes = this.kit.buffer(32 * kBoxes);
    this.computePass(kPlace, [this.boxes], [1]);
  }

  pipeline(module, vertex, fragment, buffers, depth) {
    return this.device.createRenderPipeline({
      layout: 'auto', vertex: {module, entryPoint: vertex, buffers},
      fragment: {module, entryPoint: fragment, targets: [{format: 'rgba8unorm'}]},
      primitive: {cullMode: buffers.length ? 'front' : 'none'},
      depthStencil: {format: 'depth24plus', ...depth}, multisample: {count: 4},
    });
  }

  draw() {
    const {device, kit} = this;
    const module = kit.module(kDraw);
    const near = 1, far = 40;
    const uniform = kit.buffer(new Float32Array([0.48, 0.6, -0.64, 0, 1.35 * kHeight / kWidth, 1.35, far / (far - near), -near * far / (far - near)]),
                               GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST);
    const mesh = boxMesh();
    const vertices = kit.buffer(mesh.vertices, GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST);
    const indices = kit.buffer(mesh.indices, GPUBufferUsage.INDEX | GPUBufferUsage.COPY_DST);
    const boxes = this.pipeline(module, 'box_vertex', 'box_fragment', [{arrayStride: 32, attributes: [
      {shaderLocation: 0, offset: 0, format: 'float32x3'}, {shaderLocation: 1, offset: 12, format: 'float32x3'},
      {shaderLocation: 2, offset: 24, format: 'float32x2'}]}], {depthWriteEnabled: true, depthCompare: 'less'});
    const sky = this.pipeline(module, 'sky_vertex', 'sky_fragment', [], {depthWriteEnabled: false, depthCompare: 'less-equal'});
    const sampler = device.createSampler({magFilter: 'linear', minFilter: 'linear', mipmapFilter: 'linear', addressModeU: 'repeat', addressModeV: 'repeat'});
    const cube = this.sky.createView({dimension: 'cube'});
    const many = kit.texture('rgba8unorm', [kWidth, kHeight], GPUTextureUsage.RENDER_ATTACHMENT, {sampleCount: 4});
    const depth = kit.texture('depth24plus', [kWidth, kHeight], GPUTextureUsage.RENDER_ATTACHMENT, {sampleCount: 4});
    this.target = kit.target('rgba8unorm', kWidth, kHeight);
    kit.pass([{view: many.createView(), resolveTarget: this.target.createView(), loadOp: 'clear', storeOp: 'discard', clearValue: [0, 0, 0, 1]}], (pass) => {
      pass.setPipeline(boxes);
      pass.setBindGroup(0, kit.bind(boxes, [uniform, this.boxes, this.bricks.createView(), sampler, cube]));
      pass.setVertexBuffer(0, vertices);
      pass.setIndexBuffer(indices, 'uint16');
      pass.drawIndexed(mesh.indices.length, kBoxes);
      pass.setPipeline(sky);
      pass.setBindGroup(0, kit.bind(sky, [uniform, null, null, sampler, cube]));
      pass.draw(3);
    }, {depthStencilAttachment: {view: depth.createView(), depthLoadOp: 'clear', depthClearValue: 1, depthStoreOp: 'discard'}});
    this.bins = kit.buffer(64);
    this.computePass(kCount, [this.target.createView(), this.bins], [Math.ceil(kWidth / 16), Math.ceil(kHeight / 16)]);
  }

  // Compares the texture with values by hand, and the counts with the picture that came back.
  async check() {
    const bricks = await this.kit.texels(this.bricks, 4, {width: kSize, height: kSize});
    const texel = (x, y) => [...bricks.subarray(4 * (y * kSize + x), 4 * (y * kSize + x) + 4)];
    same(texel(5, 1), [194, 184, 153, 255], 'a joint');
    // (40, 20) lies in row 1, moved to 56: brick 7 + 13 = 20, shade 0 and (200 + 60) % 7 = 1 hundredth: 0.56, 0.255, 0.2.
    same(texel(40, 20), [143, 65, 51, 255], 'a brick');
    const last = await this.kit.texels(this.bricks, 4, {width: 1, height: 1, mipLevel: kLevels - 1});
    const mean = [0, 1, 2].map((c) => bricks.filter((_, i) => i % 4 === c).reduce((a, b) => a + b, 0) / (kSize * kSize));
    mean.forEach((value, c) => { if (Math.abs(last[c] - value) > 4) throw new Error(`last level: ${last[c]}, the mean is ${value}`); });
    const picture = await this.kit.texels(this.target, 4);
    const bins = new Array(16).fill(0);
    for (let i = 0; i < picture.length; i += 4) bins[Math.floor((picture[i] + 2 * picture[i + 1] + picture[i + 2]) / 64)]++;
    same(await this.kit.read(this.bins, Uint32Array), bins, 'counts');
    return picture;
  }
}

export async function drawScene(print) {
  const {gpu, adapter} = await openAdapter();
  const info = adapter.info;
  print(`adapter: ${[info.vendor, info.architecture, info.device, info.description].filter((part) => part).join(', ')}`);
  print(`features: ${[...adapter.features].sort().join(' ')}`);
  print(`limits: ${limitNames(adapter.limits).map((name) => `${name} ${adapter.limits[name]}`).join(', ')}`);
  const device = await openDevice(adapter);
  let wrong = '';
  device.onuncapturederror = (event) => { wrong ||= event.error.message; };
  const picture = new Picture(device);
  picture.makeTextures();
  picture.draw();
  const pixels = await picture.check();
  if (wrong) throw new Error(wrong);
  print('the texture, its levels and the counts of the picture are right');
  device.destroy();
  return {gpu, width: kWidth, height: kHeight, pixels};
}

if (inDeno || inNode) {
  const {width, height, pixels} = await drawScene(console.log);
  if (programArguments[0]) await writeFile(programArguments[0], ppm(width, height, 4 * width, pixels));
  exit(0);
}
