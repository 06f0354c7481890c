// Connects the matrix kernels to ggml: a CPU buffer type for weights. llama.cpp offers every weight to it with the
// operation that will use the weight. If there is a kernel, the tensor is packed when its data arrives (set_tensor),
// and MUL_MAT, MUL_MAT_ID and GET_ROWS on it run here. Packed tensors take the same number of bytes as in the file,
// plus up to three rows of padding.
#include "matrix-buffer.h"

#include "kernels.h"

#include "ggml-backend-impl.h"
#include "ggml-cpu-impl.h"
#include "ggml-cpu.h"
#include "ggml-impl.h"
#include "traits.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string.h>
#include <vector>

namespace ggml_wasm {

// A packed tensor: one matrix, or several (experts) one after the other.
struct packed_tensor {
    const kernel * k;
    int            rows, blocks;  // of one matrix; `blocks` are GGUF blocks per row
    size_t         matrix_size;
    uint8_t *      data;

    explicit packed_tensor(const ggml_tensor * weights) {
        k           = find_kernel(weights->type);
        rows        = (int) weights->ne[1];
        blocks      = (int) (weights->ne[0] / k->block_weights);
        matrix_size = k->size(rows, blocks);
        data        = (uint8_t *) weights->data;
    }
    packed_matrix matrix(int64_t i) const { return { data + i * matrix_size, rows, blocks }; }
};

static bool has_kernel(const ggml_tensor * weights) {
    const kernel * k = find_kernel(weights->type);
    return k != nullptr && weights->ne[0] % k->block_weights == 0 && weights->ne[3] == 1;
}

static size_t align(size_t bytes) { return (bytes + 63) / 64 * 64; }

// Rows per piece of work. A thread that has lost its core holds the others up by one piece at most. But a piece of one
// column should be long enough for the prefetchers (128 KB, some 8 microseconds), and have enough rows that the wide
// column is used from the first-level cache. With many columns, a piece is what the tiled kernel takes at once.
static int64_t rows_per_piece(const packed_tensor & tensor, int64_t rows, int64_t columns, int threads) {
    if (threads == 1) { return rows; }
    if (columns >= MIN_TILED_COLUMNS) { return 32; }
    const int64_t rows_of_128k = (int64_t) (131072 / (tensor.blocks * tensor.k->packed_block_size)) * 4;
    const int64_t fair_share   = std::max<int64_t>(4, (rows / (4 * threads)) / 4 * 4);
    return std::min(std::max<int64_t>(rows_of_128k, 32), fair_share);
}

// Quantises every row of `x` into params->wdata, shared out between the threads by blocks.
static void quantize_columns(const ggml_compute_params * params, const packed_tensor & tensor, const ggml_tensor * x, bool is_wide) {
    const size_t  block_size = is_wide ? tensor.k->wide_block_size : tensor.k->column_block_size;
    const auto    quantize   = is_wide ? tensor.k->quantize_wide : tensor.k->quantize;
    const int64_t columns = ggml_nrows(x), total = columns * tensor.blocks;
    const int64_t first = total * params->ith / params->nth, last = total * (params->ith + 1) / params->nth;
    for (int64_t at = first; at < last;) {
        const int64_t column = at / tensor.blocks, block = at % tensor.blocks;
        const int64_t count  = std::min(last - at, tensor.blocks - block);
        const int64_t i1 = column % x->ne[1], i2 = column / x->ne[1] % x->ne[2], i3 = column / (x->ne[1] * x->ne[2]);
        const float * from = (const float *) ((const char *) x->data + i1 * x->nb[1] + i2 * x->nb[2] + i3 * x->nb[3]);
        quantize(from + block * tensor.k->block_weights, (char *) params->wdata + at * block_size, (int) count);
        at += count;
    }
}

// Whether the columns of an operation are quantised for multiply_wide(). For experts, the average number of columns
// per expert decides.
static bool wants_wide(const ggml_tensor * op) {
    if (op->op == GGML_OP_MUL_MAT_ID) { return ggml_nelements(op->src[2]) < MIN_TILED_COLUMNS * op->src[0]->ne[2]; }
    return ggml_nrows(op->src[1]) < MIN_TILED_COLUMNS;
}

static size_t column_size(const packed_tensor & tensor, bool is_wide) {
    return tensor.blocks * (is_wide ? tensor.k->wide_block_size : tensor.k->column_block_size);
}

static void multiply(const packed_tensor & tensor, int64_t matrix, bool is_wide, int64_t first_row, int64_t rows,
                     const void * const * columns, float * const * outs, int count) {
    if (!is_wide) {
        tensor.k->multiply(tensor.matrix(matrix), (int) first_row, (int) rows, columns, outs, count);
        return;
    }
    for (int c = 0; c < count; ++c) { tensor.k->multiply_wide(tensor.matrix(matrix), (int) first_row, (int) rows, columns[c], outs[c]); }
}

static void mul_mat(const ggml_compute_params * params, ggml_tensor * out) {
    const ggml_tensor * weights = out->src[0];
    const ggml_tensor * x       = out->src[1];
    const packed_tensor tensor(weights);
    const bool    is_wide = wants_wide(out);
    const size_t  stride  = column_size(tensor, is_wide);
    const int64_t rows = weights->ne[1], columns = ggml_nrows(x);

    quantize_columns(params, tensor, x, is_wide);
    if (params->ith == 0) { ggml_threadpool_chunk_set(params->threadpool, params->nth); }
    ggml_barrier(params->threadpool);

    const int64_t piece_rows = rows_per_piece(tensor, rows, columns, params->nth);
    const int64_t pieces     = (rows + piece_rows - 1) / piece_rows;
    constexpr int max_columns = 256;
    const void *  in[max_columns];
    float *       to[max_columns];

    for (int64_t piece = params->ith; piece < pieces; piece = ggml_threadpool_chunk_add(params->threadpool, 1)) {
        const int64_t row = piece * piece_rows, row_count = std::min(piece_rows, rows - row);
        for (int64_t first = 0; first < columns; first += max_columns) {
            const int count = (int) std::min<int64_t>(max_columns, columns - first);
            for (int c = 0; c < count; ++c) {
                const int64_t column = first + c;
                const int64_t i1 = column % out->ne[1], i2 = column / out->ne[1] % out->ne[2], i3 = column / (out->ne[1] * out->ne[2]);
                in[c] = (const char *) params->wdata + column * stride;
                to[c] = (float *) ((char *) out->data + i1 * out->nb[1] + i2 * out->nb[2] + i3 * out->nb[3]) + row;
            }
            multiply(tensor, 0, is_wide, row, row_count, in, to, count);
        }
    }
}

// Mixtures of experts. `ids` holds, for every token, the experts that its row(s) of `x` go to.
// Work buffer: the quantised columns, then per expert the number of its rows, then all rows sorted by expert.
struct expert_row { int32_t slot, token; };

static size_t expert_tables_size(const ggml_tensor * weights, const ggml_tensor * ids) {
    return align((weights->ne[2] + 1) * sizeof(int32_t)) + align(ggml_nelements(ids) * sizeof(expert_row));
}

static void mul_mat_id(const ggml_compute_params * params, ggml_tensor * out) {
    const ggml_tensor * weights = out->src[0];
    const ggml_tensor * x       = out->src[1];
    const ggml_tensor * ids     = out->src[2];
    const packed_tensor tensor(weights);
    const bool    is_wide = wants_wide(out);
    const size_t  stride  = column_size(tensor, is_wide);
    const int64_t rows = weights->ne[1], experts = weights->ne[2], slots = ids->ne[0], tokens = ids->ne[1];

    int32_t *    first_row = (int32_t *) ((char *) params->wdata + align(ggml_nrows(x) * stride));  // [experts + 1]
    expert_row * sorted    = (expert_row *) ((char *) first_row + align((experts + 1) * sizeof(int32_t)));

    quantize_columns(params, tensor, x, is_wide);
    if (params->ith == 0) {
        memset(first_row, 0, (experts + 1) * sizeof(int32_t));
        const auto expert_of = [&](int64_t slot, int64_t token) {
            return *(const int32_t *) ((const char *) ids->data + token * ids->nb[1] + slot * ids->nb[0]);
        };
        for (int64_t token = 0; token < tokens; ++token) {
            for (int64_t slot = 0; slot < slots; ++slot) { ++first_row[expert_of(slot, token) + 1]; }
        }
        for (int64_t e = 0; e < experts; ++e) { first_row[e + 1] += first_row[e]; }
        std::vector<int32_t> next(first_row, first_row + experts);
        for (int64_t token = 0; token < tokens; ++token) {
            for (int64_t slot = 0; slot < slots; ++slot) {
                sorted[next[expert_of(slot, token)]++] = { (int32_t) slot, (int32_t) token };
            }
        }
        ggml_threadpool_chunk_set(params->threadpool, params->nth);
    }
    ggml_barrier(params->threadpool);

    // One running number over all pieces of all experts that have rows.
    int64_t mine = params->ith, passed = 0;
    constexpr int max_columns = 256;
    const void *  in[max_columns];
    float *       to[max_columns];

    for (int64_t e = 0; e < experts; ++e) {
        const int64_t columns = first_row[e + 1] - first_row[e];
        if (columns == 0) { continue; }
        const int64_t piece_rows = params->nth == 1 ? rows : std::max<int64_t>(4, std::min<int64_t>(columns >= 4 ? 32 : 128, (rows + params->nth - 1) / params->nth / 4 * 4));
        const int64_t pieces     = (rows + piece_rows - 1) / piece_rows;
        for (; mine < passed + pieces; mine = ggml_threadpool_chunk_add(params->threadpool, 1)) {
            const int64_t row = (mine - passed) * piece_rows, row_count = std::min(piece_rows, rows - row);
            for (int64_t first = 0; first < columns; first += max_columns) {
                const int count = (int) std::min<int64_t>(max_columns, columns - first);
                for (int c = 0; c < count; ++c) {
                    const expert_row r = sorted[first_row[e] + first + c];
                    // x has one row per token, or one per slot and token.
                    in[c] = (const char *) params->wdata + (r.slot % x->ne[1] + r.token * x->ne[1]) * stride;
                    to[c] = (float *) ((char *) out->data + r.slot * out->nb[1] + r.token * out->nb[2]) + row;
                }
                multiply(tensor, e, is_wide, row, row_count, in, to, count);
            }
        }
        passed += pieces;
    }
}

// Reads single rows back, for the token embeddings. Models with tied embeddings use one tensor for this and for the
// output matrix; without it llama.cpp would load that tensor twice.
static void get_rows(const ggml_compute_params * params, ggml_tensor * out) {
    const ggml_tensor * weights = out->src[0];
    const ggml_tensor * ids     = out->src[1];
    const packed_tensor tensor(weights);
    const int64_t count = ggml_nelements(ids);
    for (int64_t i = params->ith; i < count; i += params->nth) {
        const int64_t i0 = i % ids->ne[0], i1 = i / ids->ne[0] % ids->ne[1], i2 = i / (ids->ne[0] * ids->ne[1]);
        const int64_t row = *(const int32_t *) ((const char *) ids->data + i0 * ids->nb[0] + i1 * ids->nb[1] + i2 * ids->nb[2]);
        GGML_ASSERT(row >= 0 && row < weights->ne[1]);
        tensor.k->unpack(tensor.matrix(i1), (int) row, (float *) ((char *) out->data + i0 * out->nb[1] + i1 * out->nb[2] + i2 * out->nb[3]));
    }
}

struct packed_tensor_traits : ggml::cpu::tensor_traits {
    bool work_size(int, const ggml_tensor * op, size_t & size) override {
        if (op->op == GGML_OP_GET_ROWS) {
            size = 0;
            return true;
        }
        size = align(ggml_nrows(op->src[1]) * column_size(packed_tensor(op->src[0]), wants_wide(op)));
        if (op->op == GGML_OP_MUL_MAT_ID) { size += expert_tables_size(op->src[0], op->src[2]); }
        return true;
    }
    bool compute_forward(ggml_compute_params * params, ggml_tensor * op) override {
        switch (op->op) {
            case GGML_OP_MUL_MAT:    mul_mat(params, op);    return true;
            case GGML_OP_MUL_MAT_ID: mul_mat_id(params, op); return true;
            case GGML_OP_GET_ROWS:   get_rows(params, op);   return true;
            default:                 return false;
        }
    }
};

static bool is_packed(const ggml_tensor * t) {
    return t->buffer != nullptr && t->buffer->buft == ggml_backend_cpu_wasm_buffer_type();
}

struct packed_buffer_type : ggml::cpu::extra_buffer_type {
    packed_tensor_traits traits;

    bool supports_op(ggml_backend_dev_t, const ggml_tensor * op) override {
        const ggml_tensor * weights = op->src[0];
        const ggml_tensor * x       = op->src[1];
        if (weights == nullptr || x == nullptr || !is_packed(weights) || !has_kernel(weights)) { return false; }
        if (x->buffer != nullptr && !ggml_backend_buft_is_host(x->buffer->buft)) { return false; }
        switch (op->op) {
            case GGML_OP_MUL_MAT:    return weights->ne[2] == 1 && x->type == GGML_TYPE_F32;
            case GGML_OP_MUL_MAT_ID: return x->type == GGML_TYPE_F32;
            case GGML_OP_GET_ROWS:   return weights->ne[2] == 1 && op->type == GGML_TYPE_F32;
            default:                 return false;
        }
    }
    ggml::cpu::tensor_traits * get_tensor_traits(const ggml_tensor * op) override {
        const bool is_ours = op->op == GGML_OP_MUL_MAT || op->op == GGML_OP_MUL_MAT_ID || op->op == GGML_OP_GET_ROWS;
        return is_ours && op->src[0] != nullptr && is_packed(op->src[0]) ? &traits : nullptr;
    }
};

// The loader may hand a tensor over in pieces, but each piece must begin at a multiple of four rows of one matrix.
//
// Weights and scales that are infinite or not numbers are refused: every answer of such a model would be nonsense. llama.cpp
// has the same check (check_tensors), but starts a thread for it, and two of our three builds have none.
static void set_tensor(ggml_backend_buffer_t, ggml_tensor * weights, const void * data, size_t offset, size_t size) {
    if (!ggml_validate_row_data(weights->type, data, size)) {
        throw std::runtime_error(std::string("tensor '") + ggml_get_name(weights) + "' has invalid data");
    }
    if (!has_kernel(weights)) {
        memcpy((char *) weights->data + offset, data, size);
        return;
    }
    const packed_tensor tensor(weights);
    const size_t  row_size = ggml_row_size(weights->type, weights->ne[0]);
    const int64_t rows = weights->ne[1], first = (int64_t) (offset / row_size), count = (int64_t) (size / row_size);
    GGML_ASSERT(offset % row_size == 0 && size % row_size == 0);

    for (int64_t at = 0; at < count;) {
        const int64_t matrix = (first + at) / rows, row = (first + at) % rows;
        const int64_t here   = std::min<int64_t>(4, std::min(rows - row, count - at));
        GGML_ASSERT(row % 4 == 0 && (here == 4 || row + here == rows));
        const void * four[4];
        for (int64_t k = 0; k < 4; ++k) { four[k] = (const char *) data + (at + std::min(k, here - 1)) * row_size; }
        tensor.k->pack(four, tensor.matrix(matrix), (int) row);
        at += here;
    }
}

static ggml_backend_buffer_t alloc_buffer(ggml_backend_buffer_type_t type, size_t size) {
    ggml_backend_buffer_t buffer = ggml_backend_buft_alloc_buffer(ggml_backend_cpu_buffer_type(), size);
    if (buffer == nullptr) { return nullptr; }
    buffer->buft             = type;
    buffer->iface.set_tensor = set_tensor;
    buffer->iface.get_tensor = nullptr;
    buffer->iface.cpy_tensor = nullptr;
    return buffer;
}

static size_t alloc_size(ggml_backend_buffer_type_t, const ggml_tensor * tensor) {
    if (!has_kernel(tensor)) { return ggml_nbytes(tensor); }
    return packed_tensor(tensor).matrix_size * tensor->ne[2];
}

}  // namespace ggml_wasm

ggml_backend_buffer_type_t ggml_backend_cpu_wasm_buffer_type(void) {
    static ggml_backend_buffer_type type = {
        /* .iface    = */ {
            /* .get_name         = */ [](ggml_backend_buffer_type_t) { return "CPU_WASM"; },
            /* .alloc_buffer     = */ ggml_wasm::alloc_buffer,
            /* .alloc_buffer_n   = */ nullptr,
            /* .get_alignment    = */ [](ggml_backend_buffer_type_t) -> size_t { return 64; },
            /* .get_max_size     = */ nullptr,
            /* .get_alloc_size   = */ ggml_wasm::alloc_size,
            /* .get_alloc_size_n = */ nullptr,
            /* .is_host          = */ nullptr,
        },
        /* .device  = */ ggml_backend_reg_dev_get(ggml_backend_cpu_reg(), 0),
        /* .context = */ new ggml_wasm::packed_buffer_type(),
    };
    return &type;
}
