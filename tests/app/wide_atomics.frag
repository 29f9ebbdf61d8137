#version 450
#extension GL_EXT_shader_atomic_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(set = 0, binding = 0) buffer Sum {
  uint64_t sum;
};
layout(location = 0) out vec4 color;
void main() {
  color = vec4(float(atomicAdd(sum, uint64_t(1))));
}
