#include "base/debug_groups.h"

#include <cstddef>
#include <dlfcn.h>

#include "base/object_labels.h"
#include "preload/draw_calls.h"
#include "preload/fast_programs.h"
#include "preload/storage_calls.h"

// Preloaded into programs that Cutaway starts: keeps the debug groups that a program opens by
// glPushDebugGroup, and the labels that it gives to its programs by glObjectLabel, which Zink does not pass
// on to Vulkan.
//
// Each OpenGL call, however the program found it, goes through the table of functions that Mesa's driver
// makes current by _glapi_set_dispatch(). The library stands before that one function and puts its own
// functions into the table. It uses nothing of the C++ library, as it is loaded into any program.
namespace {

using cutaway::DebugGroups;
using cutaway::preload::draw_calls;
using cutaway::preload::DrawCall;
using cutaway::preload::Function;
using cutaway::preload::ProcOffset;
using Push = void (*)(unsigned source, unsigned id, int length, const char* message);
using Pop = void (*)();
using Label = void (*)(unsigned kind, unsigned object, int length, const char* label);
using Delete = void (*)(unsigned object);
using DeleteMany = void (*)(int count, const unsigned* objects);
using SetDispatch = void (*)(Function* table);

constexpr unsigned kDither = 0x0BD0;          // GL_DITHER: every context has it
constexpr unsigned kProgram = 0x82E2;         // GL_PROGRAM
constexpr unsigned kCurrentProgram = 0x8B8D;  // GL_CURRENT_PROGRAM
constexpr unsigned kTexture = 0x1702;         // GL_TEXTURE
constexpr unsigned kRenderbuffer = 0x8D41;    // GL_RENDERBUFFER
constexpr unsigned kBuffer = 0x82E0;          // GL_BUFFER

thread_local DebugGroups groups;
cutaway::ObjectLabels program_labels, texture_labels, renderbuffer_labels, buffer_labels;
std::atomic<cutaway::LabelListener> listener{nullptr};

// Labels of a kind of objects; nullptr: they are not kept.
cutaway::ObjectLabels* labels_of(unsigned kind) {
  return kind == kProgram        ? &program_labels
         : kind == kTexture      ? &texture_labels
         : kind == kRenderbuffer ? &renderbuffer_labels
         : kind == kBuffer       ? &buffer_labels
                                 : nullptr;
}

// Mesa's library of dispatch and the places in its tables.
struct Mesa {
  SetDispatch set_dispatch = nullptr;
  ProcOffset offset = nullptr;
  int push = -1, pop = -1, enable = -1, disable = -1, is_enabled = -1;
  int label = -1, delete_program = -1, delete_textures = -1, delete_renderbuffers = -1, delete_buffers = -1;
  int get_integer = -1;

  Mesa() {
    void* library = dlopen("libglapi.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
    set_dispatch = reinterpret_cast<SetDispatch>(dlsym(library, "_glapi_set_dispatch"));
    offset = reinterpret_cast<ProcOffset>(dlsym(library, "_glapi_get_proc_offset"));
    if (!offset) return;
    push = offset("glPushDebugGroup"), pop = offset("glPopDebugGroup");
    enable = offset("glEnable"), disable = offset("glDisable"), is_enabled = offset("glIsEnabled");
    label = offset("glObjectLabel"), delete_program = offset("glDeleteProgram");
    delete_textures = offset("glDeleteTextures"), delete_renderbuffers = offset("glDeleteRenderbuffers");
    delete_buffers = offset("glDeleteBuffers"), get_integer = offset("glGetIntegerv");
    for (DrawCall& call : draw_calls) call.place = offset(call.name);
    for (DrawCall& call : cutaway::preload::storage_calls) call.place = offset(call.name);
  }
  bool complete() const { return push >= 0 && pop >= 0 && enable >= 0 && disable >= 0 && is_enabled >= 0; }
  bool keeps_labels() const {
    return label >= 0 && delete_program >= 0 && delete_textures >= 0 && delete_renderbuffers >= 0 &&
           delete_buffers >= 0 && get_integer >= 0;
  }
};

const Mesa& mesa() {
  static const Mesa library;
  return library;
}

thread_local Function* current = nullptr;  // the table of the thread's context
Push mesa_push = nullptr;
Pop mesa_pop = nullptr;
Label mesa_label = nullptr;
Delete mesa_delete_program = nullptr;
DeleteMany mesa_delete_textures = nullptr, mesa_delete_renderbuffers = nullptr, mesa_delete_buffers = nullptr;

template <class Signature>
Signature* function_at(int offset) {
  return reinterpret_cast<Signature*>(current[offset]);
}

// Mesa collects vertices of glBegin and glEnd until some state changes. Changes one and restores it, so that
// earlier vertices are drawn before the group begins or ends.
void draw_collected() {
  if (!current) return;
  const auto enable = function_at<void(unsigned)>(mesa().enable);
  const auto disable = function_at<void(unsigned)>(mesa().disable);
  const bool on = function_at<unsigned char(unsigned)>(mesa().is_enabled)(kDither);
  if (on) disable(kDither), enable(kDither);
  else enable(kDither), disable(kDither);
}

void push_group(unsigned source, unsigned id, int length, const char* message) {
  draw_collected();
  mesa_push(source, id, length, message);
  groups.push(message, length);
}

void pop_group() {
  draw_collected();
  mesa_pop();
  groups.pop();
}

void label_object(unsigned kind, unsigned object, int length, const char* label) {
  mesa_label(kind, object, length, label);
  cutaway::ObjectLabels* labels = labels_of(kind);
  if (!labels) return;
  labels->set(object, label, length);
  char kept[DebugGroups::kBytes + 1] = "";
  labels->find(object, kept);
  if (const auto tell = listener.load(); tell && kind != kProgram)
    tell(cutaway::gl_object(kind, object), kept);
}

void delete_program(unsigned object) {
  mesa_delete_program(object);
  program_labels.remove(object);
}

void forget(unsigned kind, int count, const unsigned* objects) {
  for (int i = 0; i < count && objects; i++) {
    labels_of(kind)->remove(objects[i]);
    if (const auto tell = listener.load()) tell(cutaway::gl_object(kind, objects[i]), nullptr);
  }
}

void delete_textures(int count, const unsigned* objects) {
  mesa_delete_textures(count, objects);
  forget(kTexture, count, objects);
}

void delete_renderbuffers(int count, const unsigned* objects) {
  mesa_delete_renderbuffers(count, objects);
  forget(kRenderbuffer, count, objects);
}

void delete_buffers(int count, const unsigned* objects) {
  mesa_delete_buffers(count, objects);
  forget(kBuffer, count, objects);
}

// Puts functions before those of a table, where it has those of the first table.
void enter_calls(Function* table, DrawCall* calls, unsigned count) {
  for (DrawCall* call = calls; call < calls + count; call++) {
    if (call->place < 0 || !table[call->place]) continue;
    if (!call->original) call->original = table[call->place];
    if (table[call->place] == call->original) table[call->place] = call->instead;
  }
}

// Puts the functions that follow labels into a table, where it has those of the first table.
void enter_labels(Function* table) {
  const auto label = reinterpret_cast<Label>(table[mesa().label]);
  const auto remove = reinterpret_cast<Delete>(table[mesa().delete_program]);
  if (!label || !remove) return;
  if (!mesa_label) mesa_label = label, mesa_delete_program = remove;
  if (label != mesa_label || remove != mesa_delete_program) return;
  table[mesa().label] = reinterpret_cast<Function>(label_object);
  table[mesa().delete_program] = reinterpret_cast<Function>(delete_program);
  enter_calls(table, draw_calls, cutaway::preload::kDrawCalls);
  const auto textures = reinterpret_cast<DeleteMany>(table[mesa().delete_textures]);
  const auto renderbuffers = reinterpret_cast<DeleteMany>(table[mesa().delete_renderbuffers]);
  const auto buffers = reinterpret_cast<DeleteMany>(table[mesa().delete_buffers]);
  if (!mesa_delete_textures)
    mesa_delete_textures = textures, mesa_delete_renderbuffers = renderbuffers, mesa_delete_buffers = buffers;
  if (textures != mesa_delete_textures || renderbuffers != mesa_delete_renderbuffers ||
      buffers != mesa_delete_buffers)
    return;
  table[mesa().delete_textures] = reinterpret_cast<Function>(delete_textures);
  table[mesa().delete_renderbuffers] = reinterpret_cast<Function>(delete_renderbuffers);
  table[mesa().delete_buffers] = reinterpret_cast<Function>(delete_buffers);
  enter_calls(table, cutaway::preload::storage_calls, cutaway::preload::kStorageCalls);
}

// Puts the functions into a table, once. A table between glBegin and glEnd has other functions there, which
// report an error, and stays as it is.
void enter(Function* table) {
  const auto push = reinterpret_cast<Push>(table[mesa().push]);
  const auto pop = reinterpret_cast<Pop>(table[mesa().pop]);
  if (push == push_group || !push || !pop) return;
  if (!mesa_push) mesa_push = push, mesa_pop = pop;
  if (push != mesa_push || pop != mesa_pop) return;
  table[mesa().push] = reinterpret_cast<Function>(push_group);
  table[mesa().pop] = reinterpret_cast<Function>(pop_group);
  if (mesa().keeps_labels()) enter_labels(table);
}

}  // namespace

namespace cutaway::preload {

DrawNotice::DrawNotice() {
  if (program_labels.empty() || !current) return;
  int program = 0;
  function_at<void(unsigned, int*)>(mesa().get_integer)(kCurrentProgram, &program);
  groups.draws = program > 0 && program_labels.find(static_cast<unsigned>(program), groups.program);
}

DrawNotice::~DrawNotice() { groups.draws = false; }

namespace {

// Targets of a kind of objects, and the state that tells what is bound to each.
struct Target {
  unsigned kind, target, binding;
};
constexpr Target kTargets[] = {
    {kTexture, 0x0DE0, 0x8068},                                  // GL_TEXTURE_1D
    {kTexture, 0x0DE1, 0x8069},                                  // GL_TEXTURE_2D
    {kTexture, 0x806F, 0x806A},                                  // GL_TEXTURE_3D
    {kTexture, 0x84F5, 0x84F6},                                  // GL_TEXTURE_RECTANGLE
    {kTexture, 0x8C18, 0x8C1C},                                  // GL_TEXTURE_1D_ARRAY
    {kTexture, 0x8C1A, 0x8C1D},                                  // GL_TEXTURE_2D_ARRAY
    {kTexture, 0x9009, 0x900A},                                  // GL_TEXTURE_CUBE_MAP_ARRAY
    {kTexture, 0x9100, 0x9104},                                  // GL_TEXTURE_2D_MULTISAMPLE
    {kRenderbuffer, 0x8D41, 0x8CA7}, {kBuffer, 0x8892, 0x8894},  // GL_ARRAY_BUFFER
    {kBuffer, 0x8893, 0x8895},                                   // GL_ELEMENT_ARRAY_BUFFER
    {kBuffer, 0x88EB, 0x88ED},                                   // GL_PIXEL_PACK_BUFFER
    {kBuffer, 0x88EC, 0x88EF},                                   // GL_PIXEL_UNPACK_BUFFER
    {kBuffer, 0x8A11, 0x8A28},                                   // GL_UNIFORM_BUFFER
    {kBuffer, 0x8C2A, 0x8C2A},                                   // GL_TEXTURE_BUFFER
    {kBuffer, 0x8C8E, 0x8C8F},                                   // GL_TRANSFORM_FEEDBACK_BUFFER
    {kBuffer, 0x8F36, 0x8F36},                                   // GL_COPY_READ_BUFFER
    {kBuffer, 0x8F37, 0x8F37},                                   // GL_COPY_WRITE_BUFFER
    {kBuffer, 0x8F3F, 0x8F43},                                   // GL_DRAW_INDIRECT_BUFFER
    {kBuffer, 0x90D2, 0x90D3},                                   // GL_SHADER_STORAGE_BUFFER
    {kBuffer, 0x90EE, 0x90EF},                                   // GL_DISPATCH_INDIRECT_BUFFER
    {kBuffer, 0x92C0, 0x92C1},                                   // GL_ATOMIC_COUNTER_BUFFER
};

// binding 0: the target is none of these.
Target target_of(unsigned target) {
  if (target >= 0x8513 && target <= 0x851A) return {kTexture, target, 0x8514};  // cube maps and their faces
  for (const Target& one : kTargets)
    if (one.target == target) return one;
  return {kTexture, target, 0};
}

}  // namespace

StorageNotice::StorageNotice(unsigned target, Kind named, unsigned object) {
  const auto [kind, _, binding] =
      target ? target_of(target) : Target{named == Kind::kBuffer ? kBuffer : kTexture, 0, 0};
  int bound = static_cast<int>(object);
  if (binding && current) function_at<void(unsigned, int*)>(mesa().get_integer)(binding, &bound);
  if (bound <= 0) return;
  groups.makes = gl_object(kind, static_cast<unsigned>(bound));
  groups.made[0] = 0;
  labels_of(kind)->find(static_cast<unsigned>(bound), groups.made);
}

StorageNotice::~StorageNotice() { groups.makes = 0; }

}  // namespace cutaway::preload

extern "C" {

__attribute__((visibility("default"))) void _glapi_set_dispatch(Function* table);
__attribute__((visibility("default"))) const DebugGroups* cutaway_debug_groups();
__attribute__((visibility("default"))) void cutaway_listen_for_labels(cutaway::LabelListener whom);

void _glapi_set_dispatch(Function* table) {
  if (table && mesa().offset) cutaway::preload::watch_fast_programs(table, mesa().offset);
  if (table && mesa().complete()) {
    enter(table);
    current = table;
  }
  if (mesa().set_dispatch) mesa().set_dispatch(table);
}

const DebugGroups* cutaway_debug_groups() { return &groups; }

void cutaway_listen_for_labels(cutaway::LabelListener whom) { listener = whom; }

}  // extern "C"
