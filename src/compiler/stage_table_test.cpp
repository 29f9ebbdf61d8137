#include <gtest/gtest.h>

#include "compiler/testing/run_shader.h"

// Tests by table what the driver advertises for all stages: every built-in input in each stage in which
// Vulkan 1.3 allows it ("Built-In Variables"), the operations of subgroups, and accesses to memory.
namespace cutaway::compiler::stage_table_test {
namespace {

using arch::Stage;

constexpr Stage kStages[] = {Stage::kVertex,   Stage::kTessControl, Stage::kTessEvaluation,
                             Stage::kGeometry, Stage::kFragment,    Stage::kCompute};
constexpr uint32_t kView = 2, kPrimitive = 21, kInvocation = 1, kPatchVertices = 4, kLayer = 5, kViewport = 6;

std::string name_of(Stage stage) {
  constexpr const char* kNames[] = {
      "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
  return kNames[static_cast<uint32_t>(stage)];
}
bool has_quads(Stage stage) { return stage == Stage::kFragment || stage == Stage::kCompute; }

// A program of a stage whose statements store to `uint o[]`.
std::string source_of(Stage stage, const std::string& statements, const std::string& declarations = "") {
  constexpr const char* kLayouts[] = {"out gl_PerVertex { vec4 gl_Position; };",
                                      R"(layout(vertices = 4) out;
         in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[2]; }
           gl_in[gl_MaxPatchVertices];)",
                                      R"(layout(quads) in;
         in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[2]; }
           gl_in[gl_MaxPatchVertices];)",
                                      R"(layout(triangles) in; layout(points, max_vertices = 1) out;
         in gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[2]; }
           gl_in[];)",
                                      "in float gl_ClipDistance[2]; in float gl_CullDistance[2];",
                                      "layout(local_size_x = 2, local_size_y = 2, local_size_z = 3) in;"};
  return R"(#version 460
    #extension GL_EXT_multiview : require
    #extension GL_EXT_device_group : require
    #extension GL_KHR_shader_subgroup_basic : require
    #extension GL_KHR_shader_subgroup_vote : require
    #extension GL_KHR_shader_subgroup_arithmetic : require
    #extension GL_KHR_shader_subgroup_ballot : require
    #extension GL_KHR_shader_subgroup_shuffle : require
    #extension GL_KHR_shader_subgroup_shuffle_relative : require
    #extension GL_KHR_shader_subgroup_clustered : require
    #extension GL_KHR_shader_subgroup_quad : require
    layout(set = 0, binding = 0) readonly buffer In { uint v[]; };
    layout(set = 0, binding = 1) buffer Out { uint o[]; };
  )" + std::string(kLayouts[static_cast<uint32_t>(stage)]) +
         "\n" + declarations + "\nvoid main() {\n" + statements + "\n}\n";
}

// An earlier stage or the fixed functions give these inputs: a number for each component of each location.
float given(uint32_t location, uint32_t component) { return static_cast<float>(8 * location + component); }

isa::Program control_program() {
  return compile_glsl(Stage::kTessControl, R"(#version 450
    layout(vertices = 4) out;
    out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[2]; float gl_CullDistance[2]; } gl_out[];
    void main() {
      gl_out[gl_InvocationID].gl_Position = vec4(gl_InvocationID, 11, 12, 13);
      gl_out[gl_InvocationID].gl_PointSize = 14.0 + float(gl_InvocationID);
      gl_out[gl_InvocationID].gl_ClipDistance[1] = 15.0;
      gl_out[gl_InvocationID].gl_CullDistance[0] = 16.0;
      gl_TessLevelOuter[2] = 17.0;
      gl_TessLevelInner[1] = 18.0;
    })");
}

isa::Program compile_stage(Stage stage, const std::string& source, Execution& run) {
  const auto spirv = glsl_to_spirv(stage, source);
  if (stage != Stage::kTessEvaluation) return compile({.stage = stage, .spirv = spirv, .entry = "main"});
  const isa::Program control = control_program();
  Execution before;
  for (uint32_t lane = 0; lane < 4; ++lane) before.inputs[arch::kInputPrimitive][lane] = {0, lane, 4, 0};
  before(control);
  run.patch = before.shared;
  return compile({.stage = stage, .spirv = spirv, .entry = "main", .patch = &control.patch});
}

// Gives a program its inputs. All lanes have the same, except for their position in a quad.
void give_inputs(Stage stage, const isa::Program& program, Execution& run) {
  run.view = kView;
  if (stage == Stage::kTessControl || stage == Stage::kGeometry)
    for (uint32_t v = 0; v < 4; ++v) {
      run.vertices.emplace_back(arch::kShaderInputs);
      for (const isa::Varying& input : program.inputs)
        for (uint32_t c = 0; c < 4; ++c)
          run.vertices[v][input.reg][c] = given(input.location, c) + static_cast<float>(v);
    }
  else
    for (const isa::Varying& input : program.inputs)
      run.set(input.reg, {given(input.location, 0), given(input.location, 1), given(input.location, 2),
                          given(input.location, 3)});
  for (uint32_t lane = 0; lane < 4; ++lane) {
    switch (stage) {
      case Stage::kVertex:
        run.inputs[arch::kInputVertexId][lane] = {31, 32, 33, 34};
        run.inputs[arch::kInputDraw][lane] = {35};
        break;
      case Stage::kFragment:
        run.inputs[arch::kInputFragCoord][lane] =
            bits({6.5f + static_cast<float>(lane & 1), 4.5f + static_cast<float>(lane >> 1), 7, 8});
        run.inputs[arch::kInputFragment][lane] = {~0u, 3, 9, kPrimitive};
        run.inputs[arch::kInputPointCoord][lane] = bits({41, 42, 0, 0});
        for (const isa::Varying& input : program.inputs) {
          if (input.location == isa::kLayerLocation) run.inputs[input.reg][lane] = {kLayer};
          if (input.location == isa::kViewportLocation) run.inputs[input.reg][lane] = {kViewport};
        }
        break;
      case Stage::kCompute:
        run.inputs[arch::kInputLocalId][lane] = {lane & 1, lane >> 1, 2, 8 + lane};
        run.inputs[arch::kInputWorkgroupId][lane] = {51, 52, 53, 0};
        run.inputs[arch::kInputWorkgroups][lane] = {54, 55, 56, 0};
        break;
      default:
        run.inputs[arch::kInputPrimitive][lane] = {kPrimitive, kInvocation, kPatchVertices, 0};
        run.inputs[arch::kInputTessCoord][lane] = bits({61, 62, 63, 0});
    }
  }
  run.buffers[{0, 0, 0}] = {5};
  run.buffers[{0, 1, 0}] = std::vector<uint32_t>(128, 0xdeadbeef);
}

struct Row {
  std::string expression;
  uint32_t value;  // in the last lane
};

// Evaluates all expressions in one program of the stage.
void check(Stage stage, const std::vector<Row>& rows, const std::string& declarations = "") {
  std::string statements = "uint x = v[0];\n";
  for (size_t i = 0; i < rows.size(); ++i)
    statements += "o[" + std::to_string(i) + "] = uint(" + rows[i].expression + ");\n";
  Execution run;
  const isa::Program program = compile_stage(stage, source_of(stage, statements, declarations), run);
  give_inputs(stage, program, run);
  run(program);
  const std::vector<uint32_t>& o = run.buffers[{0, 1, 0}];
  for (size_t i = 0; i < rows.size(); ++i)
    EXPECT_EQ(o[i], rows[i].value) << rows[i].expression << " in a " << name_of(stage) << " program";
}

// Built-ins of every stage. Stages without quads have one active invocation, the first of its subgroup.
std::vector<Row> common(Stage stage) {
  const bool quads = has_quads(stage);
  std::vector<Row> rows = {{"gl_SubgroupSize", 4},
                           {"gl_SubgroupInvocationID", quads ? 3u : 0},
                           {"gl_SubgroupEqMask.x", quads ? 8u : 1},
                           {"gl_SubgroupGeMask.x", quads ? 8u : 15},
                           {"gl_SubgroupGtMask.x", quads ? 0u : 14},
                           {"gl_SubgroupLeMask.x", quads ? 15u : 1},
                           {"gl_SubgroupLtMask.x", quads ? 7u : 0},
                           {"gl_SubgroupGeMask.y + gl_SubgroupEqMask.z + gl_SubgroupGtMask.w", 0},
                           {"gl_DeviceIndex", 0}};
  if (stage != Stage::kCompute) rows.push_back({"gl_ViewIndex", kView});
  return rows;
}

// Lists the inputs of each stage. Vertices that a program reads have `given` values plus the vertex's number.
std::vector<Row> own(Stage stage) {
  const auto at = [](uint32_t location, uint32_t component, uint32_t vertex = 0) {
    return static_cast<uint32_t>(given(location, component)) + vertex;
  };
  const std::vector<Row> vertices = {{"gl_in[2].gl_Position.y", at(isa::kPositionLocation, 1, 2)},
                                     {"gl_in[1].gl_PointSize", at(isa::kPointSizeLocation, 0, 1)},
                                     {"gl_in[2].gl_ClipDistance[1]", at(isa::kClipLocation, 1, 2)},
                                     {"gl_in[0].gl_CullDistance[0]", at(isa::kCullLocation, 0)}};
  std::vector<Row> rows;
  switch (stage) {
    case Stage::kVertex:
      return {{"gl_VertexIndex", 31},
              {"gl_InstanceIndex", 32},
              {"gl_BaseVertex", 33},
              {"gl_BaseInstance", 34},
              {"gl_DrawID", 35}};
    case Stage::kTessControl:
      rows = vertices;
      rows.push_back({"gl_PrimitiveID", kPrimitive});
      rows.push_back({"gl_InvocationID", kInvocation});
      rows.push_back({"gl_PatchVerticesIn", kPatchVertices});
      return rows;
    case Stage::kTessEvaluation:
      return {{"gl_PrimitiveID", kPrimitive},
              {"gl_PatchVerticesIn", kPatchVertices},
              {"gl_TessCoord.x", 61},
              {"gl_TessCoord.y", 62},
              {"gl_TessCoord.z", 63},
              {"gl_TessLevelOuter[2]", 17},
              {"gl_TessLevelInner[1]", 18},
              {"gl_in[2].gl_Position.x", 2},
              {"gl_in[2].gl_Position.w", 13},
              {"gl_in[3].gl_PointSize", 17},
              {"gl_in[1].gl_ClipDistance[1]", 15},
              {"gl_in[0].gl_CullDistance[0]", 16}};
    case Stage::kGeometry:
      rows = vertices;
      rows.push_back({"gl_PrimitiveIDIn", kPrimitive});
      rows.push_back({"gl_InvocationID", kInvocation});
      return rows;
    case Stage::kFragment:
      return {{"gl_FragCoord.x * 2.0", 15},
              {"gl_FragCoord.y * 2.0", 11},
              {"gl_FragCoord.z", 7},
              {"gl_FragCoord.w", 8},
              {"gl_FrontFacing", 1},
              {"gl_HelperInvocation", 0},
              {"gl_PointCoord.x", 41},
              {"gl_PointCoord.y", 42},
              {"gl_SampleID", 3},
              {"gl_SampleMaskIn[0]", 9},
              {"gl_SamplePosition.x * 2.0", 1},
              {"gl_PrimitiveID", kPrimitive},
              {"gl_Layer", kLayer},
              {"gl_ViewportIndex", kViewport},
              {"gl_ClipDistance[1]", at(isa::kClipLocation, 1)},
              {"gl_CullDistance[0]", at(isa::kCullLocation, 0)}};
    default:
      return {{"gl_NumWorkGroups.x", 54},
              {"gl_NumWorkGroups.z", 56},
              {"gl_WorkGroupID.y", 52},
              {"gl_WorkGroupSize.z", 3},
              {"gl_LocalInvocationID.x", 1},
              {"gl_LocalInvocationID.z", 2},
              {"gl_LocalInvocationIndex", 11},
              {"gl_GlobalInvocationID.x", 2 * 51 + 1},
              {"gl_GlobalInvocationID.z", 3 * 53 + 2},
              {"gl_NumSubgroups", 3},
              {"gl_SubgroupID", 2}};
  }
}

TEST(StageTable, BuiltInsOfEveryStage) {
  for (const Stage stage : kStages) {
    check(stage, common(stage));
    check(stage, own(stage));
    // One by one: no built-in depends on the use of another one.
    std::vector<Row> rows = common(stage);
    for (const Row& row : own(stage)) rows.push_back(row);
    for (const Row& row : rows) check(stage, {row});
  }
}

// All four lanes of a quad have x = 5.
TEST(StageTable, SubgroupOperationsOfEveryStage) {
  for (const Stage stage : kStages) {
    const bool quads = has_quads(stage);
    const auto of = [&](uint32_t one, uint32_t four) { return quads ? four : one; };
    check(stage,
          {{"subgroupElect()", of(1, 0)},
           {"subgroupAll(x == 5)", 1},
           {"subgroupAny(x == 4)", 0},
           {"subgroupAllEqual(x)", 1},
           {"subgroupBroadcast(x, 0)", 5},
           {"subgroupBroadcastFirst(x)", 5},
           {"subgroupBallot(x == 5).x", of(1, 15)},
           {"subgroupInverseBallot(uvec4(9, 0, 0, 0))", 1},
           {"subgroupBallotBitExtract(uvec4(2, 0, 0, 0), 1)", 1},
           {"subgroupBallotBitCount(subgroupBallot(true))", of(1, 4)},
           {"subgroupBallotInclusiveBitCount(subgroupBallot(true))", of(1, 4)},
           {"subgroupBallotExclusiveBitCount(subgroupBallot(true))", of(0, 3)},
           {"subgroupBallotFindLSB(subgroupBallot(true))", 0},
           {"subgroupBallotFindMSB(subgroupBallot(true))", of(0, 3)},
           {"subgroupShuffle(x + gl_SubgroupInvocationID, 0)", 5},
           {"subgroupShuffleXor(x, 0)", 5},
           {"subgroupShuffleUp(x + gl_SubgroupInvocationID, quads)", of(5, 7)},
           {"subgroupShuffleDown(x, 0)", 5},
           {"subgroupAdd(x)", of(5, 20)},
           {"subgroupMul(x)", of(5, 625)},
           {"subgroupMin(x)", 5},
           {"subgroupMax(int(x))", 5},
           {"subgroupAnd(x)", 5},
           {"subgroupOr(x)", 5},
           {"subgroupXor(x)", of(5, 0)},
           {"subgroupAdd(float(x))", of(5, 20)},
           {"subgroupInclusiveAdd(x)", of(5, 20)},
           {"subgroupExclusiveAdd(x)", of(0, 15)},
           {"subgroupInclusiveMul(vec2(x)).y", of(5, 625)},
           {"subgroupExclusiveMax(x)", of(0, 5)},
           {"subgroupClusteredAdd(x, 1)", 5},
           {"subgroupClusteredAdd(x, 2)", of(5, 10)},
           {"subgroupClusteredOr(x, 4)", 5},
           {"subgroupQuadBroadcast(x, 0)", 5}},
          "const uint quads = " + std::to_string(quads) + "u;");
    if (quads)
      check(stage, {{"subgroupQuadSwapHorizontal(x + gl_SubgroupInvocationID)", 7},
                    {"subgroupQuadSwapVertical(x + gl_SubgroupInvocationID)", 6},
                    {"subgroupQuadSwapDiagonal(x + gl_SubgroupInvocationID)", 5}});
    const std::string barriers =
        "subgroupBarrier(); subgroupMemoryBarrier(); subgroupMemoryBarrierBuffer(); subgroupMemoryBarrierImage(); "
        "memoryBarrier(); memoryBarrierBuffer(); memoryBarrierImage(); o[0] = 1;";
    Execution run;
    const isa::Program program = compile_stage(stage, source_of(stage, barriers), run);
    for (const isa::Instruction& instruction : program.code)
      EXPECT_NE(instruction.op, isa::Opcode::kBarrier) << name_of(stage);
  }
}

TEST(StageTable, MemoryAccessesOfEveryStage) {
  const std::string declarations = R"(
    layout(set = 0, binding = 2, r32ui) uniform uimage2D image;
    layout(set = 0, binding = 3) uniform sampler2D picture;
    layout(set = 0, binding = 4) uniform Constants { uint c[4]; };
    layout(set = 0, binding = 6) buffer Counts { uint n[]; };
    layout(push_constant) uniform Push { uint p[8]; };
    void touch() {
      atomicAdd(n[0], 3); atomicMin(n[1], 7); atomicMax(n[2], 9); atomicAnd(n[3], 12); atomicOr(n[4], 1);
      atomicXor(n[5], 0); atomicExchange(n[6], 17); atomicCompSwap(n[7], 80, 81);
      imageAtomicAdd(image, ivec2(1, 0), 2);
      imageStore(image, ivec2(2, 0), uvec4(77));
      n[8] = imageLoad(image, ivec2(3, 0)).x;
      n[9] = uint(textureLod(picture, vec2(21, 22), 0.0).y);
      n[10] = uint(texelFetch(picture, ivec2(23, 24), 0).x);
      n[11] = c[1] + p[5];
    })";
  for (const Stage stage : kStages) {
    Execution run;
    const isa::Program program = compile_stage(stage, source_of(stage, "touch();", declarations), run);
    give_inputs(stage, program, run);
    run.images[{0, 2, 0}] = {0, 100, 0, 33};
    run.buffers[{0, 4, 0}] = {0, 0, 0, 0, 40, 0, 0, 0};  // std140
    run.buffers[{0, 6, 0}] = {0, 10, 2, 10, 4, 5, 6, 80, 0, 0, 0, 0};
    run.push_constants = {0, 0, 0, 0, 0, 1000, 0, 0};
    run.texture = [](const isa::Instruction& instruction, const std::array<Bits4, 3>& sources) {
      if (instruction.op == isa::Opcode::kTxf) return bits({static_cast<float>(sources[0][0]), 0, 0, 1});
      return sources[0];
    };
    run(program);
    EXPECT_EQ(run.images.begin()->second, (std::vector<uint32_t>{0, 108, 77, 33})) << name_of(stage);
    EXPECT_EQ((run.buffers[{0, 6, 0}]), (std::vector<uint32_t>{12, 7, 9, 8, 5, 5, 17, 81, 33, 22, 23, 1040}))
        << name_of(stage);
  }
}

// Built-in outputs of each stage before the rasteriser: their registers hold what the program writes.
TEST(StageTable, BuiltInOutputsOfEveryStage) {
  const std::string block =
      "out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[3]; float gl_CullDistance[2]; };\n";
  const std::string writes =
      "gl_Position = vec4(1, 2, 3, 4); gl_PointSize = 5.0; gl_ClipDistance = float[3](6, 7, 8); "
      "gl_CullDistance = float[2](9, 10);";
  const std::pair<Stage, std::string> sources[] = {
      {Stage::kVertex, block + "void main() { " + writes + " }"},
      {Stage::kTessEvaluation, "layout(isolines) in;\n" + block + "void main() { " + writes + " }"},
      {Stage::kGeometry, "layout(points) in; layout(points, max_vertices = 1) out;\n" + block +
                             "void main() { " + writes +
                             " gl_PrimitiveID = 11; gl_Layer = 12; gl_ViewportIndex = 13; EmitVertex(); }"}};
  for (const auto& [stage, source] : sources) {
    SCOPED_TRACE(name_of(stage));
    Execution run;
    const isa::Program program = compile_stage(stage, source, run);
    run(program);
    const auto output = [&, at = stage](uint32_t reg) {
      return at == Stage::kGeometry ? run.emitted[0].at(0).outputs.at(reg) : run.output(reg);
    };
    EXPECT_EQ(output(0), (Vec4{1, 2, 3, 4}));
    EXPECT_EQ(output(program.point_size)[0], 5);
    EXPECT_EQ(program.clip_distances, 3u);
    EXPECT_EQ(program.cull_distances, 2u);
    EXPECT_EQ(output(program.clip_distance), (Vec4{6, 7, 8, 9}));
    EXPECT_EQ(output(program.clip_distance + 1)[0], 10);
    if (stage != Stage::kGeometry) continue;
    EXPECT_EQ(bits(output(program.primitive_id))[0], 11u);
    EXPECT_EQ(bits(output(program.layer))[0], 12u);
    EXPECT_EQ(bits(output(program.viewport_index))[0], 13u);
  }
  Execution run;
  const isa::Program fragment =
      compile_stage(Stage::kFragment, "void main() { gl_FragDepth = 0.25; gl_SampleMask[0] = 6; }", run);
  run(fragment);
  EXPECT_EQ(run.output(arch::kOutputDepth)[0], 0.25f);
  EXPECT_EQ(bits(run.output(arch::kOutputDepth))[1], 6u);
}

}  // namespace
}  // namespace cutaway::compiler::stage_table_test
