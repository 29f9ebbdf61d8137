#version 450
// A step of fireworks: a launcher stays and sends up a rocket now and then, a rocket becomes sparks when its time has
// come, sparks fall and die. What is emitted is the next step's points.
layout(points) in;
layout(points, max_vertices = 32) out;
layout(location = 0) in vec4 place[];
layout(location = 1) in vec4 movement[];
layout(xfb_buffer = 0, xfb_stride = 32) out;
layout(location = 0, xfb_offset = 0) out vec4 out_place;
layout(location = 1, xfb_offset = 16) out vec4 out_movement;
const float kLauncher = 0.0, kRocket = 1.0, kSpark = 2.0;
const float kEvery = 5.0, kFuse = 20.0, kLife = 26.0, kFall = 0.0015;

uint random;
float next() {  // from -1 to 1
  random = random * 1664525u + 1013904223u;
  return float(random >> 16) / 32768.0 - 1.0;
}

void emit(vec3 at, float age, vec3 step, float what) {
  out_place = vec4(at, age);
  out_movement = vec4(step, what);
  EmitVertex();
}

void main() {
  vec3 at = place[0].xyz, move = movement[0].xyz;
  float age = place[0].w + 1.0, what = movement[0].w;
  random = floatBitsToUint(at.x) ^ (floatBitsToUint(at.y) >> 5) ^ uint(age) * 40503u;
  next();
  if (what == kLauncher) {
    emit(at, age, move, what);
    if (mod(age, kEvery) == 1.0) emit(at, 0.0, vec3(0.022 * next(), 0.062 + 0.006 * next(), 0.0), kRocket);
  } else if (what == kRocket && age > kFuse) {
    for (int i = 0; i < 32; i++) emit(at, 0.0, 0.8 * move + 0.03 * vec3(next(), next(), next()), kSpark);
  } else if (what == kRocket || age < kLife) {
    emit(at + move, age, move - vec3(0.0, kFall, 0.0), what);
  }
}
