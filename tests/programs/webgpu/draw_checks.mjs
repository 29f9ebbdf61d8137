// Checks of draws and passes; every value is worked out by hand.
import {kCover, near, same} from './harness.mjs';

const floats = (...values) => new Float32Array(values);
const fill = (count, texel) => new Array(count).fill(texel).flat();
// A triangle strip that covers (x0, y0) to (x1, y1) at depth z, of four vertices.
const strip = (x0, y0, x1, y1, z = 0.5) => `
  @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(select(f32(${x0}), ${x1}, (i & 1) == 1), select(f32(${y0}), ${y1}, i >= 2), ${z}, 1);
  }`;
const kWhite = '@fragment fn fs() -> @location(0) vec4f { return vec4f(1); }';
const kStrip = {primitive: {topology: 'triangle-strip'}};

export const drawChecks = {
  'draw: indirect, indexed and first instance': {
    async run(kit) {
      const target = kit.target('rgba8unorm', 8, 1);
      const first = kit.device.features.has('indirect-first-instance') ? 2 : 0;
      const code = `
        @vertex fn vs(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4f {
          return vec4f((f32(v * 2 + i) + 0.5) / 4 - 1, 0, 0, 1);
        }` + kWhite;
      const pipeline = kit.pipeline(code, ['rgba8unorm'], {primitive: {topology: 'point-list'}});
      const args = kit.buffer(new Uint32Array([7, 1, 2, 0, 0, 2, 2, 1, 0xffffffff, first]), GPUBufferUsage.INDIRECT | GPUBufferUsage.COPY_DST);
      const indices = kit.buffer(new Uint16Array([0, 3, 1, 0]), GPUBufferUsage.INDEX | GPUBufferUsage.COPY_DST);
      kit.pass([target], (pass) => {
        pass.setPipeline(pipeline);
        pass.drawIndirect(args, 4);  // vertex 0, instances 0 and 1: pixels 0 and 1
        pass.setIndexBuffer(indices, 'uint16');
        pass.drawIndexedIndirect(args, 20);  // indices 3 and 1, base -1: vertices 2 and 0, instances first, first + 1
      });
      const lit = new Set([0, 1, 4 + first, 5 + first, first, first + 1]);
      same(await kit.texels(target, 4), Array.from({length: 8}, (_, x) => new Array(4).fill(lit.has(x) ? 255 : 0)).flat());
    },
  },
  'draw: topologies and restart': {
    async run(kit) {
      const code = `
        @vertex fn vs(@location(0) p: vec2f) -> @builtin(position) vec4f { return vec4f(p / 4 - 1, 0, 1); }` + kWhite;
      const points = floats(0.5, 0.5, 6.5, 0.5, 6.5, 6.5, 0.5, 6.5);
      const vertices = kit.buffer(points, GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST);
      const draw = async (topology, list) => {
        const target = kit.target('r8unorm', 8, 8);
        const format = topology.endsWith('strip') ? {stripIndexFormat: 'uint16'} : {};
        const pipeline = kit.pipeline(code, ['r8unorm'], {
          primitive: {topology, ...format},
          vertex: {buffers: [{arrayStride: 8, attributes: [{shaderLocation: 0, offset: 0, format: 'float32x2'}]}]}});
        const indices = kit.buffer(new Uint16Array([...list, ...new Array(8 - list.length).fill(0)]), GPUBufferUsage.INDEX | GPUBufferUsage.COPY_DST);
        kit.pass([target], (pass) => {
          pass.setPipeline(pipeline);
          pass.setVertexBuffer(0, vertices);
          pass.setIndexBuffer(indices, 'uint16');
          pass.drawIndexed(list.length);
        });
        return (await kit.texels(target, 1)).reduce((sum, texel) => sum + (texel === 255), 0);
      };
      same([await draw('point-list', [0, 1, 2]), await draw('line-list', [0, 1, 2, 3]), await draw('line-strip', [0, 1, 0xffff, 2, 3]),
            await draw('line-strip', [0, 1, 2]), await draw('triangle-strip', [0, 1, 0xffff, 3, 2]),
            await draw('triangle-strip', [0, 1, 3, 2])],
           [3, 12, 12, 12, 0, 36]);
    },
  },
  'draw: every vertex format': {
    async run(kit) {
      const u8 = (...v) => new Uint8Array(v), u16 = (...v) => new Uint8Array(new Uint16Array(v).buffer), u32 = (...v) => new Uint8Array(new Uint32Array(v).buffer);
      const f32 = (...v) => new Uint8Array(new Float32Array(v).buffer);
      const cases = [
        ['uint8x2', u8(1, 200), [1, 200, 0, 1]], ['uint8x4', u8(1, 2, 3, 200), [1, 2, 3, 200]], ['sint8x2', u8(255, 128), [-1, -128, 0, 1]],
        ['sint8x4', u8(1, 255, 3, 128), [1, -1, 3, -128]], ['unorm8x2', u8(51, 255), [0.2, 1, 0, 1]], ['unorm8x4', u8(0, 51, 102, 255), [0, 0.2, 0.4, 1]],
        ['snorm8x2', u8(0x81, 127), [-1, 1, 0, 1]], ['snorm8x4', u8(0, 127, 0x80, 0x81), [0, 1, -1, -1]],
        ['uint16x2', u16(1, 60000), [1, 60000, 0, 1]], ['uint16x4', u16(1, 2, 3, 60000), [1, 2, 3, 60000]], ['sint16x2', u16(65535, 5), [-1, 5, 0, 1]],
        ['sint16x4', u16(1, 65535, 3, 32768), [1, -1, 3, -32768]], ['unorm16x2', u16(0, 65535), [0, 1, 0, 1]], ['unorm16x4', u16(0, 65535, 13107, 0), [0, 1, 0.2, 0]],
        ['snorm16x2', u16(32767, 0x8001), [1, -1, 0, 1]], ['snorm16x4', u16(0, 32767, 0x8000, 0), [0, 1, -1, 0]],
        ['float16x2', u16(0x3c00, 0xc500), [1, -5, 0, 1]], ['float16x4', u16(0x3c00, 0xc500, 0x3800, 0), [1, -5, 0.5, 0]],
        ['float32', f32(1.5), [1.5, 0, 0, 1]], ['float32x2', f32(1.5, -2), [1.5, -2, 0, 1]], ['float32x3', f32(1.5, -2, 4), [1.5, -2, 4, 1]],
        ['float32x4', f32(1.5, -2, 4, 8), [1.5, -2, 4, 8]], ['uint32', u32(70000), [70000, 0, 0, 1]], ['uint32x2', u32(7, 8), [7, 8, 0, 1]],
        ['uint32x3', u32(7, 8, 9), [7, 8, 9, 1]], ['uint32x4', u32(7, 8, 9, 10), [7, 8, 9, 10]], ['sint32', u32(0xffffffff), [-1, 0, 0, 1]],
        ['sint32x2', u32(0xffffffff, 2), [-1, 2, 0, 1]], ['sint32x3', u32(1, 0xfffffffe, 3), [1, -2, 3, 1]], ['sint32x4', u32(1, 2, 3, 0xfffffffc), [1, 2, 3, -4]],
        ['unorm10-10-10-2', u32((1023 | 341 << 10 | 0 << 20 | 2 << 30) >>> 0), [1, 1 / 3, 0, 2 / 3]],
        ['unorm8x4-bgra', u8(0, 51, 102, 255), [0.4, 0.2, 0, 1]],
        ['uint8', u8(200), [200, 0, 0, 1]], ['sint8', u8(255), [-1, 0, 0, 1]], ['unorm8', u8(51), [0.2, 0, 0, 1]], ['snorm8', u8(0x81), [-1, 0, 0, 1]],
        ['uint16', u16(60000), [60000, 0, 0, 1]], ['sint16', u16(65535), [-1, 0, 0, 1]], ['unorm16', u16(13107), [0.2, 0, 0, 1]],
        ['snorm16', u16(0x8001), [-1, 0, 0, 1]], ['float16', u16(0xc500), [-5, 0, 0, 1]],
      ];
      for (const [format, bytes, wanted] of cases) {
        const kind = format.startsWith('uint') ? 'u32' : format.startsWith('sint') ? 'i32' : 'f32';
        const pipeline = kit.pipeline(`
          struct V { @builtin(position) p: vec4f, @location(0) @interpolate(flat) v: vec4f }
          @vertex fn vs(@location(3) a: vec4<${kind}>) -> V { return V(vec4f(0, 0, 0, 1), vec4f(a)); }
          @fragment fn fs(v: V) -> @location(0) vec4f { return v.v; }`, ['rgba32float'], {
          primitive: {topology: 'point-list'},
          vertex: {buffers: [{arrayStride: 32, attributes: [{shaderLocation: 3, offset: 4, format}]}]}});
        const data = new Uint8Array(32);
        data.set(bytes, 4);
        const vertices = kit.buffer(data, GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST);
        const target = kit.target('rgba32float', 1, 1);
        kit.pass([target], (pass) => { pass.setPipeline(pipeline); pass.setVertexBuffer(0, vertices); pass.draw(1); });
        near(new Float32Array((await kit.texels(target, 16)).buffer), wanted, 1e-5, format);
      }
    },
  },
  'draw: instances step and buffers have offsets': {
    async run(kit) {
      const pipeline = kit.pipeline(`
        struct V { @builtin(position) p: vec4f, @location(0) c: vec4f }
        @vertex fn vs(@location(0) x: f32, @location(1) c: vec4f, @builtin(instance_index) i: u32) -> V {
          return V(vec4f((x + f32(i) + 0.5) / 4 - 1, 0, 0, 1), c);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f { return v.c; }`, ['rgba8unorm'], {
        primitive: {topology: 'point-list'},
        vertex: {buffers: [{arrayStride: 4, attributes: [{shaderLocation: 0, offset: 0, format: 'float32'}]},
                           {arrayStride: 4, stepMode: 'instance', attributes: [{shaderLocation: 1, offset: 0, format: 'unorm8x4'}]}]}});
      const xs = kit.buffer(floats(9, 9, 0, 4), GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST);
      const colors = kit.buffer(new Uint8Array([9, 9, 9, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]), GPUBufferUsage.VERTEX | GPUBufferUsage.COPY_DST);
      const target = kit.target('rgba8unorm', 8, 1);
      kit.pass([target], (pass) => {
        pass.setPipeline(pipeline);
        pass.setVertexBuffer(0, xs, 8);
        pass.setVertexBuffer(1, colors, 4);
        pass.draw(2, 3);
      });
      const half = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0, 0];
      same(await kit.texels(target, 4), [...half, ...half]);
    },
  },
  'draw: viewport, scissor, culling and the front face': {
    async run(kit) {
      const count = async (primitive, set = () => {}) => {
        const target = kit.target('r8unorm', 8, 8);
        const pipeline = kit.pipeline(strip(-1, -1, 1, 1) + `
          @fragment fn fs(@builtin(front_facing) f: bool) -> @location(0) vec4f { return vec4f(select(0.2, 1, f)); }`,
                                      ['r8unorm'], {primitive: {topology: 'triangle-strip', ...primitive}});
        kit.pass([target], (pass) => { pass.setPipeline(pipeline); set(pass); pass.draw(4); });
        return (await kit.texels(target, 1)).reduce((sum, texel) => sum + texel, 0);
      };
      // The strip turns counter-clockwise on a screen with y up: its first triangle is (-1, -1), (1, -1), (-1, 1).
      same([await count({}), await count({frontFace: 'cw'}), await count({cullMode: 'front'}), await count({cullMode: 'back'}),
            await count({}, (pass) => pass.setViewport(2, 1, 4, 3, 0, 1)), await count({}, (pass) => pass.setScissorRect(1, 2, 5, 2)),
            await count({cullMode: 'back', frontFace: 'cw'})],
           [64 * 255, 64 * 51, 0, 64 * 255, 12 * 255, 10 * 255, 0]);
    },
  },
  'draw: depth tests, clears, stores and bias': {
    async run(kit) {
      const {device} = kit;
      for (const format of ['depth16unorm', 'depth24plus', 'depth32float', 'depth24plus-stencil8']) {
        const depth = kit.texture(format, [4, 4], GPUTextureUsage.RENDER_ATTACHMENT);
        const target = kit.target('r8unorm', 4, 4);
        const draw = (z, compare, value, more = {}) => kit.pipeline(strip(-1, -1, 1, 1, z) +
          `@fragment fn fs() -> @location(0) vec4f { return vec4f(${value} / 255); }`, ['r8unorm'],
          {...kStrip, depthStencil: {format, depthWriteEnabled: true, depthCompare: compare, ...more}});
        const stencil = format.endsWith('8') ? {stencilLoadOp: 'clear', stencilStoreOp: 'store'} : {};
        const results = [];
        const pass = async (pipelines, clear) => {
          kit.pass([target], (p) => { for (const one of pipelines) { p.setPipeline(one); p.draw(4); } },
                   {depthStencilAttachment: {view: depth.createView(), depthLoadOp: clear === undefined ? 'load' : 'clear',
                                             depthClearValue: clear ?? 0, depthStoreOp: 'store', ...stencil}});
          results.push((await kit.texels(target, 1))[5]);
        };
        await pass([draw(0.5, 'less', '10.0'), draw(0.6, 'less', '20.0'), draw(0.4, 'less', '30.0')], 1);
        await pass([draw(0.3, 'greater', '40.0'), draw(0.5, 'greater', '50.0')]);
        await pass([draw(0.5, 'equal', '60.0'), draw(0.5, 'not-equal', '70.0')]);
        await pass([draw(0.25, 'greater-equal', '80.0'), draw(0.25, 'never', '90.0'), draw(0.2, 'less-equal', '100.0')], 0.25);
        await pass([draw(0.5, 'less', '110.0', {depthBias: -16, depthBiasClamp: 0}), draw(0.5, 'less', '120.0', {depthBias: 16})], 0.5);
        same(results, [30, 50, 60, 100, 110], format);
      }
      device.queue.submit([]);
    },
  },
  'draw: stencil operations': {
    async run(kit) {
      const format = 'depth24plus-stencil8';
      const stencil = kit.target(format, 4, 4);
      const draw = (front, more = {}) => kit.pipeline(strip(-1, -1, 1, 1), [], {
        ...kStrip, fragment: undefined,
        depthStencil: {format, depthWriteEnabled: false, depthCompare: 'always', stencilFront: front, stencilBack: front, ...more}});
      const results = [];
      const pass = async (list, clear) => {
        kit.pass([], (p) => { for (const [one, reference] of list) { p.setPipeline(one); p.setStencilReference(reference); p.draw(4); } },
                 {depthStencilAttachment: {view: stencil.createView(), depthReadOnly: true,
                                           stencilLoadOp: clear === undefined ? 'load' : 'clear', stencilClearValue: clear ?? 0, stencilStoreOp: 'store'}});
        results.push((await kit.texels(stencil, 1, {aspect: 'stencil-only'}))[6]);
      };
      const op = (passOp, compare = 'always', failOp = 'keep') => draw({compare, passOp, failOp});
      await pass([[op('replace'), 77]], 3);
      await pass([[op('increment-clamp'), 0], [op('increment-clamp'), 0]], 254);
      await pass([[op('increment-wrap'), 0], [op('increment-wrap'), 0]], 254);
      await pass([[op('decrement-clamp'), 0], [op('decrement-clamp'), 0]], 1);
      await pass([[op('decrement-wrap'), 0], [op('decrement-wrap'), 0]], 1);
      await pass([[op('invert'), 0]], 0x35);
      await pass([[op('zero'), 0]], 9);
      await pass([[op('replace', 'less', 'invert'), 5]], 5);     // 5 < 5 fails: inverted
      await pass([[op('replace', 'less-equal'), 5]], 6);         // 5 <= 6
      await pass([[draw({compare: 'equal', passOp: 'replace'}, {stencilReadMask: 0xf0, stencilWriteMask: 0x3c}), 0xff]], 0xf1);
      await pass([[draw({compare: 'always', passOp: 'replace', depthFailOp: 'invert'}, {depthCompare: 'never'}), 5]], 0x0f);
      same(results, [77, 255, 0, 0, 255, 0xca, 0, 250, 5, 0xfd, 0xf0]);
    },
  },
  'draw: blending': {
    async run(kit) {
      const dst = [0.4, 0.2, 0.6, 0.8], src = [0.6, 0.4, 0.2, 0.4], constant = [0.2, 0.4, 0.6, 0.8];
      const factors = {
        'zero': () => 0, 'one': () => 1, 'src': (c) => src[c], 'one-minus-src': (c) => 1 - src[c], 'src-alpha': () => 0.4, 'one-minus-src-alpha': () => 0.6,
        'dst': (c) => dst[c], 'one-minus-dst': (c) => 1 - dst[c], 'dst-alpha': () => 0.8, 'one-minus-dst-alpha': () => 0.2,
        'src-alpha-saturated': (c) => c === 3 ? 1 : 0.2, 'constant': (c) => constant[c], 'one-minus-constant': (c) => 1 - constant[c],
      };
      const operations = {
        'add': (s, d) => s + d, 'subtract': (s, d) => s - d, 'reverse-subtract': (s, d) => d - s,
      };
      const run = async (blend) => {
        const target = kit.target('rgba32float', 1, 1);
        const small = kit.target('rgba8unorm', 1, 1);
        const code = kCover + `struct O { @location(0) a: vec4f, @location(1) b: vec4f }
          @fragment fn fs() -> O { return O(vec4f(${src}), vec4f(${src})); }`;
        const state = {blend: {color: blend, alpha: blend}};
        const wide = kit.device.features.has('float32-blendable');
        const formats = wide ? ['rgba32float', 'rgba8unorm'] : ['rgba16float', 'rgba8unorm'];
        const first = wide ? target : kit.target('rgba16float', 1, 1);
        const pipeline = kit.pipeline(code, formats, {targets: [state, state]});
        kit.pass([first, small].map((t) => ({view: t.createView(), loadOp: 'clear', storeOp: 'store', clearValue: dst})), (pass) => {
          pass.setPipeline(pipeline); pass.setBlendConstant(constant); pass.draw(3);
        });
        const texels = await kit.texels(small, 4);
        if (!wide) return [null, texels];
        return [new Float32Array((await kit.texels(first, 16)).buffer), texels];
      };
      for (const [name, factor] of Object.entries(factors))
        for (const [operation, combine] of Object.entries(operations)) {
          const wanted = [0, 1, 2, 3].map((c) => combine(src[c] * factor(c), dst[c] * (1 - src[c])));
          const [wide, small] = await run({srcFactor: name, dstFactor: 'one-minus-src', operation});
          if (wide) near(wide, wanted, 1e-5, `${operation} ${name}`);
          near(small, wanted.map((v) => 255 * Math.min(1, Math.max(0, v))), 1.01, `${operation} ${name}`);
        }
      const [, least] = await run({operation: 'min', srcFactor: 'one', dstFactor: 'one'});
      const [, most] = await run({operation: 'max', srcFactor: 'one', dstFactor: 'one'});
      same([...least, ...most], [102, 51, 51, 102, 153, 102, 153, 204]);
    },
  },
  'draw: two sources of blending': {
    needs: ['dual-source-blending'],
    async run(kit) {
      const got = await kit.paint(`
        struct O { @location(0) @blend_src(0) a: vec4f, @location(0) @blend_src(1) b: vec4f }
        @fragment fn fs() -> O { return O(vec4f(0.2, 0.4, 0.6, 1), vec4f(0.5, 0, 1, 0.5)); }`,
        {clear: [0.4, 0.4, 0.4, 1], width: 1, height: 1, pipeline: {targets: [{blend: {
          color: {srcFactor: 'one', dstFactor: 'src1'}, alpha: {srcFactor: 'src1-alpha', dstFactor: 'zero'}}}]},
         before: 'enable dual_source_blending;\n'});
      near(got, [0.4 * 255, 0.4 * 255, 255, 127.5], 1.01);
    },
  },
  'draw: write masks and targets of several formats': {
    async run(kit) {
      const formats = ['rgba8unorm', 'r32uint', 'rg16float', 'rgba8sint'];
      const pipeline = kit.pipeline(kCover + `
        struct O { @location(0) a: vec4f, @location(1) b: u32, @location(2) c: vec2f, @location(3) d: vec4i }
        @fragment fn fs(@builtin(position) p: vec4f) -> O { return O(vec4f(1, 0.2, 0.4, 0.6), u32(p.x) + 70000, vec2f(1, p.y), vec4i(-1, 2, -3, 4)); }`,
        formats, {targets: [{writeMask: GPUColorWrite.RED | GPUColorWrite.ALPHA}, {}, {writeMask: GPUColorWrite.GREEN}, {writeMask: 0}]});
      const targets = formats.map((format) => kit.target(format, 2, 2));
      kit.pass(targets, (pass) => { pass.setPipeline(pipeline); pass.draw(3); });
      same(await kit.texels(targets[0], 4), fill(4, [255, 0, 0, 153]));
      same(new Uint32Array((await kit.texels(targets[1], 4)).buffer), [70000, 70001, 70000, 70001]);
      same(new Uint16Array((await kit.texels(targets[2], 4)).buffer), [0, 0x3800, 0, 0x3800, 0, 0x3e00, 0, 0x3e00]);
      same(await kit.texels(targets[3], 4), new Array(16).fill(0));
    },
  },
  'draw: four samples, resolved and read': {
    async run(kit) {
      // The left half of a target of 4 x 4 and, of pixel column 2, the samples whose x lies below 0.5: two of four.
      const many = kit.texture('rgba8unorm', [4, 4], GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.TEXTURE_BINDING, {sampleCount: 4});
      const one = kit.target('rgba8unorm', 4, 4);
      const pipeline = kit.pipeline(strip(-1, -1, 0.25, 1) + kWhite, ['rgba8unorm'], {...kStrip, multisample: {count: 4}});
      kit.pass([{view: many.createView(), resolveTarget: one.createView(), loadOp: 'clear', storeOp: 'store', clearValue: [0, 0, 0, 0]}],
               (pass) => { pass.setPipeline(pipeline); pass.draw(4); });
      const row = [255, 255, 255, 255, 255, 255, 255, 255];
      const got = await kit.texels(one, 4);
      for (let y = 0; y < 4; y++) {
        same(got.subarray(16 * y, 16 * y + 8), row);
        near(got.subarray(16 * y + 8, 16 * y + 12), new Array(4).fill(127.5), 1);
        same(got.subarray(16 * y + 12, 16 * y + 16), [0, 0, 0, 0]);
      }
      const sums = await kit.compute(`@group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @group(0) @binding(1) var t: texture_multisampled_2d<f32>;
        @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) s: u32) {
          out[s] = u32(textureLoad(t, vec2u(2, 1), s).x) + 2 * u32(textureLoad(t, vec2u(3, 1), s).x) + 4 * u32(textureLoad(t, vec2u(0, 3), s).x);
          out[4 + s] = textureNumSamples(t);
        }`, {words: 8, resources: [many.createView()]});
      // Standard places: x of 6/16, 14/16, 2/16, 10/16.
      same(sums, [5, 4, 5, 4, 4, 4, 4, 4]);
    },
  },
  'draw: sample masks, alpha to coverage, sample shading': {
    async run(kit) {
      const run = async (fragment, multisample, value = 255) => {
        const many = kit.texture('rgba8unorm', [2, 2], GPUTextureUsage.RENDER_ATTACHMENT, {sampleCount: 4});
        const one = kit.target('rgba8unorm', 2, 2);
        const pipeline = kit.pipeline(kCover + fragment, ['rgba8unorm'], {multisample: {count: 4, ...multisample}});
        kit.pass([{view: many.createView(), resolveTarget: one.createView(), loadOp: 'clear', storeOp: 'discard', clearValue: [0, 0, 0, 0]}],
                 (pass) => { pass.setPipeline(pipeline); pass.draw(3); });
        return (await kit.texels(one, 4))[0] / value;
      };
      near([
        await run(kWhite, {mask: 0b0111}),
        await run(`struct O { @location(0) c: vec4f, @builtin(sample_mask) m: u32 }
                   @fragment fn fs() -> O { return O(vec4f(1), 0x6u); }`, {mask: 0b0011}),
        await run('@fragment fn fs() -> @location(0) vec4f { return vec4f(1, 1, 1, 0.5); }', {alphaToCoverageEnabled: true}),
        await run('@fragment fn fs() -> @location(0) vec4f { return vec4f(1, 1, 1, 0); }', {alphaToCoverageEnabled: true}),
        await run('@fragment fn fs(@builtin(sample_index) s: u32) -> @location(0) vec4f { return vec4f(f32(s) / 3); }', {}),
        await run(`@fragment fn fs(@builtin(sample_mask) m: u32) -> @location(0) vec4f { return vec4f(f32(m) / 15); }`, {}),
      ], [0.75, 0.25, 0.5, 0, 0.5, 1], 0.004);
    },
  },
  'draw: kinds of interpolation': {
    async run(kit) {
      // w of 1 at the left and 3 at the right; at the middle of the screen perspective gives (0/1 + 1/3) / (1 + 1/3) = 1/4.
      const target = kit.target('rgba32float', 3, 1);
      const pipeline = kit.pipeline(`
        struct V { @builtin(position) p: vec4f, @location(0) a: f32, @location(1) @interpolate(linear) b: f32,
                   @location(2) @interpolate(flat) c: u32, @location(3) @interpolate(perspective, centroid) d: f32 }
        @vertex fn vs(@builtin(vertex_index) i: u32) -> V {
          let right = f32(i & 1); let w = 1 + 2 * right;
          return V(vec4f((2 * right - 1) * w, select(-1.0, 1.0, i >= 2) * w, 0, w), right, right, i + 5, right);
        }
        @fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.a, v.b, f32(v.c), v.d); }`, ['rgba32float'], kStrip);
      kit.pass([target], (pass) => { pass.setPipeline(pipeline); pass.draw(4); });
      const got = new Float32Array((await kit.texels(target, 16)).buffer);
      near([got[4], got[5], got[7]], [0.25, 0.5, 0.25], 1e-4);
      if (got[6] !== 5 && got[6] !== 6) throw new Error(`flat: ${got[6]}`);
    },
  },
  'draw: derivatives and discard': {
    async run(kit) {
      const got = new Float32Array((await kit.paint(`
        @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f {
          let f = p.x * 3 + p.y * p.y;
          let d = vec4f(dpdx(f), dpdyFine(f), fwidth(p.x + 2 * p.y), dpdxCoarse(p.y));
          if (u32(p.x) == 1) { discard; }
          return d;
        }`, {format: 'rgba32float', bytes: 16, width: 4, height: 2, clear: [9, 9, 9, 9]})).buffer);
      // p.y is 0.5 and 1.5: its square grows by 2.
      const lit = [3, 2, 3, 0], row = [...lit, 9, 9, 9, 9, ...lit, ...lit];
      near(got, [...row, ...row], 1e-4);
    },
  },
};
