#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace cutaway::messages {

// Pool of payloads that are too large to copy through wires; they travel as PoolRefs. A message that holds
// one owns the data, as if its bytes were in the message. Pools only grow; their size is never a resource of
// the machine, so the order in which boxes allocate cannot change a result. Limited resources are modelled by
// an engine::Storage, with a place in the payload. A payload with references or places of its own releases
// them in recycle(). A pool must outlive every reference. Not thread-safe.
template <class T>
class Pool;

template <class T>
class PoolRef {
 public:
  PoolRef() = default;
  PoolRef(const PoolRef& other) : node_(other.node_) {
    if (node_) node_->references++;
  }
  PoolRef(PoolRef&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
  PoolRef& operator=(const PoolRef& other) { return *this = PoolRef(other); }
  PoolRef& operator=(PoolRef&& other) noexcept {
    const PoolRef before(std::exchange(node_, std::exchange(other.node_, nullptr)), Held{});
    return *this;
  }
  ~PoolRef() {
    if (node_ && --node_->references == 0) Pool<T>::release(node_);
  }

  explicit operator bool() const { return node_ != nullptr; }
  T& operator*() const { return node_->value; }
  T* operator->() const { return &node_->value; }
  bool operator==(const PoolRef& other) const { return node_ == other.node_; }
  // Fetches the payload's first members into the host's cache.
  void prefetch() const { __builtin_prefetch(node_); }

 private:
  friend class Pool<T>;
  // The payload's first members lie in one line of the host's cache with the count.
  struct alignas(64) Node {
    uint32_t references = 0;
    Pool<T>* pool = nullptr;
    Node* next_free = nullptr;
    T value;
  };
  struct Held {};  // the reference is counted
  explicit PoolRef(Node* node) : node_(node) { node_->references = 1; }
  PoolRef(Node* node, Held) : node_(node) {}

  Node* node_ = nullptr;
};

template <class T>
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // The payload keeps its previous contents: the caller must write everything that it reads later.
  PoolRef<T> allocate() {
    if (!free_) grow();
    Node* node = std::exchange(free_, free_->next_free);
    __builtin_prefetch(free_);  // by the host, for the next one
    return PoolRef<T>(node);
  }

 private:
  friend class PoolRef<T>;
  using Node = typename PoolRef<T>::Node;
  static constexpr uint32_t kBlock = 64;

  void grow() {
    blocks_.push_back(std::make_unique<Node[]>(kBlock));
    for (uint32_t i = kBlock; i-- > 0;) {
      Node& node = blocks_.back()[i];
      node.pool = this;
      node.next_free = std::exchange(free_, &node);
    }
  }
  // Not part of each destructor, so that those of references that hold nothing, which are most, need no call.
  [[gnu::noinline]] static void release(Node* node) {
    if constexpr (requires { node->value.recycle(); }) node->value.recycle();
    node->next_free = std::exchange(node->pool->free_, node);
  }

  std::vector<std::unique_ptr<Node[]>> blocks_;
  Node* free_ = nullptr;
};

}  // namespace cutaway::messages
