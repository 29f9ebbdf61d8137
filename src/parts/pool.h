#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace cutaway::parts {

// Payloads too large to copy through wires live in a pool and travel as a PoolRef: a message that holds one
// owns the data, as if its bytes were in the message. Pools only grow; their size is never a resource of the
// machine, so that the order in which boxes allocate cannot change a result: what has room for so many is an
// engine::Storage, a place of which the payload holds. A payload that holds references or places of its own
// gives them up in recycle(). A pool must outlive every reference. Not for several threads.
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
  PoolRef& operator=(PoolRef other) noexcept {
    std::swap(node_, other.node_);
    return *this;
  }
  ~PoolRef() {
    if (node_ && --node_->references == 0) Pool<T>::release(node_);
  }

  explicit operator bool() const { return node_ != nullptr; }
  T& operator*() const { return node_->value; }
  T* operator->() const { return &node_->value; }
  bool operator==(const PoolRef& other) const { return node_ == other.node_; }

 private:
  friend class Pool<T>;
  struct Node {
    T value;
    Pool<T>* pool = nullptr;
    Node* next_free = nullptr;
    uint32_t references = 0;
  };
  explicit PoolRef(Node* node) : node_(node) { node_->references = 1; }

  Node* node_ = nullptr;
};

template <class T>
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // What the payload held before stays in it: the caller writes all that it reads later.
  PoolRef<T> allocate() {
    if (!free_) grow();
    Node* node = std::exchange(free_, free_->next_free);
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
  static void release(Node* node) {
    if constexpr (requires { node->value.recycle(); }) node->value.recycle();
    node->next_free = std::exchange(node->pool->free_, node);
  }

  std::vector<std::unique_ptr<Node[]>> blocks_;
  Node* free_ = nullptr;
};

}  // namespace cutaway::parts
