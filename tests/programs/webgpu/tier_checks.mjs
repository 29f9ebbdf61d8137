// Checks of the formats of the features texture-formats-tier1 and -tier2, and of the smaller features.
import {kCover, near, same} from './harness.mjs';

const kFloats = '@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n';
const one = (body) => `@compute @workgroup_size(1) fn main() {\n${body}\n}`;
const halves = (...words) => [...new Uint8Array(new Uint16Array(words).buffer)];

// Format, bytes of a texel, what a shader reads of it.
const kTexels = [
  ['r16unorm', halves(13107), [0.2, 0, 0, 1]], ['r16snorm', halves(0x8001), [-1, 0, 0, 1]],
  ['rg16unorm', halves(65535, 26214), [1, 0.4, 0, 1]], ['rg16snorm', halves(0x7fff, 0x8000), [1, -1, 0, 1]],
  ['rgba16unorm', halves(0, 65535, 13107, 52428), [0, 1, 0.2, 0.8]], ['rgba16snorm', halves(0, 0x7fff, 0x8001, 0), [0, 1, -1, 0]],
  ['r8snorm', [0x81], [-1, 0, 0, 1]], ['rg8snorm', [127, 0x81], [1, -1, 0, 1]], ['rgba8snorm', [0, 127, 0x81, 127], [0, 1, -1, 1]],
];

export const tierChecks = {
  'tier 1: 16-bit norms and signed targets': {
    needs: ['texture-formats-tier1'],
    async run(kit) {
      for (const [format, bytes, wanted] of kTexels) {
        const texture = kit.filled(format, [1, 1], new Uint8Array([...bytes, ...new Array(16).fill(0)]), 256);
        const got = await kit.compute(kFloats + '@group(0) @binding(1) var t: texture_2d<f32>;\n' + one(`
          let v = textureLoad(t, vec2u(0), 0); out[0] = v.x; out[1] = v.y; out[2] = v.z; out[3] = v.w;`),
          {words: 4, Type: Float32Array, resources: [texture.createView()]});
        near(got, wanted, 1e-5, format);
        const painted = await kit.paint(`@fragment fn fs() -> @location(0) vec4f { return vec4f(${wanted.map((v) => v.toFixed(3))}); }`,
                                        {format, bytes: bytes.length, width: 2, height: 2});
        const exact = format === 'rg16snorm' ? halves(0x7fff, 0x8001) : bytes;
        same(painted, new Array(4).fill(exact).flat(), format);
      }
    },
  },
  'tier 1: storage textures of all its formats': {
    needs: ['texture-formats-tier1'],
    async run(kit) {
      const usage = GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC;
      const more = [['r8unorm', 'f32', [51], '0.2'], ['rg8unorm', 'f32', [51, 255], '0.2, 1'], ['r8uint', 'u32', [200], '200'],
                    ['r8sint', 'i32', [251], '-5'], ['rg8uint', 'u32', [1, 2], '1, 2'], ['rg8sint', 'i32', [255, 3], '-1, 3'],
                    ['r16uint', 'u32', halves(60000), '60000'], ['r16sint', 'i32', halves(0xfffe), '-2'], ['r16float', 'f32', halves(0xc500), '-5'],
                    ['rg16uint', 'u32', halves(7, 60000), '7, 60000'], ['rg16sint', 'i32', halves(0xffff, 5), '-1, 5'],
                    ['rg16float', 'f32', halves(0x3c00, 0x3800), '1, 0.5'], ['rgb10a2unorm', 'f32', [255, 3, 0, 0x40], '1, 0, 0, 0.3333333'],
                    ['rgb10a2uint', 'u32', [0xe8, 0x17, 0xf0, 0xff], '1000, 5, 1023, 3'],
                    ['rg11b10ufloat', 'f32', [0xc0, 0x03, 0x1f, 0x80], '1, 1.5, 2']];
      const norms = kTexels.map(([format, bytes, wanted]) => [format, 'f32', format === 'rg16snorm' ? halves(0x7fff, 0x8001) : bytes, wanted.map((v) => v.toFixed(3)).join()]);
      for (const [format, kind, bytes, value] of [...more, ...norms]) {
        const texture = kit.texture(format, [2, 2], usage);
        const parts = value.split(',');
        while (parts.length < 4) parts.push('0');
        await kit.compute(`@group(0) @binding(0) var<storage, read_write> out: array<u32>;
          @group(0) @binding(1) var t: texture_storage_2d<${format}, write>;
          @compute @workgroup_size(2, 2) fn main(@builtin(local_invocation_id) i: vec3u) { textureStore(t, i.xy, vec4<${kind}>(${parts})); out[0] = 1; }`,
                          {resources: [texture.createView()]});
        same(await kit.texels(texture, bytes.length), new Array(4).fill(bytes).flat(), format);
      }
    },
  },
  'tier 2: storage textures that are read and written': {
    needs: ['texture-formats-tier2'],
    async run(kit) {
      const usage = GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.COPY_SRC | GPUTextureUsage.COPY_DST;
      const cases = [['rgba8unorm', 'f32', [51, 0, 102, 255], [102, 0, 204, 255]], ['rgba8uint', 'u32', [1, 2, 3, 100], [2, 4, 6, 200]],
                     ['r16sint', 'i32', halves(0xfffd), halves(0xfffa)], ['rgba16float', 'f32', halves(0x3c00, 0xbc00, 0x3800, 0), halves(0x4000, 0xc000, 0x3c00, 0)],
                     ['r8unorm', 'f32', [60], [120]], ['rgba32uint', 'u32', [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 0, 1, 0, 0], [2, 0, 0, 0, 4, 0, 0, 0, 6, 0, 0, 0, 0, 2, 0, 0]]];
      for (const [format, kind, before, after] of cases) {
        const texture = kit.texture(format, [1, 1], usage);
        kit.write(texture, new Uint8Array([...before, ...new Array(16).fill(0)]), [1, 1], {bytesPerRow: 256});
        await kit.compute(`@group(0) @binding(0) var<storage, read_write> out: array<u32>;
          @group(0) @binding(1) var t: texture_storage_2d<${format}, read_write>;` + one('textureStore(t, vec2u(0), textureLoad(t, vec2u(0)) * 2); out[0] = 1;'),
                          {resources: [texture.createView()]});
        same(await kit.texels(texture, before.length), after, format);
      }
    },
  },
  'feature: floats of 32 bits are filtered and blended': {
    needs: ['float32-filterable', 'float32-blendable'],
    async run(kit) {
      const texture = kit.filled('rg32float', [2, 1], new Float32Array([1, -8, 3, 8]), 256);
      const got = await kit.compute(kFloats + `@group(0) @binding(1) var t: texture_2d<f32>;
        @group(0) @binding(2) var s: sampler;` + one('let v = textureSampleLevel(t, s, vec2f(0.5), 0); out[0] = v.x; out[1] = v.y;'),
        {words: 2, Type: Float32Array, resources: [texture.createView(), kit.device.createSampler({magFilter: 'linear', minFilter: 'linear'})]});
      near(got, [2, 0], 1e-6);
      const sum = {srcFactor: 'one', dstFactor: 'one', operation: 'add'};
      const painted = await kit.paint('@fragment fn fs() -> @location(0) vec4f { return vec4f(0.25, 100000, -3, 1); }',
        {format: 'rgba32float', bytes: 16, width: 1, height: 1, clear: [1, 1, 1, 1], pipeline: {targets: [{blend: {color: sum, alpha: sum}}]}});
      same(new Float32Array(painted.buffer), [1.25, 100001, -2, 2]);
    },
  },
  'feature: blocks of volumes': {
    needs: ['texture-compression-bc-sliced-3d'],
    async run(kit) {
      const volume = kit.texture('bc4-r-unorm', [4, 4, 4], GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_DST, {dimension: '3d'});
      for (let z = 0; z < 4; z++)
        kit.write(volume, new Uint8Array([51 * (z + 1), 0, 0, 0, 0, 0, 0, 0]), [4, 4, 1], {bytesPerRow: 256, rowsPerImage: 1, origin: [0, 0, z]});
      const got = await kit.compute(kFloats + '@group(0) @binding(1) var t: texture_3d<f32>;\n' +
        one('for (var z = 0u; z < 4; z++) { out[z] = textureLoad(t, vec3u(1, 2, z), 0).r; }'),
        {words: 4, Type: Float32Array, resources: [volume.createView({dimension: '3d'})]});
      near(got, [0.2, 0.4, 0.6, 0.8], 1e-5);
    },
  },
  'draw: passes that read what the last one drew': {
    async run(kit) {
      // A texture is drawn to, then read in the next pass of the same command buffer, ten times.
      const pair = [kit.target('r32float', 2, 2), kit.target('r32float', 2, 2)];
      const pipeline = kit.pipeline(kCover + `@group(0) @binding(0) var t: texture_2d<f32>;
        @fragment fn fs(@builtin(position) p: vec4f) -> @location(0) vec4f { return vec4f(textureLoad(t, vec2u(p.xy), 0).r * 2 + p.x); }`, ['r32float']);
      const groups = pair.map((t) => kit.bind(pipeline, [t.createView()]));
      const encoder = kit.device.createCommandEncoder();
      for (let i = 0; i < 10; i++) {
        const pass = encoder.beginRenderPass({colorAttachments: [{view: pair[(i + 1) % 2].createView(), loadOp: 'clear', storeOp: 'store'}]});
        pass.setPipeline(pipeline); pass.setBindGroup(0, groups[i % 2]); pass.draw(3); pass.end();
      }
      kit.device.queue.submit([encoder.finish()]);
      // x + 2x + 4x ... 512x = 1023x.
      same(new Float32Array((await kit.texels(pair[0], 4)).buffer), [511.5, 1534.5, 511.5, 1534.5]);
    },
  },
};
