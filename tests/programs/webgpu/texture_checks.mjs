// Checks of textures, their formats and samplers; every value is worked out by hand.
import {near, same} from './harness.mjs';

const kFloats = '@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n';
const one = (body) => `@compute @workgroup_size(1) fn main() {\n${body}\n}`;
const bytesOf = (...words) => new Uint8Array(new Uint32Array(words).buffer);
const halves = (...words) => new Uint8Array(new Uint16Array(words).buffer);
const floats = (...values) => new Uint8Array(new Float32Array(values).buffer);

// Format, bytes of a texel, what a shader reads of it.
const kTexels = [
  ['r8unorm', [51], [0.2, 0, 0, 1]],
  ['r8snorm', [0x81], [-1, 0, 0, 1]],
  ['r8uint', [200], [200, 0, 0, 1]],
  ['r8sint', [0x80], [-128, 0, 0, 1]],
  ['rg8unorm', [255, 102], [1, 0.4, 0, 1]],
  ['rg8snorm', [0x80, 127], [-1, 1, 0, 1]],
  ['rg8uint', [1, 255], [1, 255, 0, 1]],
  ['rg8sint', [255, 127], [-1, 127, 0, 1]],
  ['rgba8unorm', [0, 51, 102, 255], [0, 0.2, 0.4, 1]],
  ['rgba8unorm-srgb', [0, 255, 188, 51], [0, 1, 0.502886, 0.2]],
  ['rgba8snorm', [0, 127, 0x81, 127], [0, 1, -1, 1]],
  ['rgba8uint', [1, 2, 3, 250], [1, 2, 3, 250]],
  ['rgba8sint', [1, 254, 3, 128], [1, -2, 3, -128]],
  ['bgra8unorm', [0, 51, 102, 255], [0.4, 0.2, 0, 1]],
  ['bgra8unorm-srgb', [255, 0, 188, 51], [0.502886, 0, 1, 0.2]],
  ['r16uint', halves(60000), [60000, 0, 0, 1]],
  ['r16sint', halves(0x8000), [-32768, 0, 0, 1]],
  ['r16float', halves(0xc500), [-5, 0, 0, 1]],
  ['rg16uint', halves(7, 60000), [7, 60000, 0, 1]],
  ['rg16sint', halves(0xffff, 5), [-1, 5, 0, 1]],
  ['rg16float', halves(0x3c00, 0x3800), [1, 0.5, 0, 1]],
  ['rgba16uint', halves(1, 2, 3, 65535), [1, 2, 3, 65535]],
  ['rgba16sint', halves(1, 0xfffe, 3, 0x8000), [1, -2, 3, -32768]],
  ['rgba16float', halves(0x3c00, 0xbc00, 0x7bff, 0x0400), [1, -1, 65504, 2 ** -14]],
  ['r32uint', bytesOf(16777216), [16777216, 0, 0, 1]],
  ['r32sint', bytesOf(0xffffffff), [-1, 0, 0, 1]],
  ['r32float', floats(1.5), [1.5, 0, 0, 1]],
  ['rg32uint', bytesOf(3, 4), [3, 4, 0, 1]],
  ['rg32sint', bytesOf(0xfffffffe, 4), [-2, 4, 0, 1]],
  ['rg32float', floats(-0.25, 8), [-0.25, 8, 0, 1]],
  ['rgba32uint', bytesOf(1, 2, 3, 4), [1, 2, 3, 4]],
  ['rgba32sint', bytesOf(1, 0xffffffff, 3, 4), [1, -1, 3, 4]],
  ['rgba32float', floats(1, -2, 0.5, 1e6), [1, -2, 0.5, 1e6]],
  ['rgb10a2unorm', bytesOf(1023 | 341 << 10 | 0 << 20 | 1 << 30), [1, 1 / 3, 0, 1 / 3]],
  ['rgb10a2uint', bytesOf((1000 | 5 << 10 | 1023 << 20 | 3 << 30) >>> 0), [1000, 5, 1023, 3]],
  // 11 bits: 5 of exponent, 6 of mantissa; 10 bits: 5 and 5. 1, 1.5, 2.
  ['rg11b10ufloat', bytesOf((0x3c0 | 0x3e0 << 11 | 0x200 << 22) >>> 0), [1, 1.5, 2, 1]],
  // Mantissas 256, 128, 64 and exponent 16: m * 2^(16 - 15 - 9).
  ['rgb9e5ufloat', bytesOf((256 | 128 << 9 | 64 << 18 | 16 << 27) >>> 0), [1, 0.5, 0.25, 1]],
];

const kindOf = (format) => format.endsWith('uint') ? 'u32' : format.endsWith('sint') ? 'i32' : 'f32';

// A 4x4 block of BC1: color 0 is red, color 1 blue; texel (x, y) has index x in row 0 and 0 below.
const kBc1 = [0x00, 0xf8, 0x1f, 0x00, 0b11100100, 0, 0, 0];

export const textureChecks = {
  'texture: what is read of every format': {
    async run(kit) {
      for (const [format, bytes, wanted] of kTexels) {
        const data = new Uint8Array([...bytes, ...new Array(16).fill(0)]);
        const texture = kit.filled(format, [1, 1], data, 256);
        const got = await kit.compute(kFloats + `@group(0) @binding(1) var t: texture_2d<${kindOf(format)}>;\n` + one(`
          let v = vec4f(textureLoad(t, vec2u(0), 0));
          out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w;`), {words: 4, Type: Float32Array, resources: [texture.createView()]});
        near(got, wanted, format.endsWith('srgb') ? 1e-3 : 1e-6, format);
      }
    },
  },
  'texture: what is written to every target': {
    async run(kit) {
      for (const [format, bytes] of kTexels) {
        if (/snorm|rgb9e5/.test(format)) continue;
        if (format === 'rg11b10ufloat' && !kit.device.features.has('rg11b10ufloat-renderable')) continue;
        const kind = kindOf(format), texel = [...bytes];
        const texture = kit.filled(format, [1, 1], new Uint8Array([...bytes, ...new Array(16).fill(0)]), 256);
        const got = await kit.paint(`@group(0) @binding(0) var t: texture_2d<${kind}>;
          @fragment fn fs() -> @location(0) vec4<${kind}> { return textureLoad(t, vec2u(0), 0); }`,
                                    {format, bytes: texel.length, resources: [texture.createView()], width: 3, height: 3});
        same(got, new Array(9).fill(texel).flat(), format);
      }
    },
  },
  'texture: block compression': {
    needs: ['texture-compression-bc'],
    async run(kit) {
      const blocks = (format, size, ...blocks) => kit.filled(format, size, new Uint8Array(blocks.flat()), 256);
      const bc1 = blocks('bc1-rgba-unorm', [4, 4], kBc1);
      // BC4: 255 and 0 as ends, texel 0 has index 0, 1 has 1, 2 has 2: 6/7, the rest 0.
      const bc4 = blocks('bc4-r-unorm', [4, 4], [255, 0, 0b10001000, 0, 0, 0, 0, 0]);
      const bc3 = blocks('bc3-rgba-unorm', [4, 4], [128, 128, 0, 0, 0, 0, 0, 0, ...kBc1]);
      // BC2: 4 bits of alpha a texel.
      const bc2 = blocks('bc2-rgba-unorm', [4, 4], [0x5f, 0x0a, 0, 0, 0, 0, 0, 0, ...kBc1]);
      const bc5 = blocks('bc5-rg-snorm', [4, 4], [127, 0x81, 0, 0, 0, 0, 0, 0, 0x81, 127, 0, 0, 0, 0, 0, 0]);
      // BC7 of mode 6: ends (127, 0, 127, 127) with p-bits 1 and 1: 255, 1, 255, 255; both ends are equal.
      const mode6 = blocks('bc7-rgba-unorm', [4, 4], bc7Mode6([127, 127, 0, 0, 127, 127, 127, 127], 1, 1));
      const got = await kit.compute(kFloats + ['bc1', 'bc2', 'bc3', 'bc4', 'bc5', 'bc7'].map((name, i) =>
        `@group(0) @binding(${i + 1}) var ${name}: texture_2d<f32>;`).join('\n') + one(`
          for (var x = 0u; x < 4; x++) {
            let v = textureLoad(bc1, vec2u(x, 0), 0); out[2 * x] = v.r; out[2 * x + 1] = v.b;
          }
          out[8] = textureLoad(bc2, vec2u(0, 0), 0).a; out[9] = textureLoad(bc2, vec2u(1, 0), 0).a; out[10] = textureLoad(bc2, vec2u(2, 0), 0).a;
          out[11] = textureLoad(bc3, vec2u(3, 3), 0).a; out[12] = textureLoad(bc3, vec2u(3, 3), 0).r;
          out[13] = textureLoad(bc4, vec2u(0, 0), 0).r; out[14] = textureLoad(bc4, vec2u(1, 0), 0).r; out[15] = textureLoad(bc4, vec2u(2, 0), 0).r;
          out[16] = textureLoad(bc5, vec2u(2, 1), 0).r; out[17] = textureLoad(bc5, vec2u(2, 1), 0).g;
          let m = textureLoad(bc7, vec2u(1, 2), 0); out[18] = m.r; out[19] = m.g; out[20] = m.b; out[21] = m.a;`),
        {words: 22, Type: Float32Array, resources: [bc1, bc2, bc3, bc4, bc5, mode6].map((t) => t.createView())});
      near(got, [1, 0, 0, 1, 2 / 3, 1 / 3, 1 / 3, 2 / 3, 1, 1 / 3, 2 / 3, 128 / 255, 1, 1, 0, 6 / 7, 1, -1,
                 1, 1 / 255, 1, 1], 0.004);
    },
  },
  'texture: address modes and the linear filter': {
    async run(kit) {
      const texture = kit.filled('r32float', [4, 1], new Float32Array([1, 2, 4, 8]), 256);
      const soft = kit.filled('r8unorm', [4, 1], new Uint8Array([0, 255, 0, 51]), 256);
      const sampler = (mode) => kit.device.createSampler({addressModeU: mode});
      const linear = (mode) => kit.device.createSampler({addressModeU: mode, magFilter: 'linear', minFilter: 'linear'});
      const got = await kit.compute(kFloats + `
        @group(0) @binding(1) var t: texture_2d<f32>;
        @group(0) @binding(2) var clamped: sampler;
        @group(0) @binding(3) var repeated: sampler;
        @group(0) @binding(4) var mirrored: sampler;
        @group(0) @binding(5) var l: texture_2d<f32>;
        @group(0) @binding(6) var smooth_clamp: sampler;
        @group(0) @binding(7) var smooth_repeat: sampler;` + one(`
          let u = array<f32, 4>(-0.1, 0.3, 1.1, 1.9);
          for (var i = 0u; i < 4; i++) {
            let p = vec2f(u[i], 0.5);
            out[i] = textureSampleLevel(t, clamped, p, 0).r;
            out[4 + i] = textureSampleLevel(t, repeated, p, 0).r;
            out[8 + i] = textureSampleLevel(t, mirrored, p, 0).r;
          }
          out[12] = textureSampleLevel(l, smooth_clamp, vec2f(0.25, 0.5), 0).r;
          out[13] = textureSampleLevel(l, smooth_clamp, vec2f(0, 0.5), 0).r;
          out[14] = textureSampleLevel(l, smooth_repeat, vec2f(0, 0.5), 0).r;
          out[15] = textureSampleLevel(l, smooth_clamp, vec2f(0.3125, 0.5), 0).r;
          out[16] = textureSampleLevel(t, clamped, vec2f(0.3, 0.5), 0, vec2i(1, 0)).r;`),
        {words: 17, Type: Float32Array, resources: [
          texture.createView(), sampler('clamp-to-edge'), sampler('repeat'), sampler('mirror-repeat'),
          soft.createView(), linear('clamp-to-edge'), linear('repeat')]});
      near(got, [1, 2, 8, 8, 8, 2, 1, 8, 1, 2, 8, 1, 0.5, 0, 0.1, 0.75, 4], 0.003);
    },
  },
  'texture: levels of detail': {
    async run(kit) {
      const texture = kit.texture('r8unorm', [4, 4], GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST, {mipLevelCount: 3});
      [51, 102, 204].forEach((value, level) => {
        const size = 4 >> level;
        kit.write(texture, new Uint8Array(256 * size).fill(value), [size, size], {bytesPerRow: 256, mipLevel: level});
      });
      const trilinear = {magFilter: 'linear', minFilter: 'linear', mipmapFilter: 'linear'};
      const got = await kit.compute(kFloats + `
        @group(0) @binding(1) var t: texture_2d<f32>;
        @group(0) @binding(2) var s: sampler;
        @group(0) @binding(3) var bounded: sampler;
        @group(0) @binding(4) var upper: texture_2d<f32>;` + one(`
          let p = vec2f(0.5);
          out[0] = textureSampleLevel(t, s, p, 0).r; out[1] = textureSampleLevel(t, s, p, 0.5).r;
          out[2] = textureSampleLevel(t, s, p, 1.25).r; out[3] = textureSampleLevel(t, s, p, 9).r;
          out[4] = textureSampleLevel(t, bounded, p, 0).r; out[5] = textureSampleLevel(t, bounded, p, 5).r;
          out[6] = textureSampleGrad(t, s, p, vec2f(0.5, 0), vec2f(0, 0.25)).r;
          out[7] = textureSampleLevel(upper, s, p, 0).r; out[8] = f32(textureNumLevels(t)); out[9] = f32(textureDimensions(t, 1).x);
          out[10] = f32(textureNumLevels(upper)); out[11] = textureLoad(upper, vec2u(1), 0).r;`),
        {words: 12, Type: Float32Array, resources: [
          texture.createView(), kit.device.createSampler(trilinear),
          kit.device.createSampler({...trilinear, lodMinClamp: 1, lodMaxClamp: 1.5}),
          texture.createView({baseMipLevel: 1, mipLevelCount: 1})]});
      near(got, [0.2, 0.3, 0.5, 0.8, 0.4, 0.6, 0.4, 0.4, 3, 2, 1, 0.4], 0.004);
    },
  },
  'texture: comparison and gather': {
    async run(kit) {
      const depth = kit.texture('depth32float', [2, 2], GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.RENDER_ATTACHMENT);
      const values = [0.25, 0.5, 0.75, 1];
      const pipeline = kit.pipeline(`
        @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
          return vec4f(f32(i & 1u) * 4 - 1, f32(i >> 1u) * 4 - 1, 0, 1);
        }
        @fragment fn fs(@builtin(position) p: vec4f) -> @builtin(frag_depth) f32 {
          return 0.25 * (1 + floor(p.x) + 2 * floor(p.y));
        }`, [], {fragment: {entryPoint: 'fs', targets: []}, depthStencil: {format: 'depth32float', depthWriteEnabled: true, depthCompare: 'always'}});
      kit.pass([], (pass) => { pass.setPipeline(pipeline); pass.draw(3); },
               {depthStencilAttachment: {view: depth.createView(), depthLoadOp: 'clear', depthStoreOp: 'store', depthClearValue: 0}});
      const got = await kit.compute(kFloats + `
        @group(0) @binding(1) var t: texture_depth_2d;
        @group(0) @binding(2) var hard: sampler_comparison;
        @group(0) @binding(3) var soft: sampler_comparison;
        @group(0) @binding(4) var s: sampler;` + one(`
          for (var i = 0u; i < 4; i++) { out[i] = textureLoad(t, vec2u(i & 1, i >> 1), 0); }
          out[4] = textureSampleCompareLevel(t, hard, vec2f(0.25), 0.3); out[5] = textureSampleCompareLevel(t, hard, vec2f(0.75, 0.25), 0.3);
          out[6] = textureSampleCompareLevel(t, soft, vec2f(0.5), 0.6);
          let g = textureGather(t, s, vec2f(0.5)); let c = textureGatherCompare(t, hard, vec2f(0.5), 0.6);
          for (var i = 0u; i < 4; i++) { out[7 + i] = g[i]; out[11 + i] = c[i]; }
          out[15] = textureSampleLevel(t, s, vec2f(0.75), 0);`),
        {words: 16, Type: Float32Array, resources: [
          depth.createView(), kit.device.createSampler({compare: 'less'}),
          kit.device.createSampler({compare: 'less-equal', magFilter: 'linear', minFilter: 'linear'}), kit.device.createSampler()]});
      // Texels in the order of gathers: (0, 1), (1, 1), (1, 0), (0, 0).
      near(got, [...values, 0, 1, 0.5, 0.75, 1, 0.5, 0.25, 1, 1, 0, 0, 1], 1e-6);
    },
  },
  'texture: gather of colors': {
    async run(kit) {
      const data = new Uint8Array(512);
      data.set([0, 10, 20, 30, 40, 50, 60, 70]);
      data.set([80, 90, 100, 110, 120, 130, 140, 150], 256);
      const texture = kit.filled('rgba8uint', [2, 2], data, 256);
      const got = await kit.compute(`@group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @group(0) @binding(1) var t: texture_2d<u32>;
        @group(0) @binding(2) var s: sampler;` + one(`
          let a = textureGather(1, t, s, vec2f(0.5)); let b = textureGather(3, t, s, vec2f(0.5));
          for (var i = 0u; i < 4; i++) { out[i] = a[i]; out[4 + i] = b[i]; }`),
        {words: 8, resources: [texture.createView(), kit.device.createSampler()]});
      same(got, [90, 130, 50, 10, 110, 150, 70, 30]);
    },
  },
  'texture: 1D, arrays, volumes, cubes and arrays of cubes': {
    async run(kit) {
      const usage = GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST;
      const line = kit.texture('r32float', [4], usage, {dimension: '1d'});
      kit.write(line, new Float32Array([5, 6, 7, 8]), [4, 1], {bytesPerRow: 256});
      const volume = kit.texture('r32float', [2, 2, 3], usage, {dimension: '3d'});
      const faces = kit.texture('r32float', [2, 2, 12], usage);
      for (let layer = 0; layer < 12; layer++) {
        const data = new Float32Array(128);
        data.fill(layer + 0.25);
        if (layer < 3) kit.write(volume, data, [2, 2, 1], {bytesPerRow: 256, origin: [0, 0, layer]});
        kit.write(faces, data, [2, 2, 1], {bytesPerRow: 256, origin: [0, 0, layer]});
      }
      const got = await kit.compute(kFloats + `
        @group(0) @binding(1) var a: texture_1d<f32>;
        @group(0) @binding(2) var b: texture_2d_array<f32>;
        @group(0) @binding(3) var c: texture_3d<f32>;
        @group(0) @binding(4) var d: texture_cube<f32>;
        @group(0) @binding(5) var e: texture_cube_array<f32>;
        @group(0) @binding(6) var s: sampler;` + one(`
          out[0] = textureLoad(a, 2, 0).r; out[1] = textureSampleLevel(a, s, 0.9, 0).r;
          out[2] = textureSampleLevel(b, s, vec2f(0.5), 7, 0).r; out[3] = f32(textureNumLayers(b));
          out[4] = textureSampleLevel(c, s, vec3f(0.5, 0.5, 0.5), 0).r; out[5] = f32(textureDimensions(c).z);
          let axes = array<vec3f, 6>(vec3f(1, 0.1, 0.2), vec3f(-1, 0, 0), vec3f(0, 1, 0), vec3f(0, -1, 0), vec3f(0.3, 0.2, 1), vec3f(0, 0, -1));
          for (var i = 0u; i < 6; i++) {
            out[6 + i] = textureSampleLevel(d, s, axes[i], 0).r;
            out[12 + i] = textureSampleLevel(e, s, axes[i], 1, 0).r;
          }
          out[18] = f32(textureNumLayers(e)); out[19] = textureSampleLevel(e, s, axes[3], 9, 0).r;`),
        {words: 20, Type: Float32Array, resources: [
          line.createView({dimension: '1d'}), faces.createView({dimension: '2d-array'}), volume.createView({dimension: '3d'}),
          faces.createView({dimension: 'cube', arrayLayerCount: 6}), faces.createView({dimension: 'cube-array'}),
          kit.device.createSampler()]});
      near(got, [7, 8, 7.25, 12, 1.25, 3, 0.25, 1.25, 2.25, 3.25, 4.25, 5.25, 6.25, 7.25, 8.25, 9.25, 10.25, 11.25, 2, 9.25], 1e-6);
    },
  },
  'texture: storage textures': {
    async run(kit) {
      const usage = GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC | GPUTextureUsage.COPY_DST;
      const cases = [
        ['rgba8unorm', 'vec4f(0, 0.2, 0.4, 1)', [0, 51, 102, 255]], ['rgba8snorm', 'vec4f(0, 1, -1, 1)', [0, 127, 0x81, 127]],
        ['rgba8uint', 'vec4u(1, 2, 3, 250)', [1, 2, 3, 250]], ['rgba8sint', 'vec4i(1, -2, 3, -128)', [1, 254, 3, 128]],
        ['rgba16uint', 'vec4u(1, 2, 3, 65535)', halves(1, 2, 3, 65535)], ['rgba16sint', 'vec4i(1, -2, 3, -4)', halves(1, 0xfffe, 3, 0xfffc)],
        ['rgba16float', 'vec4f(1, -1, 0.5, 2)', halves(0x3c00, 0xbc00, 0x3800, 0x4000)], ['r32uint', 'vec4u(70000)', bytesOf(70000)],
        ['r32sint', 'vec4i(-3)', bytesOf(0xfffffffd)], ['r32float', 'vec4f(1.5)', floats(1.5)], ['rg32uint', 'vec4u(9)', bytesOf(9, 9)],
        ['rg32float', 'vec4f(1, 2, 3, 4)', floats(1, 2)], ['rgba32uint', 'vec4u(1, 2, 3, 4)', bytesOf(1, 2, 3, 4)],
        ['rgba32sint', 'vec4i(-1)', bytesOf(...new Array(4).fill(0xffffffff))], ['rgba32float', 'vec4f(1, 2, 3, 4)', floats(1, 2, 3, 4)],
      ];
      if (kit.device.features.has('bgra8unorm-storage')) cases.push(['bgra8unorm', 'vec4f(0, 0.2, 0.4, 1)', [102, 51, 0, 255]]);
      for (const [format, value, texel] of cases) {
        const texture = kit.texture(format, [3, 2], usage);
        await kit.compute(`@group(0) @binding(0) var<storage, read_write> out: array<u32>;
          @group(0) @binding(1) var t: texture_storage_2d<${format}, write>;
          @compute @workgroup_size(3, 2) fn main(@builtin(local_invocation_id) i: vec3u) { textureStore(t, i.xy, ${value}); out[0] = 1; }`,
                          {resources: [texture.createView()]});
        same(await kit.texels(texture, [...texel].length), new Array(6).fill([...texel]).flat(), format);
      }
    },
  },
  'texture: storage textures that are read, of layers and volumes': {
    async run(kit) {
      const usage = GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC | GPUTextureUsage.COPY_DST;
      const counters = kit.texture('r32uint', [4, 4], usage);
      const layers = kit.texture('rgba8unorm', [2, 2, 3], usage);
      const volume = kit.texture('rgba32float', [2, 2, 3], usage, {dimension: '3d'});
      kit.write(counters, new Uint32Array(64 * 4).map((_, i) => i), [4, 4], {bytesPerRow: 256});
      await kit.compute(`@group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @group(0) @binding(1) var t: texture_storage_2d<r32uint, read_write>;
        @group(0) @binding(2) var l: texture_storage_2d_array<rgba8unorm, write>;
        @group(0) @binding(3) var v: texture_storage_3d<rgba32float, write>;
        @compute @workgroup_size(4, 4) fn main(@builtin(local_invocation_id) i: vec3u) {
          textureStore(t, i.xy, textureLoad(t, i.xy) * 3);
          if (i.x < 2 && i.y < 2) {
            textureStore(l, i.xy, 2, vec4f(1, 0, 0.2, 1));
            textureStore(v, vec3u(i.xy, 1), vec4f(vec2f(i.xy), 7, 8));
          }
          out[0] = 1;
        }`, {resources: [counters.createView(), layers.createView({dimension: '2d-array'}), volume.createView()]});
      const got = new Uint32Array((await kit.texels(counters, 4)).buffer);
      same(got, Array.from({length: 16}, (_, i) => 3 * (64 * (i >> 2) + (i & 3))), 'read_write');
      same(await kit.texels(layers, 4, {layers: 3}), [...new Array(32).fill(0), ...new Array(4).fill([255, 0, 51, 255]).flat()], 'layers');
      const texels = new Float32Array((await kit.texels(volume, 16, {layers: 3})).buffer);
      same(texels.subarray(16, 32), [0, 0, 7, 8, 1, 0, 7, 8, 0, 1, 7, 8, 1, 1, 7, 8], 'volume');
    },
  },
  'texture: copies of levels and layers': {
    async run(kit) {
      const {device} = kit;
      const usage = GPUTextureUsage.COPY_SRC | GPUTextureUsage.COPY_DST;
      const from = kit.texture('rgba8unorm', [8, 8, 3], usage, {mipLevelCount: 2});
      const data = new Uint8Array(8 * 8 * 4).map((_, i) => i);
      kit.write(from, data, [8, 8, 1], {bytesPerRow: 32, origin: [0, 0, 1]});
      kit.write(from, data.subarray(0, 64), [4, 4, 1], {bytesPerRow: 16, mipLevel: 1, origin: [0, 0, 2]});
      const to = kit.texture('rgba8unorm', [4, 4, 4], usage);
      const encoder = device.createCommandEncoder();
      encoder.copyTextureToTexture({texture: from, origin: [2, 3, 1]}, {texture: to, origin: [1, 1, 3]}, [2, 2, 1]);
      encoder.copyTextureToTexture({texture: from, mipLevel: 1, origin: [0, 0, 2]}, {texture: to, origin: [0, 0, 1]}, [4, 4, 1]);
      device.queue.submit([encoder.finish()]);
      const got = await kit.texels(to, 4, {layers: 4});
      same(got.subarray(64, 128), [...data.subarray(0, 64)], 'the level');
      const wanted = new Array(64).fill(0);
      for (let y = 0; y < 2; y++)
        for (let x = 0; x < 2; x++)
          for (let c = 0; c < 4; c++) wanted[16 * (1 + y) + 4 * (1 + x) + c] = data[32 * (3 + y) + 4 * (2 + x) + c];
      same(got.subarray(192), wanted, 'the part of a layer');
    },
  },
  'texture: swizzles of views': {
    needs: ['texture-component-swizzle'],
    async run(kit) {
      const texture = kit.filled('rgba8unorm', [1, 1], new Uint8Array([51, 102, 153, 204]), 256);
      const got = await kit.compute(kFloats + '@group(0) @binding(1) var t: texture_2d<f32>;\n' + one(`
        let v = textureLoad(t, vec2u(0), 0); out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w;`),
        {words: 4, Type: Float32Array, resources: [texture.createView({swizzle: 'bgr1'})]});
      near(got, [0.6, 0.4, 0.2, 1], 1e-6);
    },
  },
  'texture: a cube of 8192 at its edges': {
    async run(kit) {
      const kSize = 8192;
      const cube = kit.texture('r8unorm', [kSize, kSize, 6], GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST);
      // Face f has 10 * (f + 1) at its right edge, 20 * (f + 1) at its left one, in the middle rows.
      for (let face = 0; face < 6; face++) {
        kit.write(cube, new Uint8Array(256 * 4).fill(10 * (face + 1)), [1, 4, 1], {bytesPerRow: 256, origin: [kSize - 1, 4094, face]});
        kit.write(cube, new Uint8Array(256 * 4).fill(20 * (face + 1)), [1, 4, 1], {bytesPerRow: 256, origin: [0, 4094, face]});
      }
      const got = await kit.compute(kFloats + `
        @group(0) @binding(1) var t: texture_cube<f32>;
        @group(0) @binding(2) var near: sampler;
        @group(0) @binding(3) var smooth_: sampler;` + one(`
          let e = 1.0 - 1.0 / 8192;
          out[0] = 255 * textureSampleLevel(t, near, vec3f(1, 0.0001, -e), 0).r;
          out[1] = 255 * textureSampleLevel(t, near, vec3f(1, 0.0001, e), 0).r;
          out[2] = 255 * textureSampleLevel(t, near, vec3f(e, 0.0001, 1), 0).r;
          out[3] = 255 * textureSampleLevel(t, near, vec3f(e, 0.0001, -1), 0).r;
          out[4] = 255 * textureSampleLevel(t, smooth_, vec3f(1, 0, -1), 0).r;
          out[5] = f32(textureDimensions(t).x);`),
        {words: 6, Type: Float32Array, resources: [
          cube.createView({dimension: 'cube'}), kit.device.createSampler(), kit.device.createSampler({magFilter: 'linear', minFilter: 'linear'})]});
      // The last: half of +x at its right edge, 10, and of -z at its left one, 120.
      near(got, [10, 20, 50, 120, 65, 8192], 0.6);
      cube.destroy();
    },
  },
};

// A block of BC7 in mode 6: two ends of 7 bits a channel (r0 r1 g0 g1 b0 b1 a0 a1), a p-bit for each, indices 0.
function bc7Mode6(ends, p0, p1) {
  let bits = 1n << 6n, at = 7n;
  for (const end of ends) bits |= BigInt(end) << at, at += 7n;
  bits |= BigInt(p0) << at | BigInt(p1) << (at + 1n);
  return Array.from({length: 16}, (_, i) => Number(bits >> BigInt(8 * i) & 255n));
}
