// The matrix kernels behind one table: what the rest of ggml (and the test) calls, by tensor type.
#pragma once

#include "ggml.h"

#include <stddef.h>
#include <stdint.h>

namespace ggml_wasm {

// A matrix of packed weights.
struct packed_matrix {
    uint8_t * data;
    int       rows;
    int       blocks;  // GGUF blocks per row
};

struct kernel {
    int    block_weights;      // weights per GGUF block
    size_t packed_block_size;  // bytes per block of four rows
    size_t column_block_size;  // bytes per quantised block of a column, if there are at least MIN_TILED_COLUMNS
    size_t wide_block_size;    // the same, if there are fewer

    // Packs four rows of GGUF blocks. `rows` may repeat a row where the matrix ends.
    void (*pack)(const void * const rows[4], const packed_matrix & matrix, int first_row);
    // Dequantises one row.
    void (*unpack)(const packed_matrix & matrix, int row, float * out);
    // Quantises `blocks` blocks of a column, or copies them for weights that are floats.
    void (*quantize)(const float * x, void * column, int blocks);
    void (*quantize_wide)(const float * x, void * column, int blocks);
    // Multiplies `rows` rows (any number), from `first_row` (a multiple of four) on, by columns (any number).
    // outs[c] receives `rows` floats.
    void (*multiply)(const packed_matrix & matrix, int first_row, int rows, const void * const * columns, float * const * outs, int column_count);
    // The same for one column quantised by quantize_wide().
    void (*multiply_wide)(const packed_matrix & matrix, int first_row, int rows, const void * column, float * out);

    // Bytes of a packed matrix.
    size_t size(int64_t rows, int64_t blocks) const { return (size_t) ((rows + 3) / 4 * blocks) * packed_block_size; }
};

// Below this many columns it is faster to read the weights once per column than to unpack them into a tile.
static constexpr int MIN_TILED_COLUMNS = 4;

// Returns null for types without a kernel.
const kernel * find_kernel(enum ggml_type type);

}  // namespace ggml_wasm
