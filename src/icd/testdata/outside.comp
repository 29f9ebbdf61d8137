#version 450
// Reads and writes element i of everything; the answers go to `out`.
layout(set = 0, binding = 0) buffer In { vec4 values[]; } data;
layout(set = 0, binding = 1) uniform Block { vec4 values[64]; } block;
layout(set = 0, binding = 2) uniform samplerBuffer texels;
layout(set = 0, binding = 3, r32f) uniform image2D stored;
layout(set = 0, binding = 4) uniform sampler2D sampled;
layout(set = 0, binding = 5, rg32f) uniform imageBuffer stored_texels;
layout(set = 0, binding = 6) writeonly buffer Out { vec4 answers[]; } result;
layout(push_constant) uniform Push { int i; };
void main() {
  result.answers[0] = data.values[i];
  result.answers[1] = block.values[i];
  result.answers[2] = block.values[3];
  result.answers[3] = texelFetch(texels, i);
  result.answers[4] = imageLoad(stored, ivec2(i, 0));
  result.answers[5] = texelFetch(sampled, ivec2(0, i), 0);
  result.answers[6] = texelFetch(sampled, ivec2(0, 0), i);
  result.answers[7] = imageLoad(stored_texels, i);
  result.answers[8] = vec4(data.values.length(), textureSize(texels), imageSize(stored_texels), 0);
  result.answers[9] = vec4(imageSize(stored), textureSize(sampled, 0));
  result.answers[10] = vec4(textureQueryLevels(sampled), texture(sampled, vec2(0.5)).xyw);
  data.values[i] = vec4(9);
  imageStore(stored, ivec2(i, 0), vec4(9));
  imageStore(stored_texels, i, vec4(9));
}
