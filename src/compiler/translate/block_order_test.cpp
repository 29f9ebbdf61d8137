#include "compiler/translate/block_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <list>
#include <spirv/unified1/spirv.hpp>

#include "compiler/refusal.h"

namespace cutaway::compiler {
namespace {

using testing::ElementsAre;

// Blocks by hand: the id of a block is its label.
class Graph {
 public:
  void branch(uint32_t from, std::vector<uint32_t> to, uint16_t extra = spv::OpStore) {
    if (extra != spv::OpNop) add(from, extra, {1000, 1001});
    if (to.size() == 1) add(from, spv::OpBranch, to);
    else if (to.empty()) add(from, spv::OpReturn, {});
    else add(from, spv::OpBranchConditional, {1002, to[0], to[1]});
  }
  // A block that only goes on.
  void pass(uint32_t from, uint32_t to) { branch(from, {to}, spv::OpNop); }
  void phi(uint32_t block, uint32_t result, const std::vector<uint32_t>& parents) {
    add(block, spv::OpPhi, parents, result);
  }
  void loop(uint32_t header, uint32_t merge, uint32_t continues) {
    module_.blocks[header].loop = true;
    module_.blocks[header].merge = merge;
    module_.blocks[header].continues = continues;
  }
  BlockOrder order() const { return BlockOrder(module_); }

 private:
  void add(uint32_t block, uint16_t op, const std::vector<uint32_t>& operands, uint32_t result = 0) {
    Word word;
    word.op = op;
    word.result = result;
    word.words = operands_.emplace_back(operands);
    module_.blocks[block].body.push_back(word);
  }

  std::list<std::vector<uint32_t>> operands_;
  Module module_;
};

bool anywhere(uint32_t) { return true; }
std::function<bool(uint32_t)> until(uint32_t end) {
  return [end](uint32_t label) { return label != end; };
}

TEST(BlockOrder, ComesBehindAllThatLeadThere) {
  Graph g;  // 1 to 2 and 3; 3 goes on into 2
  g.branch(1, {2, 3});
  g.branch(3, {2});
  g.branch(2, {9});
  BlockOrder order = g.order();
  EXPECT_THAT(order.behind(1, until(9)).order, ElementsAre(3, 2));
}

TEST(BlockOrder, PutsArmsBehindTheirTests) {
  Graph
      g;  // 1 tests for arm 11, 2 for 12, 3 for 13; the arm is the first target of some, the second of others
  g.branch(1, {11, 2});
  g.branch(2, {3, 12});
  g.branch(3, {13, 9});
  for (const uint32_t arm : {11, 12, 13}) g.branch(arm, {9});
  BlockOrder order = g.order();
  EXPECT_THAT(order.behind(1, until(9)).order, ElementsAre(11, 2, 12, 3, 13));
}

TEST(BlockOrder, ALoopIsItsHeader) {
  Graph g;
  g.branch(1, {2});
  g.loop(2, 5, 4);
  g.branch(2, {3, 5});
  g.branch(3, {4});
  g.branch(4, {2});
  g.branch(5, {9});
  BlockOrder order = g.order();
  EXPECT_THAT(order.behind(1, until(9)).order, ElementsAre(2, 5));
  EXPECT_THAT(order.targets(2, false), ElementsAre(5));
  EXPECT_THAT(order.targets(2, true), ElementsAre(3, 5));
}

TEST(BlockOrder, RefusesToComeBack) {
  Graph g;
  g.branch(1, {2});
  g.branch(2, {3});
  g.branch(3, {2, 9});
  BlockOrder order = g.order();
  EXPECT_THROW(order.behind(1, until(9)), InvalidShader);
  Graph start;
  start.branch(1, {2});
  start.branch(2, {1, 9});
  BlockOrder to_start = start.order();
  EXPECT_THROW(to_start.behind(1, until(9)), InvalidShader);
}

TEST(BlockOrder, PassesBlocksThatOnlyGoOn) {
  Graph g;
  g.branch(1, {2, 3});
  g.pass(2, 4);
  g.pass(4, 5);
  g.branch(3, {4});
  g.branch(5, {9});
  BlockOrder order = g.order();
  BlockOrder::Region region = order.behind(1, until(9));
  EXPECT_THAT(region.order, ElementsAre(3, 5));
  for (int twice = 0; twice < 2; ++twice) {
    const BlockOrder::Way way = order.way(region, 1, 2);
    EXPECT_EQ(way.from, 4u);
    EXPECT_EQ(way.to, 5u);
    EXPECT_TRUE(way.through.empty());
  }
  EXPECT_EQ(order.way(region, 3, 4).from, 4u);
}

TEST(BlockOrder, PassesPhisThatOnlyPhisRead) {
  Graph g;
  g.branch(1, {2, 3});
  g.branch(2, {4});
  g.branch(3, {4});
  g.phi(4, 104, {102, 2, 103, 3});
  g.pass(4, 5);
  g.phi(5, 105, {104, 4, 101, 1});
  g.branch(5, {9});
  BlockOrder order = g.order();
  BlockOrder::Region region = order.behind(1, until(9));
  EXPECT_THAT(order.way(region, 2, 4).through, ElementsAre(4));
  EXPECT_EQ(order.way(region, 2, 4).to, 5u);
  // Somebody else reads the phi.
  g.phi(9, 109, {104, 5});
  BlockOrder read = g.order();
  BlockOrder::Region again = read.behind(1, until(9));
  EXPECT_EQ(read.way(again, 2, 4).to, 4u);
}

TEST(BlockOrder, DoesNotPassTheEndOfALoop) {
  Graph g;
  g.branch(1, {2});
  g.loop(2, 3, 2);
  g.branch(2, {2, 3});
  g.pass(3, 9);
  BlockOrder order = g.order();
  EXPECT_THAT(order.behind(1, until(9)).order, ElementsAre(2, 3));
}

TEST(BlockOrder, RefusesBlocksThatGoOnInACircle) {
  Graph g;
  g.branch(1, {2});
  g.pass(2, 3);
  g.pass(3, 2);
  BlockOrder order = g.order();
  EXPECT_THROW(order.behind(1, anywhere), InvalidShader);
}

}  // namespace
}  // namespace cutaway::compiler
