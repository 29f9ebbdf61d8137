// Cube maps for whole groups: included after wide_lod_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_cube_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

CUTAWAY_INLINE I8 select(I8 mask, I8 yes, I8 no) { return choose(mask, yes, no); }
CUTAWAY_INLINE F8 select(I8 mask, F8 yes, F8 no) { return choose(mask, yes, no); }

// The table kCubeFace of cube.h as masks: s runs along z (otherwise x), t along z (otherwise y), and their
// signs.
struct CubeAxes {
  I8 s_is_z, t_is_z, s_down, t_down, odd;
};
CUTAWAY_INLINE CubeAxes cube_axes(I8 face) {
  const I8 odd = (I8)((face & 1) != 0), axis = face >> 1;
  const I8 is_x = (I8)(axis == 0), is_y = (I8)(axis == 1), is_z = (I8)(axis == 2);
  return {is_x, is_y, (is_x & ~odd) | (is_z & odd), ~(is_y & ~odd), odd};
}

// cube_face of cube.h, for directions of integers or floats.
template <class T>
CUTAWAY_INLINE I8 cube_faces(T x, T y, T z) {
  const T zero{};
  const T ax = select((I8)(x < zero), -x, x), ay = select((I8)(y < zero), -y, y),
          az = select((I8)(z < zero), -z, z);
  const I8 is_z = (I8)(az >= ax) & (I8)(az >= ay), is_y = ~is_z & (I8)(ay >= ax);
  const T along = select(is_z, z, select(is_y, y, x));
  return (is_z & 4) | (is_y & 2) | ((I8)(along < zero) & 1);
}

// cube_point of cube.h: the face of a direction, and s and t on it.
CUTAWAY_INLINE I8 cube_point(F8 x, F8 y, F8 z, F8& s, F8& t) {
  const I8 face = cube_faces(x, y, z);
  const CubeAxes axes = cube_axes(face);
  const F8 up = all(1), down = all(-1);
  const F8 sc = choose(axes.s_down, down, up) * choose(axes.s_is_z, z, x);
  const F8 tc = choose(axes.t_down, down, up) * choose(axes.t_is_z, z, y);
  const F8 along = choose((I8)(face >> 1 == 2), z, choose((I8)(face >> 1 == 1), y, x));
  const F8 rc = choose(axes.odd, -along, along);
  s = 0.5f * (sc / rc) + 0.5f;
  t = 0.5f * (tc / rc) + 0.5f;
  return face;
}

// cube_texel of cube.h: if (i, j) lies beyond an edge, the texel of the adjacent face. Lanes beyond a corner
// clear `inside`.
CUTAWAY_INLINE void fold_texel(I8& face, I8& i, I8& j, I8 size, I8& inside) {
  const I8 out_i = (I8)(i < 0) | (I8)(i >= size), out_j = (I8)(j < 0) | (I8)(j >= size);
  const I8 out = out_i | out_j;
  if (!mask_of(out)) return;
  inside &= ~(out_i & out_j);
  const auto center = [&](I8 n) {
    return choose((I8)(n < 0), -size, choose((I8)(n >= size), size, n + n + 1 - size));
  };
  const CubeAxes from = cube_axes(face);
  const I8 ci = center(i), cj = center(j), most = size - 1;
  const I8 cs = choose(from.s_down, -ci, ci), ct = choose(from.t_down, -cj, cj);
  const I8 along = choose(from.odd, -most, most);
  const I8 is_x = from.s_is_z, is_y = from.t_is_z;
  const I8 x = choose(is_x, along, cs), y = choose(is_y, along, ct);
  const I8 z = choose(is_x, cs, choose(is_y, ct, along));
  const I8 other = cube_faces(x, y, z);
  const CubeAxes to = cube_axes(other);
  const I8 s = choose(to.s_is_z, z, x), t = choose(to.t_is_z, z, y);
  face = choose(out, other, face);
  i = choose(out, (choose(to.s_down, -s, s) + most) >> 1, i);
  j = choose(out, (choose(to.t_down, -t, t) + most) >> 1, j);
}

}  // namespace cutaway::func::CUTAWAY_ALU
