#version 450
// A blur along rows or columns: a workgroup loads 64 pixels of a line and 8 beyond each end into shared memory, and
// weighs 17 of them for each pixel.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0, rgba8) readonly uniform image2D from;
layout(set = 0, binding = 1, rgba8) writeonly uniform image2D to;
layout(push_constant) uniform Push { ivec2 along; };
const int kReach = 8;
shared vec4 line[64 + 2 * kReach];

void main() {
  int first = int(gl_WorkGroupID.x) * 64;
  ivec2 start = ivec2(gl_WorkGroupID.y) * along.yx, last = imageSize(from) - 1;
  for (int i = int(gl_LocalInvocationIndex); i < line.length(); i += 64)
    line[i] = imageLoad(from, clamp(start + along * (first + i - kReach), ivec2(0), last));
  barrier();
  vec4 sum = vec4(0.0);
  float weights = 0.0;
  for (int i = -kReach; i <= kReach; i++) {
    float weight = exp2(-float(i * i) / 16.0);
    sum += weight * line[gl_LocalInvocationIndex + kReach + i];
    weights += weight;
  }
  ivec2 at = start + along * (first + int(gl_LocalInvocationIndex));
  if (all(lessThanEqual(at, last))) imageStore(to, at, sum / weights);
}
