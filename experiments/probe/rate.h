#pragma once

#include "probe/rates.h"

// Draws what a rate is measured by. picture, times: the files that they go to, or null.
void draw_rate(const cutaway::probe::Rate& rate, const char* picture, const char* times);
