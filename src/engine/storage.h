#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include "engine/box.h"

namespace cutaway::engine {

class Storage;

// A place of a storage, or none. The object that needs the place owns it; its end returns the place.
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

  std::shared_ptr<Storage*> storage_;  // points to null once the storage is gone
};

// A fixed number of places for things that one box makes and boxes behind it hold. The box takes a place for
// each thing that it sends on; the last owner of the thing returns the place. Like the slot of a wire, a
// returned place is free at the box's next edge and wakes it, whatever clock it comes from and in whatever
// order boxes tick. The box lists it among its ports, so that waits for a place are accounted.
class Storage final : public Port {
 public:
  // places: at least 1.
  explicit Storage(unsigned places);
  ~Storage() { *self_ = nullptr; }

  unsigned places() const { return places_; }
  bool ready(Cycle now) const { return free(now) > 0; }
  unsigned free(Cycle now) const { return free_ + (coming_at_ <= now ? coming_ : 0); }
  // InternalError if not ready.
  Place take(Cycle now);

 private:
  friend class Place;
  void give_back();

  unsigned places_;
  unsigned free_, coming_ = 0;  // free_ excludes coming_, the places returned last
  Cycle coming_at_ = 0;         // the cycle from which those are free
  std::shared_ptr<Storage*> self_;
};

}  // namespace cutaway::engine
