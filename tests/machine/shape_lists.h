#pragma once

#include <vector>

#include "records.h"

// The shapes of the records, by topic: record_shapes.cpp joins the lists. A scene's first shape is the base
// of its records, so that new shapes go behind those that share their scenes.
namespace cutaway::records {

// Scenes that keep most units busy.
inline const std::vector<const char*> kDense = {
    "many-triangles",       "multisampled-4", "discards",         "instances",        "copies",
    "anisotropic-textures", "queries",        "blending",         "hidden-layers",    "indexed-mesh",
    "several-targets",      "vertices-alone", "many-small-draws", "copies-of-aspects"};
inline const std::vector<const char*> kCompute = {
    "dispatches",        "reduction",         "histogram",       "blur", "last-workgroup", "scattered-stores",
    "fragment-counters", "uneven-workgroups", "small-workgroups"};
inline const std::vector<const char*> kGeometry = {
    "geometry-pass",   "geometry-strips", "adjacency",           "geometry-uneven", "geometry-streams",
    "geometry-layers", "geometry-ids",    "geometry-many-draws", "geometry-outputs"};
inline const std::vector<const char*> kPatches = {"patches-of-squares", "patches-of-shapes",
                                                  "patches-of-most", "patches-of-many-vertices",
                                                  "patches-and-programs"};
inline const std::vector<const char*> kFeedback = {"transform feedback", "feedback-triangles",
                                                   "feedback-strips", "feedback-points", "feedback-streams"};
inline const std::vector<const char*> kPulls = {"pulled-interpolants", "pulled-interpolants-samples"};
inline const std::vector<const char*> kDoubles = {"doubles", "doubles-of-threads"};
inline const std::vector<const char*> kDepths = {"depth-orders", "depth-orders-samples", "discards",
                                                 "hidden-layers", "driver-work"};

// The preset, hosts and screens before it, and machines that are small and large throughout.
std::vector<Shape> whole_machines();
// Rasterisers and ROPs that share the screen, and caches that give up lines in other ways.
std::vector<Shape> rasters_and_caches();
// Units that are shared or narrower, and other arithmetic.
std::vector<Shape> shared_units();
// Pages, and buses to the host and to system memory.
std::vector<Shape> pages_and_buses();
// Groups that branch together, registers, and groups of vertices.
std::vector<Shape> groups_and_registers();
// Texture units whose ports are narrow, and that take two samples at once.
std::vector<Shape> texture_units();
// Several vertices and quads a cycle, and ways to choose who issues.
std::vector<Shape> schedulers();
// A second level of texture caches.
std::vector<Shape> texture_slices();
// Large groups, clusters, and two classes of shader units.
std::vector<Shape> clusters();
// Ways to give out groups.
std::vector<Shape> distributions();
// Machines that differ from the preset in everything.
std::vector<Shape> extremes();
// Front ends that share out draws, and little storage of primitives and vertices.
std::vector<Shape> front_ends();
// Channels, partitions, rows, and memory that moves halves of sectors.
std::vector<Shape> channels();
// Clocks of their own.
std::vector<Shape> clocks();
// Stages that not every chip has: compute, geometry, tessellation, transform feedback.
std::vector<Shape> stages();
// Interpolants that programs ask for, loads under way, and 64-bit floats.
std::vector<Shape> pulls_and_loads();
// The order of depth writes, and colors and depths that are read early.
std::vector<Shape> depths_and_prefetches();
// A memory whose clock is slow.
std::vector<Shape> slow_memory_clocks();

}  // namespace cutaway::records
