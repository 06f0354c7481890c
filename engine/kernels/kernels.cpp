// Instantiates the kernels for every format.
#include "kernels.h"

#include "halves.h"
#include "product.h"

#include <type_traits>

namespace ggml_wasm {

template <class format> static constexpr bool is_float = std::is_same_v<typename format::wide, wide_float_column>;

template <class format> static block_places<format> places_of(const packed_matrix & matrix) {
    return { (matrix.rows + 3) / 4, matrix.blocks };
}

template <class format> static void pack(const void * const rows[4], const packed_matrix & matrix, int first_row) {
    using source = typename format::source;
    const source * typed[4] = { (const source *) rows[0], (const source *) rows[1], (const source *) rows[2], (const source *) rows[3] };
    if constexpr (is_float<format>) {
        pack_half_rows<format>(typed, places_of<format>(matrix), first_row / 4, matrix.data);
    } else {
        pack_rows<format>(typed, places_of<format>(matrix), first_row / 4, matrix.data);
    }
}

template <class format> static void unpack(const packed_matrix & matrix, int row, float * out) {
    if constexpr (is_float<format>) {
        unpack_half_row<format>(matrix.data, places_of<format>(matrix), row, out);
    } else {
        unpack_row<format>(matrix.data, places_of<format>(matrix), row, out);
    }
}

template <class format> static void quantize_block(const float * x, typename format::column * column) {
    if constexpr (is_float<format>) {
        memcpy(column->values, x, sizeof(column->values));
    } else if constexpr (format::weights == 256) {
        quantize_block_256(x, column, format::middle);
    } else {
        quantize_block_32(x, column, format::zero_point, format::is_signed);
    }
}

template <class format> static void quantize(const float * x, void * column, int blocks) {
    for (int i = 0; i < blocks; ++i) {
        quantize_block<format>(x + i * format::weights, (typename format::column *) column + i);
    }
}

template <class format> static void quantize_wide(const float * x, void * column, int blocks) {
    typename format::column block;
    for (int i = 0; i < blocks; ++i) {
        typename format::wide * wide = (typename format::wide *) column + i;
        quantize_block<format>(x + i * format::weights, &block);
        if constexpr (is_float<format>) {
            widen_floats<format>(block.values, wide);
        } else if constexpr (format::weights == 256) {
            widen_block_256(&block, wide, format::middle != 0);
        } else {
            widen_block_32(&block, wide, format::is_signed);
        }
    }
}

template <class format>
static void multiply(const packed_matrix & matrix, int first_row, int rows, const void * const * columns, float * const * outs, int column_count) {
    using column = typename format::column;
    float * tile_outs[MAX_COLUMNS];
    for (int row = 0; row < rows; row += MAX_ROWS) {
        const int row_count = rows - row < MAX_ROWS ? rows - row : MAX_ROWS;
        for (int first = 0; first < column_count; first += MAX_COLUMNS) {
            const int count = column_count - first < MAX_COLUMNS ? column_count - first : MAX_COLUMNS;
            for (int c = 0; c < count; ++c) { tile_outs[c] = outs[first + c] + row; }
            const column * const * some = (const column * const *) columns + first;
            if constexpr (is_float<format>) {
                multiply_half_columns<format>(matrix.data, places_of<format>(matrix), first_row + row, row_count, some, tile_outs, count);
            } else {
                multiply_columns<format>(matrix.data, places_of<format>(matrix), first_row + row, row_count, some, tile_outs, count);
            }
        }
    }
}

// A few rows at a time, so that the sums stay in the cache while all panels are added.
template <class format>
static void multiply_wide(const packed_matrix & matrix, int first_row, int rows, const void * column, float * out) {
    constexpr int rows_at_once = 128;
    const block_places<format> places = places_of<format>(matrix);
    const typename format::wide * y = (const typename format::wide *) column;
    for (int row = 0; row < rows; row += rows_at_once) {
        const int row_count = rows - row < rows_at_once ? rows - row : rows_at_once;
        for (int block = 0; block < places.blocks; block += places.panel_blocks) {
            one_column<format>::multiply(matrix.data + places.offset((first_row + row) / 4, block), row_count,
                                         places.blocks_in_panel(block / places.panel_blocks), y + block, out + row, block == 0);
        }
    }
}

template <class format> static constexpr kernel make_kernel() {
    return { format::weights, packed_block_size<format>(), sizeof(typename format::column), sizeof(typename format::wide),
             pack<format>, unpack<format>, quantize<format>, quantize_wide<format>, multiply<format>, multiply_wide<format> };
}

const kernel * find_kernel(enum ggml_type type) {
    static const kernel q4_0 = make_kernel<format_q4_0>(), q4_1 = make_kernel<format_q4_1>(), q5_0 = make_kernel<format_q5_0>();
    static const kernel q8_0 = make_kernel<format_q8_0>(), iq4_nl = make_kernel<format_iq4_nl>();
    static const kernel q4_k = make_kernel<format_q4_k>(), q5_k = make_kernel<format_q5_k>(), q6_k = make_kernel<format_q6_k>();
    static const kernel f16 = make_kernel<format_f16>(), bf16 = make_kernel<format_bf16>();
    switch (type) {
        case GGML_TYPE_Q4_0:   return &q4_0;
        case GGML_TYPE_Q4_1:   return &q4_1;
        case GGML_TYPE_Q5_0:   return &q5_0;
        case GGML_TYPE_Q8_0:   return &q8_0;
        case GGML_TYPE_IQ4_NL: return &iq4_nl;
        case GGML_TYPE_Q4_K:   return &q4_k;
        case GGML_TYPE_Q5_K:   return &q5_k;
        case GGML_TYPE_Q6_K:   return &q6_k;
        case GGML_TYPE_F16:    return &f16;
        case GGML_TYPE_BF16:   return &bf16;
        default:               return nullptr;
    }
}

}  // namespace ggml_wasm
