// Direct3D 11 at feature level 11_0: a compute shader appends squares to a list, through shared memory that a
// group's threads pass their sizes around in; another, dispatched for as many as there are, consumes them and
// places each in a vertex buffer. A pixel shader writes the ground that they are drawn on to a texture
// (unordered access).
#include "program11.h"

using namespace direct3d;

namespace {

const char* const kShaders = R"(
RWTexture2D<float4> written : register(u1);
Texture2D<float4> ground : register(t0);
struct Varying { float4 position : SV_POSITION; float4 color : COLOR; };
Varying vertex_main(float2 corner : CORNER, float4 place : PLACE) {
  Varying o;
  o.position = float4(corner * place.z + place.xy, 0.5, 1);
  o.color = float4(place.w, 1 - place.w, corner.x + 0.5, 1);
  return o;
}
float4 ground_main(Varying i) : SV_TARGET {
  written[uint2(i.position.xy)] = float4(i.position.xy / 320, 0.5, 1);
  return float4(0, 0, 0, 1);
}
float4 shown_main(Varying i) : SV_TARGET { return 0.5 * ground.Load(int3(i.position.xy, 0)); }
float4 pixel_main(Varying i) : SV_TARGET { return i.color; }
)";

constexpr UINT kGroups = 4, kThreads = 64, kSquares = kGroups * kThreads, kListed = 16;  // bytes of one
constexpr uint32_t kCounted = 1u << 12, kOfBuffer = 1, kFloats = 0x5555, kIfNotZero = 1u << 7, kGroupSync = 3,
                   kRefactoring = 1;

// Three of four threads append (number, x, y, size).
Words append() {
  const Operand thread = source(kThread, {}, "x"), in_group = source(kIndexInGroup, {}, "x"),
                zero = literal(0u);
  Assembler a(Kind::kCompute, 5);
  a.op(kDclGlobalFlags, {}, kRefactoring);
  a.op(kDclUavStructured, {whole(kUav, {0})}, kCounted, {kListed});
  a.op(kDclInput, {destination(kThread, {}, "x")});
  a.op(kDclInput, {whole(kIndexInGroup, {})});
  a.op(kDclTemps, {}, 0, {4});
  a.op(kDclSharedStructured, {whole(kShared, {0})}, 0, {4, kThreads});
  a.op(kDclThreadGroup, {}, 0, {kThreads, 1, 1});
  a.op(kMov, {destination(kTemp, {0}, "x"), in_group});
  a.op(kUtoF, {destination(kTemp, {1}, "x"), source(kTemp, {0}, "x")});
  a.op(kMad, {destination(kTemp, {1}, "x"), source(kTemp, {1}, "x"), literal(0.0008f), literal(0.03f)});
  a.op(kStoreStructured,
       {destination(kShared, {0}, "x"), source(kTemp, {0}, "x"), zero, source(kTemp, {1}, "x")});
  a.op(kSync, {}, kGroupSync);
  a.op(kXor, {destination(kTemp, {0}, "x"), source(kTemp, {0}, "x"), literal(kThreads - 1)});
  a.op(kLdStructured,
       {destination(kTemp, {2}, "w"), source(kTemp, {0}, "x"), zero, source(kShared, {0}, "xxxx")});
  a.op(kUtoF, {destination(kTemp, {1}, "x"), thread});
  a.op(kMul, {destination(kTemp, {1}, "y"), source(kTemp, {1}, "x"), literal(0.11f)});
  a.op(kMad, {destination(kTemp, {1}, "x"), source(kTemp, {1}, "x"), literal(0.0028f), literal(0.1f)});
  a.op(kSincos, {destination(kTemp, {3}, "x"), destination(kTemp, {3}, "y"), source(kTemp, {1}, "y")});
  a.op(kMul, {destination(kTemp, {2}, "yz"), source(kTemp, {3}, "xyxx"), source(kTemp, {1}, "xxxx")});
  a.op(kMov, {destination(kTemp, {2}, "x"), thread});
  a.op(kAnd, {destination(kTemp, {0}, "x"), thread, literal(3u)});
  a.op(kIf, {source(kTemp, {0}, "x")}, kIfNotZero);
  a.op(kImmAtomicAlloc, {destination(kTemp, {0}, "y"), whole(kUav, {0})});
  a.op(kStoreStructured, {destination(kUav, {0}, "xyzw"), source(kTemp, {0}, "y"), zero, source(kTemp, {2})});
  a.op(kEndIf);
  a.op(kRet);
  return a.finish({}, {});
}

// Takes one of the list, and stores it in its own place: x, y, size, and its number of all.
Words consume() {
  Assembler a(Kind::kCompute, 5);
  a.op(kDclGlobalFlags, {}, kRefactoring);
  a.op(kDclUavStructured, {whole(kUav, {0})}, kCounted, {kListed});
  a.op(kDclUavTyped, {whole(kUav, {1})}, kOfBuffer, {kFloats});
  a.op(kDclTemps, {}, 0, {3});
  a.op(kDclThreadGroup, {}, 0, {1, 1, 1});
  a.op(kImmAtomicConsume, {destination(kTemp, {0}, "x"), whole(kUav, {0})});
  a.op(kLdStructured,
       {destination(kTemp, {1}, "xyzw"), source(kTemp, {0}, "x"), literal(0u), source(kUav, {0})});
  a.op(kUtoF, {destination(kTemp, {2}, "w"), source(kTemp, {1}, "x")});
  a.op(kMul, {destination(kTemp, {2}, "w"), source(kTemp, {2}, "w"), literal(1.0f / kSquares)});
  a.op(kMov, {destination(kTemp, {2}, "xyz"), source(kTemp, {1}, "yzwx")});
  a.op(kStoreUavTyped, {destination(kUav, {1}, "xyzw"), source(kTemp, {1}, "xxxx"), source(kTemp, {2})});
  a.op(kRet);
  return a.finish({}, {});
}

struct Lists {
  ID3D11Buffer *listed, *squares, *arguments;
  ID3D11UnorderedAccessView *of_listed, *of_squares;
};

ID3D11UnorderedAccessView* view_of(ID3D11Device* device, ID3D11Buffer* buffer, DXGI_FORMAT format,
                                   UINT flags) {
  D3D11_UNORDERED_ACCESS_VIEW_DESC description{};
  description.Format = format;
  description.ViewDimension = D3D11_UAV_DIMENSION_BUFFER;
  description.Buffer = {0, kSquares, flags};
  ID3D11UnorderedAccessView* made = nullptr;
  check(device->CreateUnorderedAccessView(buffer, &description, &made), "CreateUnorderedAccessView");
  return made;
}

Lists make_lists(const Device11& d) {
  const UINT once[3] = {0, 1, 1};
  Lists made{};
  made.listed = d.buffer(nullptr, kSquares * kListed, D3D11_BIND_UNORDERED_ACCESS,
                         D3D11_RESOURCE_MISC_BUFFER_STRUCTURED, kListed);
  const std::vector<float> nowhere(4 * kSquares);  // and of no size
  made.squares =
      d.buffer(nowhere.data(), kSquares * 16, D3D11_BIND_UNORDERED_ACCESS | D3D11_BIND_VERTEX_BUFFER);
  made.arguments = d.buffer(once, sizeof once, 0, D3D11_RESOURCE_MISC_DRAWINDIRECT_ARGS);
  made.of_listed = view_of(d.device, made.listed, DXGI_FORMAT_UNKNOWN, D3D11_BUFFER_UAV_FLAG_APPEND);
  made.of_squares = view_of(d.device, made.squares, DXGI_FORMAT_R32G32B32A32_FLOAT, 0);
  return made;
}

// Threads append in no defined order; the last call clears the rest of the list.
void compute(const Device11& d, const Lists& lists, ID3D11ComputeShader* append,
             ID3D11ComputeShader* consume) {
  ID3D11UnorderedAccessView* const views[] = {lists.of_listed, lists.of_squares};
  ID3D11UnorderedAccessView* const none[] = {nullptr, nullptr};
  const UINT empty[] = {0, 0}, keep[] = {~0u, ~0u}, zeros[4] = {};
  d.context->CSSetUnorderedAccessViews(0, 2, views, empty);
  d.context->CSSetShader(append, nullptr, 0);
  d.context->Dispatch(kGroups, 1, 1);
  d.context->CopyStructureCount(lists.arguments, 0, lists.of_listed);
  d.context->CSSetUnorderedAccessViews(0, 2, views, keep);
  d.context->CSSetShader(consume, nullptr, 0);
  d.context->DispatchIndirect(lists.arguments, 0);
  d.context->CSSetUnorderedAccessViews(0, 2, none, keep);
  d.context->ClearUnorderedAccessViewUint(lists.of_listed, zeros);
}

struct Ground {
  ID3D11UnorderedAccessView* written = nullptr;
  ID3D11ShaderResourceView* read = nullptr;
};

Ground make_ground(ID3D11Device* device) {
  D3D11_TEXTURE2D_DESC description{};
  description.Width = kWidth, description.Height = kHeight, description.MipLevels = description.ArraySize = 1;
  description.Format = DXGI_FORMAT_R8G8B8A8_UNORM, description.SampleDesc.Count = 1;
  description.BindFlags = D3D11_BIND_SHADER_RESOURCE | D3D11_BIND_UNORDERED_ACCESS;
  ID3D11Texture2D* texture = nullptr;
  Ground made;
  check(device->CreateTexture2D(&description, nullptr, &texture), "CreateTexture2D");
  check(device->CreateUnorderedAccessView(texture, nullptr, &made.written), "CreateUnorderedAccessView");
  check(device->CreateShaderResourceView(texture, nullptr, &made.read), "CreateShaderResourceView");
  return made;
}

}  // namespace

int main(int count, char** words) {
  const Arguments arguments(count, words);
  const Device11 d("direct3d_11_compute", D3D_FEATURE_LEVEL_11_0);
  const auto pixel = [&](const char* entry) {
    return d.shader<ID3D11PixelShader>(&ID3D11Device::CreatePixelShader, compile(kShaders, entry, "ps_5_0"));
  };
  ID3DBlob* vertex = compile(kShaders, "vertex_main", "vs_5_0");
  auto* vertex_shader = d.shader<ID3D11VertexShader>(&ID3D11Device::CreateVertexShader, vertex);
  ID3D11PixelShader *ground_shader = pixel("ground_main"), *shown_shader = pixel("shown_main"),
                    *pixel_shader = pixel("pixel_main");
  auto* append_shader = d.shader<ID3D11ComputeShader>(&ID3D11Device::CreateComputeShader, append());
  auto* consume_shader = d.shader<ID3D11ComputeShader>(&ID3D11Device::CreateComputeShader, consume());
  const D3D11_INPUT_ELEMENT_DESC elements[] = {
      {"CORNER", 0, DXGI_FORMAT_R32G32_FLOAT, 0, 0, D3D11_INPUT_PER_VERTEX_DATA, 0},
      {"PLACE", 0, DXGI_FORMAT_R32G32B32A32_FLOAT, 1, 0, D3D11_INPUT_PER_INSTANCE_DATA, 1}};
  ID3D11InputLayout* layout = nullptr;
  check(
      d.device->CreateInputLayout(elements, 2, vertex->GetBufferPointer(), vertex->GetBufferSize(), &layout),
      "CreateInputLayout");
  const float corners[] = {-0.5f, -0.5f, -0.5f, 0.5f, 0.5f, -0.5f, 0.5f, 0.5f}, all[] = {0, 0, 2, 0};
  ID3D11Buffer* of_corners = d.buffer(corners, sizeof corners, D3D11_BIND_VERTEX_BUFFER);
  ID3D11Buffer* of_all = d.buffer(all, sizeof all, D3D11_BIND_VERTEX_BUFFER);
  const Lists lists = make_lists(d);
  const Ground ground = make_ground(d.device);

  const auto draw = [&](ID3D11Buffer* places, UINT squares, ID3D11PixelShader* shader) {
    ID3D11Buffer* const buffers[] = {of_corners, places};
    const UINT strides[] = {8, 16}, starts[] = {0, 0};
    d.context->IASetVertexBuffers(0, 2, buffers, strides, starts);
    d.context->PSSetShader(shader, nullptr, 0);
    d.context->DrawInstanced(4, squares, 0, 0);
  };
  d.run(arguments, [&](int) {
    compute(d, lists, append_shader, consume_shader);
    d.context->IASetInputLayout(layout);
    d.context->IASetPrimitiveTopology(D3D11_PRIMITIVE_TOPOLOGY_TRIANGLESTRIP);
    d.context->VSSetShader(vertex_shader, nullptr, 0);
    d.context->OMSetRenderTargetsAndUnorderedAccessViews(1, &d.target, nullptr, 1, 1, &ground.written,
                                                         nullptr);
    draw(of_all, 1, ground_shader);
    d.context->OMSetRenderTargets(1, &d.target, nullptr);
    d.context->PSSetShaderResources(0, 1, &ground.read);
    draw(of_all, 1, shown_shader);
    ID3D11ShaderResourceView* none = nullptr;
    d.context->PSSetShaderResources(0, 1, &none);
    draw(lists.squares, kSquares, pixel_shader);
  });
  return 0;
}
