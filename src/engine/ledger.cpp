#include "engine/ledger.h"

#include <algorithm>

#include "base/error.h"

namespace cutaway::engine {
namespace {

// The box that owns a counter with this path: "gpu.memory_controller.texture0" belongs to
// "gpu.memory_controller".
size_t owner_of(const std::vector<std::unique_ptr<Box>>& boxes, const std::string& path) {
  size_t owner = boxes.size(), longest = 0;
  for (size_t i = 0; i < boxes.size(); i++) {
    const std::string& of = boxes[i]->path();
    const bool inside = path == of || (path.starts_with(of) && path[of.size()] == '.');
    if (inside && of.size() >= longest) owner = i, longest = of.size();
  }
  CUTAWAY_CHECK(owner < boxes.size(), "the counters of {} are no box's", path);
  return owner;
}

}  // namespace

Ledger::Ledger(const std::vector<std::unique_ptr<Box>>& boxes, const CounterTable& counters) {
  for (const auto& box : boxes) books_.push_back(std::make_unique<BoxLedger>(*box));
  const auto& table = counters.counters();
  std::string path;
  size_t owner = 0;
  for (uint32_t i = 0; i < table.size(); i++) {
    if (i == 0 || table[i].path != path) path = table[i].path, owner = owner_of(boxes, path);
    books_[owner]->values_.push_back(table[i].value);
    books_[owner]->columns_.push_back(i);
  }
  for (size_t i = 0; i < boxes.size(); i++) {
    boxes[i]->settle();
    boxes[i]->ledger_ = books_[i].get();
    BoxLedger& book = *books_[i];
    for (uint32_t v = 0; v < book.values_.size(); v++) {
      book.last_.push_back(*book.values_[v]);
      book.places_.emplace_back(book.values_[v], v);
    }
    std::sort(book.places_.begin(), book.places_.end());
  }
}

Ledger::~Ledger() = default;
BoxLedger::~BoxLedger() { box_.ledger_ = nullptr; }

std::vector<Ledger::Share> Ledger::take(uint32_t next) {
  std::vector<Share> shares;
  for (const auto& book : books_) {
    book->close(book->box_.work_);
    for (uint32_t w = 0; w < book->row_.size(); w++) {
      if (book->row_[w] == BoxLedger::kNone) continue;
      const uint64_t* row = &book->sums_[book->row_[w]];
      for (size_t i = 0; i < book->values_.size(); i++)
        if (row[i]) shares.push_back({book->first_work_ + w, book->columns_[i], row[i]});
    }
    book->row_.clear();
    book->sums_.clear();
    book->first_work_ = book->box_.work_ = next;
  }
  return shares;
}

uint64_t* BoxLedger::row(uint32_t work) {
  const uint32_t index = work < first_work_ ? 0 : work - first_work_;
  if (index >= row_.size()) row_.resize(index + 1, kNone);
  if (row_[index] == kNone) {
    row_[index] = static_cast<uint32_t>(sums_.size());
    sums_.resize(sums_.size() + values_.size());
  }
  return &sums_[row_[index]];
}

void BoxLedger::close(uint32_t work) {
  uint64_t* sums = row(work);
  for (size_t i = 0; i < values_.size(); i++) {
    sums[i] += *values_[i] - last_[i];
    last_[i] = *values_[i];
  }
}

void BoxLedger::give(uint32_t work, const uint64_t& counter, uint64_t amount) {
  const auto place = std::lower_bound(places_.begin(), places_.end(), std::pair(&counter, 0u));
  CUTAWAY_CHECK(place != places_.end() && place->first == &counter, "{}: no counter of its own", box_.path());
  row(work)[place->second] += amount;
  last_[place->second] += amount;
}

void Box::change_work(uint32_t work) {
  const Cycle now = domain_->now();
  booked_[reason_] += now - since_;
  since_ = now;
  ledger_->close(work_);
  work_ = work;
}

void Box::share(uint32_t work, const uint64_t& counter, uint64_t amount) {
  ledger_->give(work, counter, amount);
}

}  // namespace cutaway::engine
