#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "engine/box.h"

namespace cutaway::engine {

class Storage;

// A place of a storage, or none. Whatever needs the place owns it; when that ends, the place is given back.
class Place {
 public:
  Place() = default;
  Place(Place&&) = default;
  Place& operator=(Place&& other) noexcept {
    std::swap(storage_, other.storage_);
    other.give_back();
    return *this;
  }
  ~Place() { give_back(); }

  explicit operator bool() const { return storage_ != nullptr; }
  void give_back();

 private:
  friend class Storage;
  explicit Place(std::shared_ptr<Storage*> storage) : storage_(std::move(storage)) {}

  std::shared_ptr<Storage*> storage_;  // null inside: the storage is gone
};

// Places, a fixed number of them, for what one box makes and the boxes behind it hold. The box takes a place
// for each thing that it sends on; whoever gives the thing up last gives the place back. As with the slot of
// a wire, a place given back is free at the box's next edge and wakes it, whatever clock it comes from and in
// whatever order boxes tick. To account for the wait it is listed among the ports of its box.
class Storage final : public Port {
 public:
  // places: at least 1.
  explicit Storage(unsigned places);
  ~Storage() { *self_ = nullptr; }

  unsigned places() const { return places_; }
  bool ready(Cycle now) const { return free(now) > 0; }
  unsigned free(Cycle now) const { return free_ + (coming_at_ <= now ? coming_ : 0); }
  // InternalError unless ready.
  Place take(Cycle now);

 private:
  friend class Place;
  void give_back();

  unsigned places_;
  unsigned free_, coming_ = 0;  // without, and those that have been given back last
  Cycle coming_at_ = 0;         // from when these are free
  std::shared_ptr<Storage*> self_;
};

}  // namespace cutaway::engine
