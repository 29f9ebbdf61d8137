// Checks of compute programs; every value is worked out by hand from the WebGPU and WGSL specifications.
import {near, same} from './harness.mjs';

const kOut = '@group(0) @binding(0) var<storage, read_write> out: array<u32>;\n';
const kFloats = '@group(0) @binding(0) var<storage, read_write> out: array<f32>;\n';
const one = (body) => `@compute @workgroup_size(1) fn main() {\n${body}\n}`;

export const computeChecks = {
  'compute: ids of a 3x5x2 workgroup': {
    async run(kit) {
      const out = await kit.compute(kOut + `
        @compute @workgroup_size(3, 5, 2) fn main(@builtin(local_invocation_index) i: u32,
            @builtin(local_invocation_id) l: vec3u, @builtin(workgroup_id) w: vec3u, @builtin(num_workgroups) n: vec3u,
            @builtin(global_invocation_id) g: vec3u) {
          let ok = g.x == 3 * w.x + l.x && g.y == 5 * w.y + l.y && i == l.x + 3 * l.y + 15 * l.z && n.x == 2 && n.y == 3;
          out[30 * (w.x + 2 * w.y) + i] = select(0u, 1000 * w.x + 100 * w.y + i + 1, ok);
        }`, {words: 180, groups: [2, 3]});
      const wanted = [];
      for (let y = 0; y < 3; y++)
        for (let x = 0; x < 2; x++)
          for (let i = 0; i < 30; i++) wanted.push(1000 * x + 100 * y + i + 1);
      same(out, wanted);
    },
  },
  'compute: sum in workgroup memory': {
    async run(kit) {
      const out = await kit.compute(kOut + `
        var<workgroup> part: array<u32, 256>;
        @compute @workgroup_size(256) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) w: vec3u) {
          part[i] = i * (w.x + 1);
          for (var step = 128u; step > 0; step /= 2) {
            workgroupBarrier();
            if (i < step) { part[i] += part[i + step]; }
          }
          if (i == 0) { out[w.x] = part[0]; }
        }`, {words: 4, groups: [4]});
      same(out, [32640, 65280, 97920, 130560]);
    },
  },
  'compute: workgroup memory begins as zero': {
    async run(kit) {
      const out = await kit.compute(kOut + `
        var<workgroup> part: array<u32, 1024>;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32, @builtin(workgroup_id) w: vec3u) {
          var sum = 0u;
          for (var k = 0u; k < 16; k++) { sum += part[64 * k + i]; part[64 * k + i] = 77; }
          out[64 * w.x + i] = sum + 1;
        }`, {words: 512, groups: [8]});
      same(out, new Array(512).fill(1));
    },
  },
  'compute: workgroupUniformLoad': {
    async run(kit) {
      const out = await kit.compute(kOut + `
        var<workgroup> limit: u32;
        @compute @workgroup_size(32) fn main(@builtin(local_invocation_index) i: u32) {
          if (i == 31) { limit = 5; }
          let n = workgroupUniformLoad(&limit);
          var sum = i;
          for (var k = 0u; k < n; k++) { workgroupBarrier(); sum += 2; }
          out[i] = sum;
        }`, {words: 32});
      same(out, Array.from({length: 32}, (_, i) => i + 10));
    },
  },
  'compute: atomics on a storage buffer': {
    async run(kit) {
      const initial = new Uint32Array([0, 100, 1000, 0xffffffff, 0, 0xf0f0, 0, 7, 0]);
      const signed = new Int32Array([5, -5, 0]);
      const out = await kit.compute(kOut + `
        @group(0) @binding(1) var<storage, read_write> a: array<atomic<u32>>;
        @group(0) @binding(2) var<storage, read_write> s: array<atomic<i32>>;
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32) {
          atomicAdd(&a[0], i);
          atomicSub(&a[1], 1);
          atomicMin(&a[2], i + 20);
          atomicAnd(&a[3], ~(1u << (i & 31)));
          atomicOr(&a[4], 1u << (i & 31));
          atomicXor(&a[5], 1u << (i & 31));
          atomicMax(&a[6], i * 3);
          let r = atomicCompareExchangeWeak(&a[7], 7, 100 + i);
          if (r.exchanged) { atomicAdd(&a[8], 1); }
          atomicMax(&s[0], -i32(i));
          atomicMin(&s[1], -i32(i));
          atomicAdd(&s[2], -i32(i));
          storageBarrier();
          if (i == 0) {
            for (var k = 0u; k < 9; k++) { out[k] = atomicLoad(&a[k]); }
            for (var k = 0u; k < 3; k++) { out[9 + k] = bitcast<u32>(atomicLoad(&s[k])); }
          }
        }`, {words: 12, resources: [kit.buffer(initial), kit.buffer(signed)]});
      same(out.subarray(0, 7), [2016, 36, 20, 0, 0xffffffff, 0xf0f0, 189]);
      // "Weak" may fail for no reason, but no two may succeed.
      if (out[8] > 1 || (out[8] === 1 && (out[7] < 100 || out[7] > 163))) throw new Error(`${out[8]} exchanged, ${out[7]}`);
      same(new Int32Array(out.buffer).subarray(9), [5, -63, -2016]);
    },
  },
  'compute: atomics in workgroup memory': {
    async run(kit) {
      const out = await kit.compute(kOut + `
        var<workgroup> bins: array<atomic<u32>, 8>;
        @compute @workgroup_size(128) fn main(@builtin(local_invocation_index) i: u32) {
          atomicAdd(&bins[(i * i) & 7], i);
          workgroupBarrier();
          if (i < 8) { out[i] = atomicExchange(&bins[i], 0); }
        }`, {words: 8});
      const wanted = new Array(8).fill(0);
      for (let i = 0; i < 128; i++) wanted[(i * i) & 7] += i;
      same(out, wanted);
    },
  },
  'compute: integers': {
    async run(kit) {
      const out = await kit.compute(kOut + `
        @group(0) @binding(1) var<storage, read> given: array<u32>;
        ` + one(`
          let x = given[0]; let zero = given[1]; let low = bitcast<i32>(given[2]); let minus = bitcast<i32>(given[3]);
          out[0] = countOneBits(x); out[1] = reverseBits(x); out[2] = firstLeadingBit(x); out[3] = firstTrailingBit(x);
          out[4] = countLeadingZeros(x); out[5] = countTrailingZeros(zero); out[6] = extractBits(x, 4, 8);
          out[7] = insertBits(x, 0xff, 8, 4); out[8] = x / zero; out[9] = x % zero;
          out[10] = bitcast<u32>(low / minus); out[11] = bitcast<u32>(low % minus);
          out[12] = x << (given[4] & 31); out[13] = bitcast<u32>(low >> (given[4] & 31));
          out[14] = bitcast<u32>(extractBits(low, 24, 8)); out[15] = bitcast<u32>(firstLeadingBit(minus));
          out[16] = bitcast<u32>(abs(low)); out[17] = bitcast<u32>(-7 / (minus * 2)); out[18] = bitcast<u32>((minus * 7) % 4);
          out[19] = x * 0x10001u; out[20] = extractBits(x, 28, given[4] / 3); out[21] = firstLeadingBit(zero);`),
        {words: 22, resources: [kit.buffer(new Uint32Array([0x00f0a50c, 0, 0x80000000, 0xffffffff, 36]))]});
      same(out, [10, 0x30a50f00, 23, 2, 8, 32, 0x50, 0x00f0af0c, 0x00f0a50c, 0, 0x80000000, 0, 0x0f0a50c0, 0xf8000000,
                 0xffffff80, 0xffffffff, 0x80000000, 3, 0xfffffffd, (0x00f0a50c * 0x10001) % 2 ** 32, 0, 0xffffffff]);
    },
  },
  'compute: packing': {
    async run(kit) {
      const out = await kit.compute(kOut + `
        @group(0) @binding(1) var<storage, read> f: array<f32>;
        @group(0) @binding(2) var<storage, read> u: array<u32>;
        ` + one(`
          let v = vec4f(f[0], f[1], f[2], f[3]);
          out[0] = pack4x8unorm(v); out[1] = pack4x8snorm(v); out[2] = pack2x16unorm(v.xy); out[3] = pack2x16snorm(v.yz);
          out[4] = pack2x16float(v.zw);
          let a = unpack4x8unorm(u[0]); let b = unpack2x16float(u[1]); let c = unpack4x8snorm(u[0]);
          out[5] = u32(a.x * 255 + 0.5) + (u32(a.w * 255 + 0.5) << 8); out[6] = bitcast<u32>(b.x); out[7] = bitcast<u32>(b.y);
          out[8] = select(0u, 1u, abs(c.z + 1.0 / 127) < 1e-7);
          out[9] = dot4U8Packed(u[0], u[2]); out[10] = bitcast<u32>(dot4I8Packed(u[0], u[2]));
          out[11] = pack4xU8(vec4u(1, 2, 3, 260)); out[12] = pack4xI8Clamp(vec4i(-200, 5, 200, -1));`),
        {words: 13, resources: [kit.buffer(new Float32Array([0, 1, 0.5, -1])),
                                kit.buffer(new Uint32Array([0x80ff7f01, 0x3c00c500, 0x01020304]))]});
      // 0.5 * 127 = 63.5 may round either way; 0.5 * 255 = 127.5 too.
      const either = (got, some) => { if (!some.includes(got)) throw new Error(`${got.toString(16)} is none of ${some}`); };
      either(out[0], [0x007fff00, 0x0080ff00]);
      either(out[1], [0x813f7f00, 0x81407f00]);
      same([out[2]], [0xffff0000]);
      either(out[3], [0x3fff7fff, 0x40007fff]);
      same(out.subarray(4), [0xbc003800, 1 + (128 << 8), 0xc0a00000, 0x3f800000,
                             1,
                             4 + 3 * 127 + 2 * 255 + 128, 4 + 3 * 127 - 2 - 128 >>> 0, 0x04030201, 0xff7f0580]);
    },
  },
  'compute: floats': {
    async run(kit) {
      const out = await kit.compute(kFloats + `
        @group(0) @binding(1) var<storage, read> f: array<f32>;
        ` + one(`
          let m = modf(f[0]); let e = frexp(f[1]);
          out[0] = m.fract; out[1] = m.whole; out[2] = e.fract; out[3] = f32(e.exp);
          out[4] = ldexp(f[2], 5); out[5] = round(f[2]); out[6] = round(f[3]); out[7] = trunc(f[0]);
          out[8] = sign(f[0]); out[9] = fract(f[0]); out[10] = clamp(f[1], 0, 3); out[11] = smoothstep(0, 10, f[2]);
          out[12] = select(0f, 1f, i32(f[4]) >= 2147483520); out[13] = f32(u32(f[0])); out[14] = quantizeToF16(f[5]); out[15] = mix(f[2], f[3], 0.25);
          out[16] = step(f[0], 1); out[17] = saturate(f[3]); out[18] = f[0] % 2; out[19] = floor(f[0]);
          out[20] = length(vec3f(2, 3, 6)); out[21] = dot(vec4f(1, 2, 3, 4), vec4f(f[2])); out[22] = determinant(mat3x3f(2, 0, 0, 0, 3, 0, 1, 1, 4));
          out[23] = cross(vec3f(1, 0, 0), vec3f(0, 1, 0)).z; out[24] = faceForward(vec3f(1), vec3f(1), vec3f(1)).x;
          out[25] = fma(f[2], 2, 1); out[26] = max(f[0], f[1]); out[27] = inverseSqrt(16.0); out[28] = reflect(vec2f(1, -1), vec2f(0, 1)).y;`),
        {words: 29, Type: Float32Array, resources: [kit.buffer(new Float32Array([-3.75, 12, 2.5, 3.5, 1e20, 1.001]))]});
      near(out, [-0.75, -3, 0.75, 4, 80, 2, 4, -3, -1, 0.25, 3, 0.15625, 1, 0, 1, 2.75, 1, 1, -1.75, -4, 7, 25, 24, 1,
                 -1, 6, 12, 0.25, 1].map((x, i) => i === 14 ? 1.0009765625 : x), 1e-6);
    },
  },
  'compute: indices outside stay inside': {
    async run(kit) {
      const guard = kit.buffer(new Uint32Array(64).fill(9));
      const bound = {buffer: guard, offset: 0, size: 32};
      const out = await kit.compute(kOut + `
        @group(0) @binding(1) var<storage, read_write> a: array<u32, 8>;
        @group(0) @binding(2) var<uniform> at: vec4u;
        ` + one(`
          var local = array<u32, 4>(1, 2, 3, 4);
          a[at.x] = 5;
          out[0] = select(0u, 1u, a[at.y] == 9 || a[at.y] == 5 || a[at.y] == 0);
          let l = local[at.y];
          out[1] = select(0u, 1u, l <= 4);`),
        {words: 2, resources: [bound, kit.buffer(new Uint32Array([40, 4000000000, 0, 0]), GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST)]});
      same(out, [1, 1]);
      same((await kit.read(guard)).subarray(8), new Array(56).fill(9), 'beyond the array');
    },
  },
  'compute: overridable constants': {
    async run(kit) {
      const out = await kit.compute(kOut + `
        override size: u32 = 4;
        @id(7) override factor: f32 = 1.5;
        override yes: bool = false;
        override twice = size * 2;
        var<workgroup> part: array<u32, twice>;
        @compute @workgroup_size(size) fn main(@builtin(local_invocation_index) i: u32) {
          part[i + size] = i + u32(factor * 10) + select(0u, 1000u, yes);
          workgroupBarrier();
          out[i] = part[twice - 1 - i];
        }`, {words: 8, constants: {size: 8, 7: 2.5, yes: 1}});
      same(out, [1032, 1031, 1030, 1029, 1028, 1027, 1026, 1025]);
    },
  },
  'compute: f16': {
    needs: ['shader-f16'],
    async run(kit) {
      const out = await kit.compute('enable f16;\n' + kFloats + `
        @group(0) @binding(1) var<storage, read_write> h: array<vec4h>;
        @group(0) @binding(2) var<uniform> u: vec4h;
        ` + one(`
          let v = h[0] * 2 + u;
          h[1] = v;
          out[0] = f32(v.x); out[1] = f32(v.y); out[2] = f32(v.z); out[3] = f32(v.w);
          out[4] = f32(f16(2049.0)); out[5] = f32(dot(h[0], vec4h(1))); out[6] = f32(max(u.x, h[0].w)); out[7] = f32(f16(i32(-7)));`),
        {words: 8, Type: Float32Array, resources: [
          kit.buffer(new Uint16Array([0x3c00, 0x4000, 0x4200, 0x4400, 0, 0, 0, 0])),
          kit.buffer(new Uint16Array([0x3800, 0xb800, 0x0000, 0x6400]), GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST)]});
      same(out, [2.5, 3.5, 6, 1032, 2048, 10, 4, -7]);
    },
  },
  'compute: subgroups': {
    needs: ['subgroups'],
    async run(kit) {
      const out = await kit.compute('enable subgroups;\n' + kOut + `
        @compute @workgroup_size(64) fn main(@builtin(local_invocation_index) i: u32,
            @builtin(subgroup_invocation_id) s: u32, @builtin(subgroup_size) n: u32) {
          let base = subgroupBroadcastFirst(i);
          let b = subgroupBallot((s & 1) == 1);
          var ok = 0u;
          if (subgroupAdd(s) == n * (n - 1) / 2) { ok |= 1; }
          if (subgroupExclusiveAdd(1u) == s) { ok |= 2; }
          if (subgroupInclusiveAdd(1u) == s + 1) { ok |= 4; }
          if (subgroupMax(i) == base + n - 1) { ok |= 8; }
          if (subgroupShuffleXor(s, 1) == (s ^ 1)) { ok |= 16; }
          if (subgroupBroadcast(s, 2) == 2) { ok |= 32; }
          if (countOneBits(b.x) + countOneBits(b.y) + countOneBits(b.z) + countOneBits(b.w) == n / 2) { ok |= 64; }
          let all = subgroupAll(n > 0); let any = subgroupAny(s == n - 1); let none = subgroupAll(s == 0);
          if (all && any && !none) { ok |= 128; }
          if (quadBroadcast(s, 3) == (s | 3)) { ok |= 256; }
          let x = quadSwapX(s); let y = quadSwapY(s); let d = quadSwapDiagonal(s);
          if (x == (s ^ 1) && y == (s ^ 2) && d == (s ^ 3)) { ok |= 512; }
          if (subgroupElect() == (s == 0)) { ok |= 1024; }
          out[i] = ok;
        }`, {words: 64});
      same(out, new Array(64).fill(2047));
    },
  },
  'compute: indirect dispatch and dynamic offsets': {
    async run(kit) {
      const {device} = kit;
      const out = kit.buffer(4 * 64);
      const uniform = device.createBuffer({size: 768, usage: GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST});
      for (let i = 0; i < 3; i++) device.queue.writeBuffer(uniform, 256 * i, new Uint32Array([10 * i, 100 + i, 0, 0]));
      const args = kit.buffer(new Uint32Array([9, 9, 4, 1, 1]), GPUBufferUsage.INDIRECT | GPUBufferUsage.COPY_DST);
      const layout = device.createBindGroupLayout({entries: [
        {binding: 0, visibility: GPUShaderStage.COMPUTE, buffer: {type: 'storage'}},
        {binding: 1, visibility: GPUShaderStage.COMPUTE, buffer: {type: 'uniform', hasDynamicOffset: true}}]});
      const pipeline = device.createComputePipeline({
        layout: device.createPipelineLayout({bindGroupLayouts: [layout]}),
        compute: {module: kit.module(kOut + `
          @group(0) @binding(1) var<uniform> u: vec4u;
          @compute @workgroup_size(2) fn main(@builtin(global_invocation_id) g: vec3u) { out[u.x + g.x] = u.y + g.x; }`), entryPoint: 'main'},
      });
      const group = device.createBindGroup({layout, entries: [{binding: 0, resource: {buffer: out}},
                                                               {binding: 1, resource: {buffer: uniform, size: 16}}]});
      const encoder = device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      pass.setPipeline(pipeline);
      for (let i = 0; i < 3; i++) {
        pass.setBindGroup(0, group, [256 * i]);
        pass.dispatchWorkgroupsIndirect(args, 8);
      }
      pass.end();
      device.queue.submit([encoder.finish()]);
      const wanted = new Array(30).fill(0);
      for (let i = 0; i < 3; i++) for (let k = 0; k < 8; k++) wanted[10 * i + k] = 100 + i + k;
      same(await kit.read(out), wanted);
    },
  },
  'compute: buffers are copied, cleared and mapped': {
    async run(kit) {
      const {device} = kit;
      const a = device.createBuffer({size: 64, usage: GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST, mappedAtCreation: true});
      new Uint32Array(a.getMappedRange(16, 16)).set([1, 2, 3, 4]);
      a.unmap();
      const b = kit.buffer(new Uint32Array(16).fill(8));
      const encoder = device.createCommandEncoder();
      encoder.copyBufferToBuffer(a, 16, b, 4, 12);
      encoder.clearBuffer(b, 32, 8);
      device.queue.submit([encoder.finish()]);
      same(await kit.read(b), [8, 1, 2, 3, 8, 8, 8, 8, 0, 0, 8, 8, 8, 8, 8, 8]);
    },
  },
};
