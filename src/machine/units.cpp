#include "machine/units.h"

#include <algorithm>
#include <cmath>

#include "boxes/host/host.h"
#include "boxes/triangle_setup/triangle_setup.h"
#include "func/float_mode.h"

namespace cutaway::machine {

Machine::Units::Units(const Config& config_in, const arch::Memory& memory_in, MachineOptions options_in)
    : config(config_in), options(std::move(options_in)), memory(memory_in), simulator(options.scheduler) {
  make_clocks();
  make_boxes();
  if (options.add_boxes) options.add_boxes(simulator, *core);
  simulator.elaborate();
  watch_for_faults();
  apply_faults();
  check_pages();
  command_processor->report_queries(options.query_values);
  command_processor->offscreen = options.offscreen;
  if (options.list_works || options.look_on) command_processor->keep_work_list(works);
  if (options.look_on && !options.record_interval)
    wait_walk = &walk_waits(simulator, *command_processor, host);
  if (!options.record_interval) return;
  recording = std::make_unique<Recording>(simulator, *core, *command_processor, host, options.record_interval,
                                          options.log_fragments);
  command_processor->keep_work_list(recording->works);
  wait_walk = &recording->walk;
}

void Machine::Units::make_clocks() {
  const auto kilohertz = [](double megahertz) {
    return static_cast<uint64_t>(std::llround(megahertz * 1000));
  };
  for (const ShaderClass& shader : config.shaders)
    if (shader.topology.units) classes.push_back({.shader = &shader});
  std::vector<uint64_t> frequencies = {kilohertz(config.gpu.core_mhz), kilohertz(config.gpu.memory_mhz)};
  for (const Class& c : classes) frequencies.push_back(kilohertz(c.shader->topology.mhz));
  if (config.bus.present()) frequencies.push_back(kilohertz(config.bus.mhz));
  const std::vector<uint64_t> periods = engine::periods_of(frequencies);
  core = &simulator.add_domain("core", periods[0]);
  memory_clock = &simulator.add_domain("memory", periods[1]);
  // Classes of one frequency share a clock; that of the core is the core's.
  for (size_t i = 0; i < classes.size(); i++) {
    const size_t frequency = i + 2;
    if (frequencies[frequency] == frequencies[0]) classes[i].clock = core;
    for (size_t other = 0; other < i; other++)
      if (frequencies[frequency] == frequencies[other + 2]) classes[i].clock = classes[other].clock;
    if (!classes[i].clock)
      classes[i].clock = &simulator.add_domain(classes[i].shader->name, periods[frequency]);
  }
  if (config.bus.present()) bus_clock = &simulator.add_domain("bus", periods.back());
}

void Machine::Units::apply_faults() {
  if (options.faults.drop_dirty_bit) color_write[0]->cache().drop_dirty_bit(options.faults.drop_dirty_bit);
  if (options.faults.drop_packed_bit) z_stencil[0]->cache().drop_packed_bit(options.faults.drop_packed_bit);
  memory_controller->tags().drop_tag = options.faults.drop_tag;
  if (options.faults.skip_texture_invalidate) command_processor->skip_invalidate = arch::kCacheTexture;
  for (boxes::ReorderBuffer* buffer : reorder_buffer)
    buffer->release_in_completion_order = options.faults.release_in_completion_order;
}

const arch::Memory& Machine::Units::seen_memory() {
  const boxes::BlockTags& tags = memory_controller->tags();
  if (!tags.any()) return memory;
  seen = memory;
  tags.expand_into(seen);
  return seen;
}

const arch::Memory& Machine::Units::seen_memory(arch::ContextId context) {
  return seen_by[context] = arch::take_context(seen_memory(), context);
}

uint64_t Machine::Units::video_bytes(arch::Address address, uint64_t bytes) const {
  if (config.bus.memory == boxes::BusMemory::kAll) return 0;
  uint64_t sum = 0;
  for (uint64_t part; bytes; address += part, bytes -= part) {
    part = std::min(bytes, arch::kPageBytes - address % arch::kPageBytes);
    if (memory.placement(address) == arch::Placement::kVideo) sum += part;
  }
  return sum;
}

void Machine::Units::note_fault(arch::Fault found) {
  if (!faulted) fault = std::move(found);
  faulted = true;
}

// Runaway programs are told of when their draw ends: until then it is known which packet it was.
void Machine::Units::watch_for_faults() {
  command_processor->fault_of_draw = [this](uint32_t draw) {
    bool runaway = false;
    for (const Class& c : classes)
      for (const boxes::ShaderUnit* unit : c.units) runaway |= unit->runaway(draw);
    return runaway ? "a shader program does not end" : nullptr;
  };
}

// Each stops by itself; together they may have accepted too much before one has. Then the draw is the last
// that one of them is at, or one shortly before.
const char* Machine::Units::fault_of_setup(uint32_t& draw) const {
  uint64_t pixels = 0;
  uint32_t last = 0;
  for (const boxes::TriangleSetup* setup : triangle_setup) {
    if (setup->fault()) {
      draw = setup->fault_draw();
      return setup->fault();
    }
    pixels += setup->pixels();
    last = std::max(last, setup->draw());
  }
  draw = last;
  return command_stream::Work::too_many_pixels(pixels, options.work);
}

void Machine::Units::run_with_host(const std::function<bool()>& holds) {
  if (holds()) return;
  run_until([&] {
    uint32_t draw = 0;
    return holds() || command_processor->fault() || fault_of_setup(draw) || fault_of_translation();
  });
  // A fault that is known while work before it is under way is collected when that has ended.
  uint32_t draw = 0;
  if (command_processor->fault() || fault_of_setup(draw) || fault_of_translation()) collect_fault();
}

void Machine::Units::run_host() {
  run_with_host([&] { return host->program().done(); });
}

void Machine::Units::host_awaits(uint64_t submission) {
  if (!host || !submission || faulted) return;
  command_processor->await(submission);
  host->program().await(submission);
  run_host();
}

void Machine::Units::await_own(arch::ContextId context) {
  if (!several() || faulted) return;
  const func::FloatMode mode;
  run_submissions([&] { return command_processor->accepts(context); });
}

bool Machine::Units::admits(arch::ContextId context, arch::Address address, uint64_t bytes) {
  if (!several()) return true;
  const uint64_t end = arch::kContextBytes - arch::kPageBytes;  // kNowhere is mapped by none
  if (context >= config.command_processor.contexts)
    note_fault({0, address, "the machine has no such context"});
  else if (bytes > end || address > end - bytes)
    note_fault({0, address, "this is beyond the memory that a context may have"});
  await_own(context);
  return !faulted;
}

void Machine::Units::update_pages(arch::Address address, uint64_t bytes) {
  if (!page_table) return;
  if (page_table->update(memory, address, bytes)) address_translation->forget_all();
  check_pages();
}

void Machine::Units::expand_tags(arch::Address address, uint64_t bytes) {
  boxes::BlockTags& tags = memory_controller->tags();
  tags.expand(address, bytes);
  if (!memory.sparse_within(address, bytes)) return;
  const arch::Address first = address / arch::kPageBytes * arch::kPageBytes;
  for (arch::Address page = first; page < address + bytes; page += arch::kPageBytes)
    if (const arch::Address target = memory.target_of(page); target != page)
      tags.expand(target, arch::kPageBytes);
}

void Machine::Units::check_pages() {
  if (!page_table || !page_table->in_pieces()) return;
  note_fault({0, *page_table->in_pieces(),
              "memory is bound to parts of a page of 64 KB: set translation.pages to 4KB"});
}

// "color_write0 of draw 3 writes to 0x1000, which is in no page of the page table"
std::string Machine::Units::text_of(const boxes::AddressTranslation::Fault& found) const {
  const uint32_t draw = command_processor->draw_in_submission(found.origin);
  return fmt::format("{}{} {} {:#x}, which is in no page of the page table", clients.name(found.client),
                     draw ? fmt::format(" of draw {}", draw) : "", found.write ? "writes to" : "reads",
                     found.address);
}

void Machine::Units::collect_fault() {
  uint32_t draw = 0;
  if (const char* error = fault_of_setup(draw)) command_processor->note_fault(draw, error);
  if (const auto* found = fault_of_translation())
    if (const std::string text = text_of(*found); !command_processor->note_fault(found->origin.draw, text))
      command_processor->note_fault(text, found->origin.submission);
  if (const arch::Fault* found = command_processor->first_fault()) note_fault(*found);
}

}  // namespace cutaway::machine
