// Checks of queries, bundles and features; every value is worked out by hand.
import {kCover, near, same} from './harness.mjs';

const kWhite = '@fragment fn fs() -> @location(0) vec4f { return vec4f(1); }';
const fill = (count, texel) => new Array(count).fill(texel).flat();

async function resolved(kit, set, count) {
  const buffer = kit.device.createBuffer({size: 256, usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC});
  const encoder = kit.device.createCommandEncoder();
  encoder.resolveQuerySet(set, 0, count, buffer, 0);
  kit.device.queue.submit([encoder.finish()]);
  return kit.read(buffer, BigUint64Array, 8 * count);
}

export const pipelineChecks = {
  'query: occlusion': {
    async run(kit) {
      const set = kit.device.createQuerySet({type: 'occlusion', count: 3});
      const depth = kit.texture('depth24plus', [4, 4], GPUTextureUsage.RENDER_ATTACHMENT);
      const target = kit.target('rgba8unorm', 4, 4);
      const pipeline = kit.pipeline(kCover + kWhite, ['rgba8unorm'],
                                    {depthStencil: {format: 'depth24plus', depthWriteEnabled: true, depthCompare: 'less'}});
      kit.pass([target], (pass) => {
        pass.setPipeline(pipeline);
        pass.setScissorRect(0, 0, 3, 2);
        pass.beginOcclusionQuery(0); pass.draw(3); pass.endOcclusionQuery();
        pass.beginOcclusionQuery(1); pass.draw(3); pass.endOcclusionQuery();  // as deep: hidden
        pass.setScissorRect(0, 0, 4, 4);
        pass.beginOcclusionQuery(2); pass.draw(3); pass.endOcclusionQuery();
      }, {occlusionQuerySet: set, depthStencilAttachment: {view: depth.createView(), depthLoadOp: 'clear', depthClearValue: 1, depthStoreOp: 'discard'}});
      same([...await resolved(kit, set, 3)].map((n) => n > 0n), [true, false, true]);
    },
  },
  'query: timestamps': {
    needs: ['timestamp-query'],
    async run(kit) {
      const set = kit.device.createQuerySet({type: 'timestamp', count: 4});
      const target = kit.target('rgba8unorm', 64, 64);
      const pipeline = kit.pipeline(kCover + kWhite, ['rgba8unorm']);
      kit.pass([target], (pass) => { pass.setPipeline(pipeline); pass.draw(3); },
               {timestampWrites: {querySet: set, beginningOfPassWriteIndex: 0, endOfPassWriteIndex: 1}});
      const compute = kit.device.createComputePipeline({layout: 'auto', compute: {module: kit.module('@compute @workgroup_size(1) fn main() {}'), entryPoint: 'main'}});
      const encoder = kit.device.createCommandEncoder();
      const pass = encoder.beginComputePass({timestampWrites: {querySet: set, beginningOfPassWriteIndex: 2, endOfPassWriteIndex: 3}});
      pass.setPipeline(compute); pass.dispatchWorkgroups(4); pass.end();
      kit.device.queue.submit([encoder.finish()]);
      const [a, b, c, d] = await resolved(kit, set, 4);
      if (!(a <= b && b <= c && c <= d)) throw new Error(`${a} ${b} ${c} ${d} go backwards`);
    },
  },
  'bundle: draws of bundles': {
    async run(kit) {
      const {device} = kit;
      const pipeline = kit.pipeline(`
        @vertex fn vs(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f { return vec4f((f32(v) + 0.5) / 2 - 1, 0, 0, 1); }
        @group(0) @binding(0) var<uniform> c: vec4f;
        @fragment fn fs() -> @location(0) vec4f { return c; }`, ['rgba8unorm'], {primitive: {topology: 'point-list'}});
      const colors = [[1, 0, 0, 1], [0, 1, 0, 1]].map((c) => kit.bind(pipeline, [
        kit.buffer(new Float32Array(c), GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST)]));
      const bundles = [[0, 0], [1, 2]].map(([color, first]) => {
        const encoder = device.createRenderBundleEncoder({colorFormats: ['rgba8unorm']});
        encoder.setPipeline(pipeline);
        encoder.setBindGroup(0, colors[color]);
        encoder.draw(1, 1, first);
        return encoder.finish();
      });
      const target = kit.target('rgba8unorm', 4, 1);
      kit.pass([target], (pass) => {
        pass.executeBundles(bundles);
        pass.setPipeline(pipeline); pass.setBindGroup(0, colors[1]); pass.draw(1, 1, 3);
      });
      same(await kit.texels(target, 4), [255, 0, 0, 255, 0, 0, 0, 0, 0, 255, 0, 255, 0, 255, 0, 255]);
    },
  },
  'pass: levels and layers as targets, load and store': {
    async run(kit) {
      const texture = kit.texture('rgba8unorm', [4, 4, 3], GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC, {mipLevelCount: 3});
      const view = texture.createView({baseMipLevel: 1, mipLevelCount: 1, baseArrayLayer: 2, arrayLayerCount: 1, dimension: '2d'});
      const pipeline = kit.pipeline(kCover + '@fragment fn fs() -> @location(0) vec4f { return vec4f(0.2, 0.4, 0.6, 0.8); }', ['rgba8unorm']);
      kit.pass([{view, loadOp: 'clear', storeOp: 'store', clearValue: [1, 0, 1, 0]}], () => {});
      kit.pass([{view, loadOp: 'load', storeOp: 'store'}], (pass) => {
        pass.setPipeline(pipeline); pass.setScissorRect(0, 0, 1, 2); pass.draw(3);
      });
      const row = [51, 102, 153, 204, 255, 0, 255, 0];
      same(await kit.texels(texture, 4, {width: 2, height: 2, mipLevel: 1, origin: [0, 0, 2]}), [...row, ...row]);
      same(await kit.texels(texture, 4, {width: 2, height: 2, mipLevel: 1, origin: [0, 0, 1]}), new Array(16).fill(0));
    },
  },
  'pass: targets of slices of volumes': {
    async run(kit) {
      const volume = kit.texture('rgba8unorm', [2, 2, 3], GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC, {dimension: '3d'});
      kit.pass([{view: volume.createView(), depthSlice: 1, loadOp: 'clear', storeOp: 'store', clearValue: [1, 0, 0.2, 1]}], () => {});
      same(await kit.texels(volume, 4, {layers: 3}), [...new Array(16).fill(0), ...fill(4, [255, 0, 51, 255]), ...new Array(16).fill(0)]);
    },
  },
  'pass: depth is copied and read': {
    async run(kit) {
      const depth = kit.target('depth32float', 2, 2);
      kit.pass([], () => {}, {depthStencilAttachment: {view: depth.createView(), depthLoadOp: 'clear', depthClearValue: 0.375, depthStoreOp: 'store'}});
      same(new Float32Array((await kit.texels(depth, 4, {aspect: 'depth-only'})).buffer), fill(4, [0.375]));
      // Read-only depth that is sampled in the pass that tests against it.
      const target = kit.target('rgba8unorm', 2, 2);
      const pipeline = kit.pipeline(kCover + `@group(0) @binding(0) var t: texture_depth_2d;
        @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { return vec4f(textureLoad(t, vec2u(p.xy), 0) * 1.6); }`,
        ['rgba8unorm'], {depthStencil: {format: 'depth32float', depthWriteEnabled: false, depthCompare: 'greater'}});
      kit.pass([target], (pass) => { pass.setPipeline(pipeline); pass.setBindGroup(0, kit.bind(pipeline, [depth.createView()])); pass.draw(3); },
               {depthStencilAttachment: {view: depth.createView(), depthReadOnly: true}});
      near(await kit.texels(target, 4), new Array(16).fill(153), 0.6);
    },
  },
  'feature: clip distances': {
    needs: ['clip-distances'],
    async run(kit) {
      const target = kit.target('r8unorm', 8, 1);
      const pipeline = kit.pipeline(`enable clip_distances;
        struct V { @builtin(position) p: vec4f, @builtin(clip_distances) d: array<f32, 2> }
        @vertex fn vs(@builtin(vertex_index) i: u32) -> V {
          let p = vec2f(f32(i & 1u) * 4 - 1, f32(i >> 1u) * 4 - 1);
          return V(vec4f(p, 0, 1), array<f32, 2>(p.x + 0.5, 0.25 - p.x));
        }` + kWhite, ['r8unorm']);
      kit.pass([target], (pass) => { pass.setPipeline(pipeline); pass.draw(3); });
      same(await kit.texels(target, 1), [0, 0, 255, 255, 255, 0, 0, 0]);
    },
  },
  'feature: depth that is not clipped': {
    needs: ['depth-clip-control'],
    async run(kit) {
      const run = async (unclippedDepth) => {
        const depth = kit.target('depth32float', 1, 1);
        const pipeline = kit.pipeline(`
          @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
            return vec4f(f32(i & 1u) * 4 - 1, f32(i >> 1u) * 4 - 1, 1.5, 1);
          }`, [], {primitive: {unclippedDepth}, depthStencil: {format: 'depth32float', depthWriteEnabled: true, depthCompare: 'always'}});
        kit.pass([], (pass) => { pass.setPipeline(pipeline); pass.draw(3); },
                 {depthStencilAttachment: {view: depth.createView(), depthLoadOp: 'clear', depthClearValue: 0.25, depthStoreOp: 'store'}});
        return new Float32Array((await kit.texels(depth, 4, {aspect: 'depth-only'})).buffer)[0];
      };
      same([await run(false), await run(true)], [0.25, 1]);
    },
  },
  'feature: index of the primitive': {
    needs: ['primitive-index'],
    async run(kit) {
      const target = kit.target('r32uint', 4, 1);
      const pipeline = kit.pipeline(`enable primitive_index;
        @vertex fn vs(@builtin(vertex_index) v: u32) -> @builtin(position) vec4f { return vec4f((f32(v) + 0.5) / 2 - 1, 0, 0, 1); }
        @fragment fn fs(@builtin(primitive_index) i: u32) -> @location(0) u32 { return i + 10; }`, ['r32uint'], {primitive: {topology: 'point-list'}});
      kit.pass([target], (pass) => { pass.setPipeline(pipeline); pass.draw(4); });
      same(new Uint32Array((await kit.texels(target, 4)).buffer), [10, 11, 12, 13]);
    },
  },
  'feature: depth of floats beside stencil': {
    needs: ['depth32float-stencil8'],
    async run(kit) {
      const both = kit.target('depth32float-stencil8', 2, 2);
      kit.pass([], () => {}, {depthStencilAttachment: {
        view: both.createView(), depthLoadOp: 'clear', depthClearValue: 0.125, depthStoreOp: 'store',
        stencilLoadOp: 'clear', stencilClearValue: 200, stencilStoreOp: 'store'}});
      same(new Float32Array((await kit.texels(both, 4, {aspect: 'depth-only'})).buffer), fill(4, [0.125]));
      same(await kit.texels(both, 1, {aspect: 'stencil-only'}), fill(4, [200]));
    },
  },
  'limits: sixteen textures, eight targets, four groups': {
    async run(kit) {
      const {device} = kit;
      const textures = Array.from({length: 16}, (_, i) => kit.filled('r32uint', [1, 1], new Uint32Array([1 << i, ...new Array(15).fill(0)]), 256));
      const names = textures.map((_, i) => `t${i}`);
      const out = await kit.compute('@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n' +
        names.map((name, i) => `@group(0) @binding(${i + 1}) var ${name}: texture_2d<u32>;`).join('\n') +
        `@compute @workgroup_size(1) fn main() { out[0] = ${names.map((name) => `textureLoad(${name}, vec2u(0), 0).x`).join(' + ')}; }`,
        {words: 4, resources: textures.map((t) => t.createView())});
      same(out.subarray(0, 1), [65535]);
      const count = device.limits.maxColorAttachments;
      const targets = Array.from({length: count}, () => kit.target('r8unorm', 1, 1));
      const outputs = targets.map((_, i) => i);
      const pipeline = kit.pipeline(kCover + `struct O { ${outputs.map((i) => `@location(${i}) o${i}: vec4f`).join(', ')} }
        @fragment fn fs() -> O { return O(${outputs.map((i) => `vec4f(${i + 1}.0 / 255)`).join(', ')}); }`, targets.map(() => 'r8unorm'));
      kit.pass(targets, (pass) => { pass.setPipeline(pipeline); pass.draw(3); });
      for (const i of outputs) same(await kit.texels(targets[i], 1), [i + 1], `target ${i}`);
      const groups = [0, 1, 2, 3];
      const buffers = groups.map((i) => kit.buffer(new Uint32Array([10 ** i])));
      const sum = kit.buffer(16);
      const compute = device.createComputePipeline({layout: 'auto', compute: {entryPoint: 'main', module: kit.module(
        groups.map((i) => `@group(${i}) @binding(2) var<storage, read_write> b${i}: array<u32>;`).join('\n') +
        '@group(3) @binding(5) var<storage, read_write> sum: array<u32>;\n@compute @workgroup_size(1) fn main() { sum[0] = b0[0] + b1[0] + b2[0] + b3[0]; }')}});
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(compute);
      for (const i of groups)
        pass.setBindGroup(i, device.createBindGroup({layout: compute.getBindGroupLayout(i), entries: [
          {binding: 2, resource: {buffer: buffers[i]}}, ...(i === 3 ? [{binding: 5, resource: {buffer: sum}}] : [])]}));
      pass.dispatchWorkgroups(1);
      pass.end();
      device.queue.submit([encoder.finish()]);
      same((await kit.read(sum)).subarray(0, 1), [1111]);
    },
  },
  'pipeline: made without waiting': {
    async run(kit) {
      const module = kit.module(kCover + kWhite);
      const pipelines = await Promise.all(Array.from({length: 4}, (_, i) => kit.device.createRenderPipelineAsync({
        layout: 'auto', vertex: {module, entryPoint: 'vs'}, fragment: {module, entryPoint: 'fs', targets: [{format: 'r8unorm', writeMask: i & 1}]}})));
      const target = kit.target('r8unorm', 2, 2);
      kit.pass([target], (pass) => { for (const one of pipelines) { pass.setPipeline(one); pass.draw(3); } });
      same(await kit.texels(target, 1), [255, 255, 255, 255]);
    },
  },
  'errors: what is wrong is told': {
    async run(kit) {
      const {device} = kit;
      device.pushErrorScope('validation');
      device.createBuffer({size: 16, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE});
      const buffer = await device.popErrorScope();
      device.pushErrorScope('validation');
      const module = kit.module('@compute fn main() { let x: u32 = 1.5; }');
      const info = await module.getCompilationInfo();
      const shader = await device.popErrorScope();
      if (!buffer || !shader || !info.messages.length) throw new Error('no error');
    },
  },
};
