// The WebGPU programs share these functions. They run in node (npm package `webgpu`, which is Dawn), in deno (wgpu) and in a
// browser's page.
export const inDeno = typeof Deno !== 'undefined';
export const inNode = !inDeno && typeof process !== 'undefined';

// The GPU object of this host. node: WEBGPU_PACKAGE names the package's folder.
export async function openGpu() {
  if (!inNode) return navigator.gpu;
  const dawn = await import(`${process.env.WEBGPU_PACKAGE ?? 'webgpu'}/index.js`);
  Object.assign(globalThis, dawn.globals);
  return dawn.create(['backend=vulkan']);
}

export async function openAdapter() {
  const gpu = await openGpu();
  const adapter = await gpu.requestAdapter();
  if (!adapter) throw new Error('no adapter at core level');
  return {gpu, adapter};
}

// A device with everything that the adapter has.
export async function openDevice(adapter) {
  const requiredLimits = {};
  for (const name of limitNames(adapter.limits)) requiredLimits[name] = adapter.limits[name];
  return adapter.requestDevice({requiredFeatures: [...adapter.features], requiredLimits});
}

export function limitNames(limits) {
  const names = [];
  for (const name in limits) names.push(name);
  const own = names.length ? names : Object.getOwnPropertyNames(Object.getPrototypeOf(limits));
  return own.filter((name) => typeof limits[name] === 'number').sort();
}

// Arguments after the program's name, and the end of the process with a status.
export const programArguments = inDeno ? Deno.args : inNode ? process.argv.slice(2) : [];
export function exit(status) {
  if (inDeno) Deno.exit(status);
  if (inNode) process.exit(status);
}

export async function writeFile(path, bytes) {
  if (inDeno) return Deno.writeFileSync(path, bytes);
  if (inNode) return (await import('node:fs')).writeFileSync(path, bytes);
}

// A PPM picture of rows of RGBA8 that lie `pitch` bytes apart.
export function ppm(width, height, pitch, rgba) {
  const head = new TextEncoder().encode(`P6\n${width} ${height}\n255\n`);
  const out = new Uint8Array(head.length + 3 * width * height);
  out.set(head);
  let to = head.length;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (let c = 0; c < 3; c++) out[to++] = rgba[y * pitch + 4 * x + c];
  return out;
}

// Vertices of a triangle that covers the target.
export const kCover = `
@vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
  return vec4f(f32(i & 1u) * 4 - 1, f32(i >> 1u) * 4 - 1, 0.5, 1);
}
`;

// Helpers of a check, around one device.
export class Kit {
  constructor(device) {
    this.device = device;
  }

  buffer(data, usage = 0) {
    const bytes = data.byteLength ?? data;
    const buffer = this.device.createBuffer({
      size: Math.max(16, (bytes + 3) & ~3),
      usage: usage || GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST,
    });
    if (data.byteLength) this.device.queue.writeBuffer(buffer, 0, data);
    return buffer;
  }

  async read(buffer, Type = Uint32Array, bytes = buffer.size) {
    const copy = this.device.createBuffer({size: bytes, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST});
    const encoder = this.device.createCommandEncoder();
    encoder.copyBufferToBuffer(buffer, 0, copy, 0, bytes);
    this.device.queue.submit([encoder.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const result = new Type(copy.getMappedRange().slice(0));
    copy.unmap();
    copy.destroy();
    return result;
  }

  module(code) {
    return this.device.createShaderModule({code});
  }

  bind(pipeline, resources, group = 0) {
    const entries = resources.map((r, binding) => ({
      binding, resource: r instanceof GPUBuffer ? {buffer: r} : r,
    })).filter((entry) => entry.resource !== null);
    return this.device.createBindGroup({layout: pipeline.getBindGroupLayout(group), entries});
  }

  // Runs a compute program once. Binding 0 is the output of `words` 32-bit words, the rest are `resources`.
  async compute(code, {words = 16, resources = [], groups = [1], constants, Type = Uint32Array} = {}) {
    const out = this.buffer(4 * words);
    const pipeline = this.device.createComputePipeline({
      layout: 'auto', compute: {module: this.module(code), entryPoint: 'main', constants},
    });
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.bind(pipeline, [out, ...resources]));
    pass.dispatchWorkgroups(...groups);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
    return this.read(out, Type, 4 * words);
  }

  texture(format, size, usage, more = {}) {
    return this.device.createTexture({format, size, usage, ...more});
  }

  // A texture that holds `data`, rows one after another; of a mip level of one layer.
  write(texture, data, size, {bytesPerRow, rowsPerImage = size[1], mipLevel = 0, origin = [0, 0, 0]} = {}) {
    this.device.queue.writeTexture({texture, mipLevel, origin}, data, {bytesPerRow, rowsPerImage}, size);
  }

  filled(format, size, data, bytesPerRow, more = {}) {
    const texture = this.texture(format, size, GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST | (more.usage ?? 0),
                                 {...more, usage: GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST |
                                                  GPUTextureUsage.COPY_SRC | (more.usage ?? 0)});
    this.write(texture, data, size, {bytesPerRow});
    return texture;
  }

  target(format, width, height, more = {}) {
    return this.texture(format, [width, height], GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC |
                                                     GPUTextureUsage.TEXTURE_BINDING, more);
  }

  // The bytes of a level of a texture, its rows one after another without a gap.
  async texels(texture, bytesPerTexel, {width = texture.width, height = texture.height, layers = 1, mipLevel = 0,
                                        origin = [0, 0, 0], aspect = 'all'} = {}) {
    const pitch = (width * bytesPerTexel + 255) & ~255;
    const buffer = this.buffer(pitch * height * layers);
    const encoder = this.device.createCommandEncoder();
    encoder.copyTextureToBuffer({texture, mipLevel, origin, aspect}, {buffer, bytesPerRow: pitch, rowsPerImage: height},
                                [width, height, layers]);
    this.device.queue.submit([encoder.finish()]);
    const padded = await this.read(buffer, Uint8Array, pitch * height * layers);
    const row = width * bytesPerTexel;
    const out = new Uint8Array(row * height * layers);
    for (let y = 0; y < height * layers; y++) out.set(padded.subarray(y * pitch, y * pitch + row), y * row);
    return out;
  }

  pipeline(code, formats, more = {}) {
    const module = this.module(code);
    const {targets, vertex, fragment, ...rest} = more;
    const list = formats.map((format, i) => ({format, ...(targets?.[i] ?? {})}));
    return this.device.createRenderPipeline({
      layout: 'auto',
      vertex: {module, entryPoint: 'vs', ...vertex},
      fragment: formats.length || fragment ? {module, entryPoint: 'fs', targets: list, ...fragment} : undefined,
      ...rest,
    });
  }

  // One pass: `draw(pass)` between its begin and end. colors: textures or views, or attachments.
  pass(colors, draw, more = {}) {
    const encoder = this.device.createCommandEncoder();
    const pass = encoder.beginRenderPass({
      colorAttachments: colors.map((c) => c.view ? c : {
        view: c instanceof GPUTexture ? c.createView() : c, loadOp: 'clear', storeOp: 'store', clearValue: [0, 0, 0, 0],
      }),
      ...more,
    });
    draw(pass);
    pass.end();
    this.device.queue.submit([encoder.finish()]);
  }

  // Draws a cover with a fragment program to one target of `format` and returns its texels.
  async paint(fragment, {format = 'rgba8unorm', width = 4, height = 4, bytes = 4, resources = [], clear = [0, 0, 0, 0],
                         before = '', pipeline: more = {}} = {}) {
    const target = this.target(format, width, height);
    const pipeline = this.pipeline(before + kCover + fragment, [format], more);
    this.pass([{view: target.createView(), loadOp: 'clear', storeOp: 'store', clearValue: clear}], (pass) => {
      pass.setPipeline(pipeline);
      if (resources.length) pass.setBindGroup(0, this.bind(pipeline, resources));
      pass.draw(3);
    });
    return this.texels(target, bytes);
  }
}

export function same(got, wanted, what = '') {
  const a = [...got], b = [...wanted];
  const wrong = b.findIndex((value, i) => !Object.is(a[i], value) && a[i] !== value);
  if (wrong >= 0 || a.length < b.length)
    throw new Error(`${what} [${wrong}]: ${a[wrong]} instead of ${b[wrong]} (${a.slice(0, 16)} instead of ${b.slice(0, 16)})`);
}

export function near(got, wanted, most, what = '') {
  const a = [...got];
  wanted.forEach((value, i) => {
    if (!(Math.abs(a[i] - value) <= most)) throw new Error(`${what} [${i}]: ${a[i]} instead of ${value} (${a.slice(0, 16)})`);
  });
}
