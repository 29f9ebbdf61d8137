#version 450
// Lays the light, of half the size, over the scene.
layout(set = 0, binding = 0) uniform sampler2D scene;
layout(set = 0, binding = 1) uniform sampler2D glow;
layout(location = 0) out vec4 color;
void main() {
  const ivec2 at = ivec2(gl_FragCoord.xy);
  color = vec4(texelFetch(scene, at, 0).rgb + texelFetch(glow, at / 2, 0).rgb, 1.0);
}
