#pragma once

#include "scenes/builder.h"

// One scene for each thing that a GPU must get right, small enough to look at. All present; the targets are
// cleared by draws.
namespace cutaway::scenes {

Scene textured_triangle();                                      // a checkered triangle on blue, 64x64
Scene many_triangles(uint32_t triangles, uint32_t size = 128);  // random ones with depth test and colors
Scene depth_and_stencil();                                      // crossing triangles inside a stencil mask
Scene blending();                                               // panes of glass in several blend modes
Scene scattered_texels();          // each fragment's texels lie in four tiles of the texture, 32x32
Scene mipmapped_floor();           // a plane to the horizon, trilinear
Scene shadowed_layers();           // depth comparisons of a 2D array, a 1D texture
Scene cube_map();                  // a cube around the eye, its edges and corners
Scene lines_and_points();          // a fan of lines, a grid of points
Scene copies();                    // buffers to and from surfaces, fills
Scene discards();                  // programs that discard, loops, shader depth
Scene instances();                 // indexed strips with restart, instances, packed attributes
Scene scratch_memory();            // programs that index scratch memory
Scene invalidated_targets();       // caches invalidated with dirty lines in them
Scene clipped();                   // triangles through the eye plane, the planes and the guard band
Scene animation(uint32_t frames);  // a turning triangle, one submission a frame
Scene queries();                   // occlusion, early and late, fence, calls, indirect draws
// Drawn with 4 or 8 samples per pixel and resolved by a draw. `results`: samples passed by each of its draws.
Scene multisampled(uint32_t samples);
Scene cleared_samples();
Scene statistics();  // pipeline statistics, timestamps, copies of results, predicates
Scene halves();      // of registers, lit by vectors of unit length
Scene calls();       // a surface in stripes, by functions of its programs
// Not among all_scenes(): not every chip has them.
Scene dispatches();          // workgroups, direct and indirect, with and without a predicate
Scene storage_writes();      // vertex and fragment programs that store to a buffer and an image
Scene reduction();           // sums in shared memory between barriers, then by atomics
Scene histogram();           // counted in shared memory, added to a buffer
Scene blur();                // of an image, by loads and stores of images; drawn
Scene last_workgroup();      // sums up what the others have stored, told by a counter
Scene scattered_stores();    // of words that cross lines, overlap, and lie outside
Scene fragment_counters();   // early tests, discards, and atomics whose result is read
Scene uneven_workgroups();   // every second one takes long
Scene small_workgroups();    // many, of a group each
Scene quads_and_parts();     // lanes that vote and read each other, in workgroups; stores of halves and bytes
Scene quads_of_fragments();  // the same of fragments, with helpers
// Those of all these that only chips with compute programs or stores run.
std::vector<Scene> compute_scenes();
Scene geometry_pass();         // triangles as they came, with a depth test; strips of both conventions
Scene geometry_strips();       // of triangles and lines, cut, also where nothing is complete
Scene adjacency();             // lists and strips, with a program and without, restarted, in instances
Scene geometry_invocations();  // overlapping, of 3 and 32 for each point
Scene geometry_uneven();       // threads that emit nothing, or more than may be
Scene geometry_streams();      // streams 0 to 3 and what queries tell of them
Scene geometry_layers();       // chosen by geometry and vertex programs, with a depth test
Scene geometry_ids();          // numbers of primitives, counted and told
Scene geometry_many_draws();   // with and without a program, of few primitives
Scene geometry_outputs();      // more than 16 of each vertex
// Those that only chips with geometry programs run.
std::vector<Scene> geometry_scenes();
Scene patches_of_squares();        // that overlap, in each spacing; every fourth is culled
Scene patches_of_shapes();         // triangles, lines and points of domains
Scene patches_of_most();           // with the greatest factors
Scene patches_of_many_vertices();  // 32 each, which fill their memory; restarted, in instances
Scene patches_and_programs();      // into geometry programs, and beside draws without patches; counted
Scene stores_of_stages();          // by control, evaluation and geometry programs: not among the next
// Those that only chips with tessellation run.
std::vector<Scene> tessellation_scenes();
Scene transform_feedback();  // captured strips, drawn
Scene feedback_triangles();  // draw after draw into a buffer until it is full, drawn
Scene feedback_strips();     // and fans, restarted, in instances, into buffers with gaps
Scene feedback_points();     // into four buffers
Scene feedback_streams();    // of a geometry program, each with its queries
// Scenes that only chips with transform feedback run; the last one has a geometry program.
std::vector<Scene> feedback_scenes();
// Scenes that only chips with pull-model interpolation run: with one sample per pixel and with four.
std::vector<Scene> pull_scenes();
Scene doubles();             // in vertex and fragment programs
Scene doubles_of_threads();  // all operations, in compute programs
// Those that only chips with 64-bit floats run.
std::vector<Scene> double_scenes();
std::vector<Scene> optional_scenes();  // all of these

// For speed: full-screen layers with a bilinear texture and depth test, each nearer than the one before. Not
// among all_scenes().
Scene textured_layers(uint32_t layers, uint32_t width, uint32_t height);

std::vector<Scene> all_scenes();

}  // namespace cutaway::scenes
