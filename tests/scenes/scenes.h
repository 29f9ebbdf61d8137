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
Scene system_memory();             // texture, vertices, commands and a copy of the target beyond the bus
Scene scratch_memory();            // programs that index scratch memory
Scene invalidated_targets();       // caches invalidated with dirty lines in them
Scene clipped();                   // triangles through the eye plane, the planes and the guard band
Scene animation(uint32_t frames);  // a turning triangle, one submission a frame
Scene queries();                   // occlusion, early and late, fence, calls, indirect draws
// Drawn with 2, 4 or 8 samples per pixel and resolved by a draw. `results`: samples passed by each of its
// draws.
Scene multisampled(uint32_t samples);
Scene cleared_samples();
Scene statistics();  // pipeline statistics, timestamps, copies of results, predicates
Scene halves();      // half registers; lighting by vectors of unit length
Scene calls();       // a striped surface, computed by functions of the programs
Scene palette();     // bent strips: vertices choose a matrix of a palette in constants
// all_scenes() lacks the following scenes, because not every chip runs them.
Scene dispatches();          // workgroups, direct and indirect, with and without a predicate
Scene storage_writes();      // vertex and fragment programs that store to a buffer and an image
Scene reduction();           // sums in shared memory between barriers, then by atomics
Scene histogram();           // counts in shared memory and adds the counts to a buffer
Scene blur();                // blurs an image by image loads and stores, then draws it
Scene last_workgroup();      // an atomic counter finds the last one, which adds what all have stored
Scene scattered_stores();    // stored words cross lines, overlap, and lie out of bounds
Scene fragment_counters();   // early tests, discards, and atomics whose result is read
Scene uneven_workgroups();   // every second workgroup takes long
Scene small_workgroups();    // many workgroups of one group each
Scene quads_and_parts();     // lanes that vote and read each other, in workgroups; stores of halves and bytes
Scene quads_of_fragments();  // the same for fragments, with helper lanes
Scene two_queues();     // draws beside dispatches, copies and clears of the compute queue; some follow others
Scene racing_queues();  // a draw shows what the compute queue writes beside it. compute_scenes() lacks it
// The scenes above that only chips with compute programs or stores run.
std::vector<Scene> compute_scenes();
Scene geometry_pass();         // passes triangles on, with a depth test; strips of both conventions
Scene geometry_strips();       // triangle and line strips, also cut before a primitive is complete
Scene adjacency();             // lists and strips, with a program and without, restarted, in instances
Scene geometry_invocations();  // 3 and 32 invocations for each point, overlapping
Scene geometry_uneven();       // threads that emit nothing, or more than may be
Scene geometry_streams();      // streams 0 to 3 and their queries
Scene geometry_layers();       // layers chosen by geometry and vertex programs, with a depth test
Scene geometry_ids();          // primitive ids, counted by the assembly and written by the program
Scene geometry_many_draws();   // with and without a program, of few primitives each
Scene geometry_outputs();      // more than 16 outputs of each vertex
// The scenes that only chips with geometry programs run.
std::vector<Scene> geometry_scenes();
Scene patches_of_squares();        // overlapping quads in each spacing; every fourth is culled
Scene patches_of_shapes();         // triangle and isoline domains, and points
Scene patches_of_most();           // patches with the greatest factors
Scene patches_of_many_vertices();  // 32 vertices each, which fill the memory of patches; restart, instances
Scene patches_and_programs();      // with geometry programs, between draws without patches; statistics
Scene stores_of_stages();  // by control, evaluation and geometry programs; tessellation_scenes() lacks it
// The scenes that only chips with tessellation run.
std::vector<Scene> tessellation_scenes();
Scene transform_feedback();  // captures strips, then draws them
Scene feedback_triangles();  // captures draw after draw until the buffer is full, then draws it
Scene feedback_strips();     // strips and fans with restart and instances, into buffers with gaps
Scene feedback_points();     // captures points into four buffers
Scene feedback_streams();    // the streams of a geometry program, each with its queries
// Scenes that only chips with transform feedback run; the last one has a geometry program.
std::vector<Scene> feedback_scenes();
// Scenes that only chips with pull-model interpolation run: with one sample per pixel and with four.
std::vector<Scene> pull_scenes();
Scene doubles();             // in vertex and fragment programs
Scene doubles_of_threads();  // all operations, in compute programs
// The scenes that only chips with 64-bit floats run.
std::vector<Scene> double_scenes();
std::vector<Scene> optional_scenes();  // all scenes that not every chip runs

// For speed: full-screen layers with a bilinear texture and depth test, each nearer than the one before. Not
// among all_scenes().
Scene textured_layers(uint32_t layers, uint32_t width, uint32_t height);

std::vector<Scene> all_scenes();

}  // namespace cutaway::scenes
