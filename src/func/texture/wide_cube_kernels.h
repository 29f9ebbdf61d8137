// Cube maps for whole groups: included after wide_lod_kernels.h, under the same rules.
#ifndef CUTAWAY_ALU
#error "wide_cube_kernels.h belongs to a translation that defines CUTAWAY_ALU"
#endif

#include "func/texture/wide_sample.h"

namespace cutaway::func::CUTAWAY_ALU {

CUTAWAY_INLINE Ints select(Ints mask, Ints yes, Ints no) { return choose(mask, yes, no); }
CUTAWAY_INLINE Floats select(Ints mask, Floats yes, Floats no) { return choose(mask, yes, no); }

// The table kCubeFace of cube.h as masks: s runs along z (otherwise x), t along z (otherwise y), and their
// signs.
struct CubeAxes {
  Ints s_is_z, t_is_z, s_down, t_down, odd;
};
CUTAWAY_INLINE CubeAxes cube_axes(Ints face) {
  const Ints odd = (Ints)((face & 1) != 0), axis = face >> 1;
  const Ints is_x = (Ints)(axis == 0), is_y = (Ints)(axis == 1), is_z = (Ints)(axis == 2);
  return {is_x, is_y, (is_x & ~odd) | (is_z & odd), ~(is_y & ~odd), odd};
}

// cube_face of cube.h, for directions of integers or floats.
template <class T>
CUTAWAY_INLINE Ints cube_faces(T x, T y, T z) {
  const T zero{};
  const T ax = select((Ints)(x < zero), -x, x), ay = select((Ints)(y < zero), -y, y),
          az = select((Ints)(z < zero), -z, z);
  const Ints is_z = (Ints)(az >= ax) & (Ints)(az >= ay), is_y = ~is_z & (Ints)(ay >= ax);
  const T along = select(is_z, z, select(is_y, y, x));
  return (is_z & 4) | (is_y & 2) | ((Ints)(along < zero) & 1);
}

// cube_point of cube.h: the face of a direction, and s and t on it.
CUTAWAY_INLINE Ints cube_point(Floats x, Floats y, Floats z, Floats& s, Floats& t) {
  const Ints face = cube_faces(x, y, z);
  const CubeAxes axes = cube_axes(face);
  const Floats up = all(1), down = all(-1);
  const Floats sc = choose(axes.s_down, down, up) * choose(axes.s_is_z, z, x);
  const Floats tc = choose(axes.t_down, down, up) * choose(axes.t_is_z, z, y);
  const Floats along = choose((Ints)(face >> 1 == 2), z, choose((Ints)(face >> 1 == 1), y, x));
  const Floats rc = choose(axes.odd, -along, along);
  s = 0.5f * (sc / rc) + 0.5f;
  t = 0.5f * (tc / rc) + 0.5f;
  return face;
}

// cube_texel of cube.h: if (i, j) lies beyond an edge, the texel of the adjacent face. Lanes beyond a corner
// clear `inside`.
CUTAWAY_INLINE void fold_texel(Ints& face, Ints& i, Ints& j, Ints size, Ints& inside) {
  const Ints out_i = (Ints)(i < 0) | (Ints)(i >= size), out_j = (Ints)(j < 0) | (Ints)(j >= size);
  const Ints out = out_i | out_j;
  if (!mask_of(out)) return;
  inside &= ~(out_i & out_j);
  const auto center = [&](Ints n) {
    return choose((Ints)(n < 0), -size, choose((Ints)(n >= size), size, n + n + 1 - size));
  };
  const CubeAxes from = cube_axes(face);
  const Ints ci = center(i), cj = center(j), most = size - 1;
  const Ints cs = choose(from.s_down, -ci, ci), ct = choose(from.t_down, -cj, cj);
  const Ints along = choose(from.odd, -most, most);
  const Ints is_x = from.s_is_z, is_y = from.t_is_z;
  const Ints x = choose(is_x, along, cs), y = choose(is_y, along, ct);
  const Ints z = choose(is_x, cs, choose(is_y, ct, along));
  const Ints other = cube_faces(x, y, z);
  const CubeAxes to = cube_axes(other);
  const Ints s = choose(to.s_is_z, z, x), t = choose(to.t_is_z, z, y);
  face = choose(out, other, face);
  i = choose(out, (choose(to.s_down, -s, s) + most) >> 1, i);
  j = choose(out, (choose(to.t_down, -t, t) + most) >> 1, j);
}

}  // namespace cutaway::func::CUTAWAY_ALU
