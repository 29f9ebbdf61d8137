// For shaders: multiplications and additions that hang on one another by fours, and constructs of flow around
// them. The arms are too long to run for all and be chosen from.
#define DECLARE(at) \
  vec4 a = (at).xyxy, b = (at).yxyx, c = a + 0.5, d = b + 0.5, k = a * vec4(0.5, 0.75, 0.25, 1) + 0.125;

#if defined NORMALS
#define FOUR a = a * k; b = b * k + k; n = normalize(n.yzx); c = c * k; d = d * k + k; m = normalize(m.yzx);
#elif defined MULS
#define FOUR a = a * k; b = b * k + k; c = c * k; d = d * k + k;
#else
#define FOUR a = a * k + k; b = b * k + k; c = c * k + k; d = d * k + k;
#endif
#define SIXTEEN FOUR FOUR FOUR FOUR
#define SIXTY_FOUR SIXTEEN SIXTEEN SIXTEEN SIXTEEN

#define MANY SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR
#if defined MADS && MADS == 64
#define PROGRAM SIXTY_FOUR
#elif defined MADS && MADS == 1024
#define PROGRAM MANY MANY MANY MANY
#elif defined MADS && MADS == 448
#define PROGRAM MANY SIXTY_FOUR SIXTY_FOUR SIXTY_FOUR
#else
#define PROGRAM MANY
#endif

// Two loops of one length, so that groups of threads that take one side do all the same work.
#define EITHER_LOOP(condition) \
  if (condition) { for (int i = 0; i < turns; i++) { FOUR } } \
  else { for (int i = turns; i > 0; i--) { FOUR } }

#ifdef FLOW
#if FLOW == 0
#define CONSTRUCT SIXTEEN
#elif FLOW == 1
#define CONSTRUCT if (turns > 0) { SIXTEEN }
#elif FLOW == 2
#define CONSTRUCT if (turns > 0) { SIXTEEN } else { SIXTEEN FOUR }
#else
#define CONSTRUCT for (;;) { SIXTEEN if (turns > 0) break; }
#endif
#define FOUR_CONSTRUCTS CONSTRUCT CONSTRUCT CONSTRUCT CONSTRUCT
// What they work on is in registers before the first one.
#define SIXTEEN_CONSTRUCTS FOUR FOUR_CONSTRUCTS FOUR_CONSTRUCTS FOUR_CONSTRUCTS FOUR_CONSTRUCTS
#endif
