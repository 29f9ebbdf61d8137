#include <array>
#include <bit>
#include <cstdlib>
#include <deque>
#include <gtest/gtest.h>
#include <random>

#include "compiler/pipeline.h"
#include "compiler/testing/integer_values.h"
#include "compiler/testing/run_text.h"

// Runs random programs of integers of all widths, with operands whose widths and signs differ from each other
// and from the result, and compares them with values computed beside them.
namespace cutaway::compiler::random_integers_test {
namespace {

using namespace integer_test;

class Generator {
 public:
  // constants: only operations on specialization constants.
  Generator(uint32_t seed, bool constants) : random_(seed), constants_(constants) {
    for (uint32_t& word : in_) word = static_cast<uint32_t>(random_() >> random_() % 32);
    module_.results = 48;
    module_.capabilities = "OpCapability GroupNonUniform\nOpCapability GroupNonUniformShuffle";
  }

  void generate(uint32_t values) {
    for (uint32_t i = 0; i < values; ++i) step();
    store_results();
  }
  const TextModule& module() const { return module_; }
  const std::vector<uint32_t>& in() const { return in_; }
  const std::vector<uint32_t>& expected() const { return expected_; }

 private:
  uint32_t pick(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
  template <class T, size_t N>
  const T& one_of(const T (&all)[N]) {
    return all[pick(N)];
  }
  std::string next_id() { return "%n" + std::to_string(ids_++); }

  // Appends an instruction with this result.
  std::string emit(const std::string& type, const std::string& op, const std::string& operands) {
    const std::string id = next_id();
    if (constants_) module_.globals += id + " = OpSpecConstantOp %" + type + " " + op + " " + operands + "\n";
    else module_.body += id + " = Op" + op + " %" + type + " " + operands + "\n";
    return id;
  }

  // Adds a value whose components are computed by component(lane, index).
  template <class Component>
  const Value& add(const std::string& id, const IntType& type, Component&& component) {
    Value value{id, type, {}};
    for (uint32_t lane = 0; lane < kLanes; ++lane)
      for (uint32_t i = 0; i < type.count; ++i)
        value.lanes[lane].push_back(cut(component(lane, i), type.bits));
    values_.push_back(std::move(value));
    return values_.back();
  }

  // A constant; in a program of constants one that can be specialized.
  Value constant(const IntType& type, uint64_t number) {
    const IntType scalar{type.bits, type.is_signed, 1};
    const std::string op = constants_ && type.count == 1 ? "OpSpecConstant" : "OpConstant", id = next_id();
    const int64_t sign = with_sign(number, type.bits);
    module_.globals += id + " = " + op + " %" + scalar.name() + " " +
                       (type.is_signed ? std::to_string(sign) : std::to_string(cut(number, type.bits))) +
                       "\n";
    std::string whole = id;
    if (type.count > 1) {
      whole = next_id();
      module_.globals += whole + " = OpConstantComposite %" + type.name();
      for (uint32_t i = 0; i < type.count; ++i) module_.globals += " " + id;
      module_.globals += "\n";
    }
    Value value{whole, type, {}};
    for (auto& lane : value.lanes) lane.assign(type.count, cut(number, type.bits));
    return value;
  }

  uint64_t number() {
    const uint64_t value = random_() >> random_() % 64;
    return pick(4) == 0 ? 0 - value : value;
  }

  // A value that is read from the buffer.
  Value leaf(const IntType& type) {
    if (constants_ || pick(4) == 0) return constant(type, number());
    Value value{"", type, {}};
    std::string parts;
    for (uint32_t i = 0; i < type.count; ++i) {
      const uint32_t first = pick(4), second = pick(4);
      const auto x = [](uint32_t n) { return "%x" + std::to_string(n); };
      std::string part = x(first);
      if (type.bits == 64) {
        const std::string pair = emit("u32v2", "CompositeConstruct", x(first) + " " + x(second));
        part = emit(type.scalar(), "Bitcast", pair);
      } else {
        if (type.bits < 32) part = emit("u" + std::to_string(type.bits), "UConvert", part);
        if (type.is_signed) part = emit(type.scalar(), "Bitcast", part);
      }
      parts += part + " ";
      for (uint32_t lane = 0; lane < kLanes; ++lane) {
        const uint64_t high = type.bits == 64 ? in_[4 * lane + second] : 0;
        value.lanes[lane].push_back(cut(high << 32 | in_[4 * lane + first], type.bits));
      }
    }
    value.id = type.count == 1 ? parts : emit(type.name(), "CompositeConstruct", parts);
    return value;
  }

  // Any value with these bits and components, of either sign.
  Value any(uint32_t bits, uint32_t count) {
    std::vector<const Value*> fitting;
    for (const Value& v : values_)
      if (v.type.bits == bits && v.type.count == count) fitting.push_back(&v);
    if (!fitting.empty() && pick(3)) return *fitting[pick(static_cast<uint32_t>(fitting.size()))];
    return leaf({bits, pick(2) == 0, count});
  }
  Value exactly(const IntType& type) {
    for (const Value& v : values_)
      if (v.type == type && pick(2)) return v;
    return leaf(type);
  }
  IntType any_type() { return {one_of(kWidths), pick(2) == 0, 1 + pick(4)}; }

  // A value of any width whose components are below a power of two.
  Value below(uint32_t limit, uint32_t count) {
    const Value x = any(one_of(kWidths), count);
    const Value mask = constant(x.type, limit - 1);
    Value result{emit(x.type.name(), "BitwiseAnd", x.id + " " + mask.id), x.type, x.lanes};
    for (auto& lane : result.lanes)
      for (uint64_t& component : lane) component &= limit - 1;
    return result;
  }

  void step() {
    switch (pick(constants_ ? 7 : 19)) {
      case 0:
        return arithmetic();
      case 1:
      case 2:
        return shift();
      case 3:
        return divide();
      case 4:
        return convert();
      case 5:
        return select();
      case 6:
        return negate();
      case 7:
      case 8:
        return extract_field();
      case 9:
        return insert_field();
      case 10:
        return count_bits();
      case 11:
        return extended();
      case 12:
        return least_or_most();
      case 13:
        return extract_dynamic();
      case 14:
        return insert_dynamic();
      case 15:
        return shuffle();
      case 16:
        return cast();
      case 17:
        return rearrange();
      default:
        return through_array();
    }
  }

  template <size_t N>
  void component_wise(const std::string (&ops)[N], const IntType& type, const Value& a, const Value& b) {
    const std::string op = one_of(ops);
    add(emit(type.name(), op, a.id + " " + b.id), type,
        [&](uint32_t lane, uint32_t i) { return binary(op, a.lanes[lane][i], b.lanes[lane][i], type.bits); });
  }
  void arithmetic() {
    static const std::string kOps[] = {"IAdd", "ISub", "IMul", "BitwiseAnd", "BitwiseOr", "BitwiseXor"};
    const IntType type = any_type();
    component_wise(kOps, type, any(type.bits, type.count), any(type.bits, type.count));
  }
  void shift() {
    static const std::string kOps[] = {"ShiftLeftLogical", "ShiftRightLogical", "ShiftRightArithmetic"};
    const IntType type = any_type();
    component_wise(kOps, type, any(type.bits, type.count), below(type.bits, type.count));
  }
  void divide() {
    static const std::string kSigned[] = {"SDiv", "SRem", "SMod"}, kUnsigned[] = {"UDiv", "UMod"};
    const IntType type = any_type();
    const auto operand = [&] { return type.is_signed ? any(type.bits, type.count) : exactly(type); };
    const Value a = operand();
    Value b = operand();
    const Value one = constant(b.type, 1);
    b.id = emit(b.type.name(), "BitwiseOr", b.id + " " + one.id);
    for (auto& lane : b.lanes)
      for (uint64_t& component : lane) component |= 1;
    if (type.is_signed) component_wise(kSigned, type, a, b);
    else component_wise(kUnsigned, type, a, b);
  }
  void convert() {
    const Value x = any(one_of(kWidths), 1 + pick(4));
    IntType to{one_of(kWidths), pick(2) == 0, x.type.count};
    if (to.bits == x.type.bits) to.bits = to.bits == 64 ? 8 : to.bits * 2;
    const bool sign = to.is_signed || pick(2);
    add(emit(to.name(), sign ? "SConvert" : "UConvert", x.id), to, [&](uint32_t lane, uint32_t i) {
      const uint64_t v = x.lanes[lane][i];
      return sign ? static_cast<uint64_t>(with_sign(v, x.type.bits)) : v;
    });
  }
  void select() {
    static const std::string kOps[] = {"ULessThan",      "SLessThan", "UGreaterThanEqual", "SGreaterThan",
                                       "SLessThanEqual", "IEqual",    "INotEqual"};
    const IntType type = any_type();
    const Value a = any(one_of(kWidths), type.count), b = any(a.type.bits, type.count);
    const Value yes = exactly(type), no = exactly(type);
    const std::string op = one_of(kOps);
    const std::string condition =
        emit(type.count == 1 ? "bool" : "boolv" + std::to_string(type.count), op, a.id + " " + b.id);
    add(emit(type.name(), "Select", condition + " " + yes.id + " " + no.id), type,
        [&](uint32_t lane, uint32_t i) {
          const bool is = binary(op, a.lanes[lane][i], b.lanes[lane][i], a.type.bits);
          return (is ? yes : no).lanes[lane][i];
        });
  }
  void negate() {
    const IntType type = any_type();
    const Value x = any(type.bits, type.count);
    const bool inverts = pick(2);
    add(emit(type.name(), inverts ? "Not" : "SNegate", x.id), type,
        [&](uint32_t lane, uint32_t i) { return inverts ? ~x.lanes[lane][i] : 0 - x.lanes[lane][i]; });
  }
  void extract_field() {
    const IntType type{32, pick(2) == 0, 1 + pick(4)};
    const Value x = exactly(type), offset = below(16, 1), count = below(16, 1);
    const bool sign = pick(2);
    add(emit(type.name(), sign ? "BitFieldSExtract" : "BitFieldUExtract",
             x.id + " " + offset.id + " " + count.id),
        type, [&](uint32_t lane, uint32_t i) -> uint64_t {
          const auto bits = static_cast<uint32_t>(count.lanes[lane][0]);
          if (bits == 0) return 0;
          const uint64_t field = cut(x.lanes[lane][i] >> offset.lanes[lane][0], bits);
          return sign ? static_cast<uint64_t>(with_sign(field, bits)) : field;
        });
  }
  void insert_field() {
    const IntType type{32, pick(2) == 0, 1 + pick(4)};
    const Value x = exactly(type), insert = exactly(type), offset = below(16, 1), count = below(16, 1);
    add(emit(type.name(), "BitFieldInsert", x.id + " " + insert.id + " " + offset.id + " " + count.id), type,
        [&](uint32_t lane, uint32_t i) {
          const uint64_t mask = ((uint64_t{1} << count.lanes[lane][0]) - 1) << offset.lanes[lane][0];
          return (x.lanes[lane][i] & ~mask) | (insert.lanes[lane][i] << offset.lanes[lane][0] & mask);
        });
  }
  void count_bits() {
    const Value x = any(32, 1 + pick(4));
    if (pick(3) == 0) {
      add(emit(x.type.name(), "BitReverse", x.id), x.type,
          [&](uint32_t lane, uint32_t i) { return reversed(x.lanes[lane][i]); });
      return;
    }
    const IntType type{one_of(kWidths), pick(2) == 0, x.type.count};
    add(emit(type.name(), "BitCount", x.id), type,
        [&](uint32_t lane, uint32_t i) { return static_cast<uint64_t>(std::popcount(x.lanes[lane][i])); });
  }
  void extended() {
    static const std::string kOps[] = {"UMulExtended", "SMulExtended", "IAddCarry", "ISubBorrow"};
    const std::string op = one_of(kOps);
    const IntType type{one_of(kWidths), op == "SMulExtended" && pick(2), 1 + pick(4)};
    const Value a = exactly(type), b = exactly(type);
    const std::string pair = pair_of(type), both = emit(pair, op, a.id + " " + b.id);
    const uint32_t member = pick(2);
    add(emit(type.name(), "CompositeExtract", both + " " + std::to_string(member)), type,
        [&](uint32_t lane, uint32_t i) {
          const uint64_t x = a.lanes[lane][i], y = b.lanes[lane][i];
          Uint128 result = Uint128{x} * y;
          if (op == "SMulExtended")
            result =
                static_cast<Uint128>(static_cast<Int128>(with_sign(x, type.bits)) * with_sign(y, type.bits));
          if (op == "IAddCarry") result = Uint128{x} + y;
          if (op == "ISubBorrow") result = (Uint128{x < y} << type.bits) | cut(x - y, type.bits);
          return static_cast<uint64_t>(member ? result >> type.bits : result);
        });
  }
  std::string pair_of(const IntType& type) {
    const std::string name = "pair_" + type.name();
    if (module_.globals.find("%" + name + " =") == std::string::npos)
      module_.globals =
          "%" + name + " = OpTypeStruct %" + type.name() + " %" + type.name() + "\n" + module_.globals;
    return name;
  }
  void least_or_most() {
    static const std::string kOps[] = {"UMin", "UMax", "SMin", "SMax"};
    const std::string op = one_of(kOps);
    const IntType type{one_of(kWidths), op[0] == 'S', 1 + pick(4)};
    const Value a = exactly(type), b = exactly(type);
    add(emit(type.name(), "ExtInst", "%glsl " + op + " " + a.id + " " + b.id), type,
        [&](uint32_t lane, uint32_t i) { return binary(op, a.lanes[lane][i], b.lanes[lane][i], type.bits); });
  }
  // A place in a vector, by an index of any width.
  Value place_in(uint32_t count) { return below(count == 4 ? 4 : 2, 1); }
  void extract_dynamic() {
    const Value x = any(one_of(kWidths), 2 + pick(3)), at = place_in(x.type.count);
    const IntType type{x.type.bits, x.type.is_signed, 1};
    add(emit(type.name(), "VectorExtractDynamic", x.id + " " + at.id), type,
        [&](uint32_t lane, uint32_t) { return x.lanes[lane][at.lanes[lane][0]]; });
  }
  void insert_dynamic() {
    const Value x = any(one_of(kWidths), 2 + pick(3)), at = place_in(x.type.count);
    const Value part = exactly({x.type.bits, x.type.is_signed, 1});
    add(emit(x.type.name(), "VectorInsertDynamic", x.id + " " + part.id + " " + at.id), x.type,
        [&](uint32_t lane, uint32_t i) {
          return (i == at.lanes[lane][0] ? part : x).lanes[lane][part_of(i, at, lane)];
        });
  }
  static uint32_t part_of(uint32_t i, const Value& at, uint32_t lane) {
    return i == at.lanes[lane][0] ? 0 : i;
  }
  // Stores one element of an array of zeros and loads one, by indices of any width.
  void through_array() {
    const Value x = any(one_of(kWidths), 1 + pick(4)), to = below(4, 1), from = below(4, 1);
    const std::string name = x.type.name(), n = std::to_string(ids_++);
    if (module_.globals.find("%array_" + name + " =") == std::string::npos)
      module_.globals = "%array_" + name + " = OpTypeArray %" + name + " %c4\n%array_ptr_" + name +
                        " = OpTypePointer Function %array_" + name + "\n%ptr_" + name +
                        " = OpTypePointer Function %" + name + "\n%null_" + name +
                        " = OpConstantNull %array_" + name + "\n" + module_.globals;
    module_.variables += "%array" + n + " = OpVariable %array_ptr_" + name + " Function %null_" + name + "\n";
    const std::string store = emit("ptr_" + name, "AccessChain", "%array" + n + " " + to.id);
    module_.body += "OpStore " + store + " " + x.id + "\n";
    const std::string load = emit("ptr_" + name, "AccessChain", "%array" + n + " " + from.id);
    add(emit(name, "Load", load), x.type, [&](uint32_t lane, uint32_t i) {
      return to.lanes[lane][0] == from.lanes[lane][0] ? x.lanes[lane][i] : 0;
    });
  }

  // Reads another invocation's value, by an identifier of any width.
  void shuffle() {
    const Value x = any(one_of(kWidths), 1 + pick(4)), from = below(4, 1);
    const IntType id{from.type.bits, false, 1};
    const std::string of = from.type.is_signed ? emit(id.name(), "Bitcast", from.id) : from.id;
    add(emit(x.type.name(), "GroupNonUniformShuffle", "%c3 " + x.id + " " + of), x.type,
        [&](uint32_t lane, uint32_t i) { return x.lanes[from.lanes[lane][0]][i]; });
  }
  // The same bits as a vector of twice or half as many components.
  void cast() {
    const bool splits = pick(2);
    IntType from{splits ? kWidths[1 + pick(3)] : kWidths[pick(3)], pick(2) == 0, splits ? 1 + pick(2) : 2};
    if (!splits && pick(2)) from.count = 4;
    const Value x = any(from.bits, from.count);
    const IntType to{splits ? from.bits / 2 : from.bits * 2, pick(2) == 0,
                     splits ? from.count * 2 : from.count / 2};
    add(emit(to.name(), "Bitcast", x.id), to, [&](uint32_t lane, uint32_t i) -> uint64_t {
      const std::vector<uint64_t>& all = x.lanes[lane];
      if (splits) return all[i / 2] >> (i % 2 ? to.bits : 0);
      return all[2 * i] | all[2 * i + 1] << from.bits;
    });
  }
  void rearrange() {
    const uint32_t bits = one_of(kWidths);
    const IntType type{bits, pick(2) == 0, 2 + pick(3)};
    const Value a = exactly({bits, type.is_signed, 2 + pick(3)}),
                b = exactly({bits, type.is_signed, 2 + pick(3)});
    std::string operands = a.id + " " + b.id;
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < type.count; ++i) {
      order.push_back(pick(a.type.count + b.type.count));
      operands += " " + std::to_string(order.back());
    }
    add(emit(type.name(), "VectorShuffle", operands), type, [&](uint32_t lane, uint32_t i) {
      const uint32_t at = order[i];
      return at < a.type.count ? a.lanes[lane][at] : b.lanes[lane][at - a.type.count];
    });
  }

  // The last values that have room.
  void store_results() {
    uint32_t first = 0;
    expected_.assign(kLanes * module_.results, 0xabababab);
    for (auto v = values_.rbegin(); v != values_.rend() && first + 8 <= module_.results; ++v) {
      uint32_t at = first;
      module_.body += stored(v->type.name(), v->id, first);
      for (uint32_t i = 0; i < v->type.count; ++i)
        for (uint32_t word = 0; word < (v->type.bits == 64 ? 2 : 1); ++word, ++at)
          for (uint32_t lane = 0; lane < kLanes; ++lane)
            expected_[lane * module_.results + at] = static_cast<uint32_t>(v->lanes[lane][i] >> 32 * word);
    }
  }

  std::mt19937_64 random_;
  bool constants_;
  uint32_t ids_ = 0;
  TextModule module_;
  std::vector<uint32_t> in_ = std::vector<uint32_t>(4 * kLanes), expected_;
  std::deque<Value> values_;  // references stay valid
};

void expect_random_programs(bool constants) {
  const char* more = std::getenv("CUTAWAY_FUZZ_ROUNDS");
  const uint32_t rounds = more ? static_cast<uint32_t>(std::atoi(more)) : 100;
  for (uint32_t seed = 0; seed < rounds; ++seed) {
    Generator generator(seed, constants);
    generator.generate(4 + seed % 12);
    const std::string text = generator.module().text();
    SCOPED_TRACE("seed " + std::to_string(seed) + text);
    const std::vector<uint32_t> spirv = assemble_spirv(text);
    const Request request{.stage = arch::Stage::kCompute, .spirv = spirv, .entry = "main"};
    for (const Pipeline& pipeline : {Pipeline{}, Pipeline{.optimized = false}, Pipeline{.live_lanes = 16},
                                     Pipeline{.gathered_loads = 4}})
      ASSERT_EQ(generator.module().run(compile(request, pipeline), generator.in()), generator.expected());
  }
}

TEST(RandomIntegers, EqualTheirDirectEvaluation) { expect_random_programs(false); }

TEST(RandomIntegers, OfSpecializationConstantsEqualTheirDirectEvaluation) { expect_random_programs(true); }

}  // namespace
}  // namespace cutaway::compiler::random_integers_test
