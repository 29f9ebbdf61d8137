#include "boxes/command_processor/work_book.h"

#include <gtest/gtest.h>

namespace cutaway::boxes::work_book_test {
namespace {

using arch::Opcode;
using messages::Work;

struct Bench {
  messages::WorkList list;
  WorkBook book;
  Bench() {
    book.keep(list);
    book.begin_submission(7);
  }
  const Work& work(uint32_t number) const { return list.works().at(number - list.first()); }
};

TEST(WorkBook, NumbersEverythingZeroWithoutAList) {
  WorkBook book;
  book.begin_submission(7);
  EXPECT_EQ(book.origin().submission, 7u);
  EXPECT_EQ(book.begin(1, {.kind = Work::Kind::kDraw, .opcode = Opcode::kDraw}), 0u);
  book.end(5, 0);
  uint32_t picture = book.begin_present(7);
  EXPECT_FALSE(book.list_scan_out(8, picture));
  book.end_scan_out(9, picture);
  EXPECT_EQ(book.current(), 0u);
  EXPECT_EQ(book.origin().work, 0u);
}

TEST(WorkBook, PreparationBelongsToTheNextPiece) {
  Bench bench;
  const uint32_t next = bench.book.origin().work;
  EXPECT_EQ(bench.book.next_draw(), 1u);
  bench.book.mark(33);
  const uint32_t draw = bench.book.begin(10, {.kind = Work::Kind::kDraw, .opcode = Opcode::kDraw});
  EXPECT_EQ(draw, next);
  EXPECT_EQ(bench.book.origin().work, next + 1);
  EXPECT_EQ(bench.book.current(), next + 1);
  bench.book.end(25, draw);
  const Work& work = bench.work(draw);
  EXPECT_EQ(work.origin.draw, 1u);
  EXPECT_EQ(work.origin.submission, 7u);
  EXPECT_EQ(work.marker, 33u);
  EXPECT_EQ(work.began, 10u);
  EXPECT_EQ(work.end, 25u);
}

TEST(WorkBook, WorksForFlushesAndClearsThatHoldPackets) {
  for (const Work& held : {Work{.kind = Work::Kind::kControl, .opcode = Opcode::kFlush},
                           Work{.kind = Work::Kind::kCopy, .opcode = Opcode::kClear}}) {
    Bench bench;
    const uint32_t number = bench.book.begin(1, held);
    EXPECT_EQ(bench.book.current(), number);
    EXPECT_EQ(bench.book.held(), number);
    bench.book.end(9, number);
    EXPECT_EQ(bench.book.current(), number + 1);
  }
  Bench bench;
  const uint32_t copy = bench.book.begin(1, {.kind = Work::Kind::kCopy, .opcode = Opcode::kCopyBuffer});
  EXPECT_EQ(bench.book.current(), copy + 1);
}

TEST(WorkBook, DispatchesAreNoDraws) {
  Bench bench;
  bench.book.next_draw();
  EXPECT_EQ(bench.book.dispatch_origin().draw, 0u);
  EXPECT_EQ(bench.book.dispatch_origin().submission, 7u);
  const uint32_t number = bench.book.begin(1, {.kind = Work::Kind::kDispatch, .opcode = Opcode::kDispatch});
  EXPECT_EQ(bench.work(number).origin.draw, 0u);
  EXPECT_EQ(bench.book.next_draw(), 2u);
}

TEST(WorkBook, SubmissionsForgetMarkers) {
  Bench bench;
  bench.book.mark(33);
  bench.book.next_draw();
  bench.book.begin_submission(8);
  const uint32_t number = bench.book.begin(1, {.kind = Work::Kind::kCopy, .opcode = Opcode::kCopyBuffer});
  EXPECT_EQ(bench.work(number).marker, 0u);
  EXPECT_EQ(bench.work(number).origin.draw, 0u);
  EXPECT_EQ(bench.work(number).origin.submission, 8u);
}

TEST(WorkBook, PresentIsProlongedByItsScanOut) {
  Bench bench;
  uint32_t picture = bench.book.begin_present(10);
  const Work& work = bench.list.works().back();
  EXPECT_EQ(work.kind, Work::Kind::kPresent);
  EXPECT_EQ(work.end, 10u);
  EXPECT_FALSE(bench.book.list_scan_out(11, picture)) << "the present is in the list";
  bench.book.end_scan_out(90, picture);
  EXPECT_EQ(bench.list.works().back().end, 90u);
}

TEST(WorkBook, ProlongsOneOfSeveralPresents) {
  Bench bench;
  const uint32_t first = bench.book.begin_present(10), second = bench.book.begin_present(20);
  bench.book.end_scan_out(90, first);
  EXPECT_EQ(bench.list.works().at(0).end, 90u);
  EXPECT_EQ(bench.list.works().at(1).end, 20u);
  bench.book.end_scan_out(120, second);
  EXPECT_EQ(bench.list.works().at(1).end, 120u);
}

TEST(WorkBook, NewListBeginsWithTheScanOutUnderWay) {
  Bench bench;
  uint32_t picture = bench.book.begin_present(10);
  bench.list.clear();
  EXPECT_TRUE(bench.book.list_scan_out(20, picture));
  ASSERT_EQ(bench.list.works().size(), 1u);
  EXPECT_EQ(bench.list.works()[0].kind, Work::Kind::kScanOut);
  EXPECT_FALSE(bench.book.list_scan_out(21, picture));
  bench.book.end_scan_out(30, picture);
  EXPECT_EQ(bench.list.works()[0].end, 30u);
  uint32_t shown_again = WorkBook::kUnlisted;
  EXPECT_TRUE(bench.book.list_scan_out(40, shown_again)) << "another picture";
}

}  // namespace
}  // namespace cutaway::boxes::work_book_test
