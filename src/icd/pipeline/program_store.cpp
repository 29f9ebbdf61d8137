#include "icd/pipeline/program_store.h"

#include <algorithm>
#include <string>

#include "base/hash.h"
#include "compiler/source_name.h"

namespace cutaway::icd {
namespace {

template <class T>
void append(const T* data, size_t count, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(data), count * sizeof(T));
}

template <class T>
void append(const T& value, std::string& bytes) {
  append(&value, 1, bytes);
}

bool reads_input(const isa::Program& program, uint32_t index) {
  return std::any_of(program.code.begin(), program.code.end(), [index](const isa::Instruction& instruction) {
    return std::any_of(instruction.src.begin(), instruction.src.end(), [index](const isa::Source& source) {
      return source.file == isa::File::kInput && source.index == index;
    });
  });
}

}  // namespace

ProgramKey ProgramStore::key_of(const compiler::Request& request) {
  std::string bytes;
  append(request.stage, bytes);
  append(request.live_outputs, bytes);
  append(request.live_point_size, bytes);
  append(request.samples, bytes);
  append(request.pull, bytes);
  append(request.halves, bytes);
  append(request.fog, bytes);
  append(request.relaxed, bytes);
  append(request.limits, bytes);
  append(request.loads, bytes);
  append(request.constant_budget, bytes);
  if (request.patch) append(*request.patch, bytes);
  append(request.entry.size(), bytes);
  append(request.entry.data(), request.entry.size(), bytes);
  for (const compiler::Specialization& specialization : request.specializations) {
    append(specialization.id, bytes);
    append(specialization.value.size(), bytes);
    append(specialization.value.data(), specialization.value.size(), bytes);
  }
  append(request.descriptors.size(), bytes);
  append(request.descriptors.data(), request.descriptors.size(), bytes);
  append(request.spirv.data(), request.spirv.size(), bytes);
  return {hash_bytes(bytes.data(), bytes.size(), 0), hash_bytes(bytes.data(), bytes.size(), 1)};
}

std::shared_ptr<const StoredProgram> ProgramStore::get(const compiler::Request& request,
                                                       const ProgramSource& from) {
  PipelineCache* const cache = from.cache;
  const ProgramKey key = key_of(request);
  std::shared_ptr<const StoredProgram> made;
  {
    const std::lock_guard lock(mutex_);
    made = programs_[key].lock();
  }
  if (!made) {
    std::optional<isa::Program> cached;
    if (cache) cached = cache->find(key);
    const bool fits = cached && cached->stage == request.stage;
    if (!fits && !from.may_compile) throw ApiError{VK_PIPELINE_COMPILE_REQUIRED};
    made = store(request, fits ? std::move(*cached) : compiler::compile(request));
    const std::lock_guard lock(mutex_);
    std::weak_ptr<const StoredProgram>& slot = programs_[key];
    if (auto found = slot.lock()) made = found;  // another thread was faster
    else slot = made;
  }
  if (cache) cache->add(key, made->program);
  name(*made, from.name, NameOrigin::kApplication);
  return made;
}

void ProgramStore::name(const StoredProgram& program, std::string_view name, NameOrigin origin) {
  const std::lock_guard lock(mutex_);
  if (name.empty() || program.named >= origin) return;
  program.named = origin;
  device_.annotate("name", program.code, name);
}

std::shared_ptr<StoredProgram> ProgramStore::store(const compiler::Request& request, isa::Program compiled) {
  auto stored = std::make_shared<StoredProgram>();
  stored->program = std::move(compiled);
  const isa::Program& program = stored->program;
  stored->reads_draw_number = program.stage == arch::Stage::kVertex && reads_input(program, arch::kInputDraw);
  stored->loads_images = std::any_of(program.code.begin(), program.code.end(),
                                     [](const auto& i) { return i.op == isa::Opcode::kLdi; });

  std::vector<isa::EncodedInstruction> words;
  words.reserve(program.code.size());
  for (const isa::Instruction& instruction : program.code) words.push_back(isa::encode(instruction));
  const uint64_t code_bytes = words.size() * isa::kInstructionBytes;
  const uint64_t literal_bytes = program.literals.size() * sizeof program.literals[0];
  stored->memory = device_.allocate(code_bytes + literal_bytes);
  stored->code = stored->memory->address();
  stored->literals = stored->code + code_bytes;
  stored->memory->write(0, words.data(), code_bytes);
  if (literal_bytes) stored->memory->write(code_bytes, program.literals.data(), literal_bytes);

  // Lets a capture show programs beside their sources.
  device_.annotate("program", stored->code, isa::disassemble(program.code));
  device_.annotate("spirv", stored->code,
                   {reinterpret_cast<const char*>(request.spirv.data()), request.spirv.size_bytes()});
  device_.annotate("lines", stored->code, fmt::format("{}", fmt::join(program.source_of, " ")));
  name(*stored, compiler::source_name(request.spirv, request.entry), NameOrigin::kSource);
  return stored;
}

// A member of Device, defined here because only this file needs the compiler.
ProgramStore& Device::programs() {
  std::call_once(programs_made_, [this] { programs_ = std::make_shared<ProgramStore>(*this); });
  return *programs_;
}

}  // namespace cutaway::icd
