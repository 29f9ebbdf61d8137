#include "compiler/validation.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <spirv-tools/libspirv.hpp>
#include <string>
#include <string_view>

#include "compiler/instruction_stream.h"
#include "compiler/straighten.h"

namespace cutaway::compiler {
namespace {

// A capability that the validator asks for and that a module may lack: nothing depends on it here.
struct Capability {
  const char* name;
  uint32_t value;
};
// Zink 22.3 decorates with Sample, demotes fragments and reads ViewportIndex without them.
constexpr Capability kMayLack[] = {{"SampleRateShading", spv::CapabilitySampleRateShading},
                                   {"DemoteToHelperInvocation", spv::CapabilityDemoteToHelperInvocation},
                                   {"MultiViewport", spv::CapabilityMultiViewport}};

// Extensions of SPIR-V whose capabilities are supported.
constexpr const char* kExtensions[] = {"SPV_EXT_demote_to_helper_invocation",
                                       "SPV_EXT_descriptor_indexing",
                                       "SPV_EXT_shader_stencil_export",
                                       "SPV_EXT_shader_viewport_index_layer",
                                       "SPV_GOOGLE_decorate_string",
                                       "SPV_GOOGLE_hlsl_functionality1",
                                       "SPV_KHR_16bit_storage",
                                       "SPV_KHR_8bit_storage",
                                       "SPV_KHR_device_group",
                                       "SPV_KHR_integer_dot_product",
                                       "SPV_KHR_multiview",
                                       "SPV_KHR_physical_storage_buffer",
                                       "SPV_KHR_post_depth_coverage",
                                       "SPV_KHR_shader_ballot",
                                       "SPV_KHR_shader_draw_parameters",
                                       "SPV_KHR_storage_buffer_storage_class",
                                       "SPV_KHR_subgroup_vote",
                                       "SPV_KHR_terminate_invocation",
                                       "SPV_KHR_variable_pointers",
                                       "SPV_KHR_vulkan_memory_model"};

std::string first_line(const char* message) {
  std::string text = message ? message : "";
  return text.substr(0, text.find('\n'));
}

class Validation {
 public:
  explicit Validation(const Admitted& module) : module_(module), straight_(straightened(module)) {}

  void run() {
    tolerate();
    std::string error;
    if (passes(error)) return;
    for (const Capability& capability : kMayLack) {
      if (error.find(capability.name) == std::string::npos) continue;
      insert({2u << spv::WordCountShift | spv::OpCapability, capability.value});
      if (passes(error)) return;
    }
    if (error.find("requires SPIR-V version") != std::string::npos) {
      straight_.words[1] = 0x10600;
      if (passes(error)) return;
    }
    invalid("{}", error);
  }

 private:
  // True if the module keeps the rules of SPIR-V. Those of Vulkan do not count, except for the types of
  // built-ins (built_in_types.h).
  bool passes(std::string& error) const {
    spvtools::ValidatorOptions options;
    // For Zink, and programs that use VK_KHR_uniform_buffer_standard_layout, VK_EXT_scalar_block_layout,
    // VK_KHR_workgroup_memory_explicit_layout or VK_KHR_maintenance4.
    options.SetScalarBlockLayout(true);
    options.SetWorkgroupScalarBlockLayout(true);
    options.SetRelaxBlockLayout(true);
    options.SetUniformBufferStandardLayout(true);
    options.SetAllowLocalSizeId(true);
    options.SetFriendlyNames(false);
    spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
    error.clear();
    tools.SetMessageConsumer(
        [&](spv_message_level_t level, const char*, const spv_position_t& at, const char* text) {
          if (level <= SPV_MSG_ERROR && error.empty()) error = where(at.index) + first_line(text);
        });
    return tools.Validate(straight_.words.data(), straight_.words.size(), options);
  }

  // The validator counts instructions from 1, and says 0 for the module.
  std::string where(size_t line) const {
    if (line == 0 || line > straight_.from.size()) return "";
    return place_of(module_, straight_.from[line - 1]) + ": ";
  }

  void insert(std::initializer_list<uint32_t> instruction) {
    straight_.words.insert(straight_.words.begin() + kHeaderWords, instruction);
    straight_.from.insert(straight_.from.begin(), 0);
  }

  // Rewrites what is allowed now and was not when the module or the validator was made.
  void tolerate() {
    Straight result;
    result.words.assign(straight_.words.begin(), straight_.words.begin() + kHeaderWords);
    uint32_t index = 0;
    bool has_extensions = false;
    each_instruction(straight_.words, [&](const Raw& raw) {
      if (!has_extensions && raw.op != spv::OpCapability) {
        for (const char* name : kExtensions) add_extension(name, straight_.from[index], result);
        has_extensions = true;
      }
      std::vector<uint32_t> words(raw.words.begin(), raw.words.end());
      if (raw.op == spv::OpCapability) older_capability(words);
      if (raw.op == spv::OpEntryPoint) unique_interface(words);
      result.words.insert(result.words.end(), words.begin(), words.end());
      result.from.push_back(straight_.from[index++]);
    });
    straight_ = std::move(result);
  }

  // A module may use what it declares no extension for: each is part of Vulkan, or of the device.
  static void add_extension(std::string_view name, uint32_t from, Straight& result) {
    const size_t first = result.words.size(), words = name.size() / 4 + 2;
    result.words.resize(first + words);
    result.words[first] = static_cast<uint32_t>(words) << spv::WordCountShift | spv::OpExtension;
    std::memcpy(&result.words[first + 1], name.data(), name.size());
    result.from.push_back(from);
  }

  // ShaderLayer and ShaderViewportIndex came with SPIR-V 1.5. Before, one capability allowed both.
  void older_capability(std::vector<uint32_t>& words) const {
    if (words.size() == 2 && straight_.words[1] < 0x10500 &&
        (words[1] == spv::CapabilityShaderLayer || words[1] == spv::CapabilityShaderViewportIndex))
      words[1] = spv::CapabilityShaderViewportIndexLayerEXT;
  }

  // Lists each variable of an interface once.
  static void unique_interface(std::vector<uint32_t>& words) {
    size_t first = 3;
    while (first < words.size() && words[first] >> 24 != 0) ++first;  // the word with the name's last zero
    std::set<uint32_t> seen;
    const auto kept =
        std::remove_if(words.begin() + static_cast<ptrdiff_t>(std::min(first + 1, words.size())), words.end(),
                       [&](uint32_t id) { return !seen.insert(id).second; });
    words.erase(kept, words.end());
    words[0] = static_cast<uint32_t>(words.size()) << spv::WordCountShift | spv::OpEntryPoint;
  }

  const Admitted& module_;
  Straight straight_;
};

}  // namespace

void validate(const Admitted& module) { Validation(module).run(); }

}  // namespace cutaway::compiler
