#pragma once

#include "compiler/translate/floats.h"

namespace cutaway::compiler {

// Returns the determinant of a square matrix of 2 to 4 columns, given column by column.
Builder::Lanes determinant(const Builder::Lanes& matrix, Floats& floats);
// Returns its inverse: the adjugate divided by the determinant.
Builder::Lanes inverse(const Builder::Lanes& matrix, Floats& floats);

}  // namespace cutaway::compiler
