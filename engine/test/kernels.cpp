// Checks every matrix kernel against exact products of the dequantised rows, then times it. Exits with 1 when a bound
// is broken. Run with "time" as the first argument to print speeds too.
#include "kernels.h"

#include "ggml-cpu.h"
#include "ggml.h"
#define GGML_COMMON_DECL_C
#include "ggml-common.h"
#include "ggml-quants.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

static std::mt19937 generator(42);
static bool is_broken = false;

static float random_normal() {
    static std::normal_distribution<float> normal;
    return normal(generator);
}

struct type_case {
    ggml_type    type;
    const char * name;
    size_t       scale_offset, min_offset;  // bytes to d and dmin (or m) in a block; 999 if absent
};

static const type_case types[] = {
    { GGML_TYPE_Q4_0,   "Q4_0",   0,   999 }, { GGML_TYPE_Q4_1, "Q4_1", 0, 2   }, { GGML_TYPE_Q5_0, "Q5_0", 0,   999 },
    { GGML_TYPE_Q8_0,   "Q8_0",   0,   999 }, { GGML_TYPE_Q4_K, "Q4_K", 0, 2   }, { GGML_TYPE_Q5_K, "Q5_K", 0,   2   },
    { GGML_TYPE_IQ4_NL, "IQ4_NL", 0,   999 }, { GGML_TYPE_Q6_K, "Q6_K", 208, 999 }, { GGML_TYPE_F16, "F16", 999, 999 },
    { GGML_TYPE_BF16,   "BF16",   999, 999 },
};

static bool is_float(const type_case & type) { return type.type == GGML_TYPE_F16 || type.type == GGML_TYPE_BF16; }

// How the bytes of the weights are chosen.
enum class fill { quantised, random_bytes, all_zero_bits, all_one_bits, zero_rows, tiny };
static const char * const fill_names[] = { "quantised", "random bytes", "all bits zero", "all bits one", "zero rows", "tiny" };

// A matrix of GGUF blocks, packed, with the exact values.
struct matrix {
    int rows, blocks, width;
    std::vector<char>    gguf;
    std::vector<uint8_t> packed;
    std::vector<float>   values;
};

static matrix make_matrix(const type_case & type, const ggml_wasm::kernel & kernel, int rows, int width, fill how) {
    matrix m = { rows, width / kernel.block_weights, width, {}, {}, {} };
    const size_t row_size = ggml_row_size(type.type, width), block_size = ggml_type_size(type.type);
    m.gguf.resize(row_size * rows);
    if (how == fill::quantised || how == fill::zero_rows || how == fill::tiny) {
        std::vector<float> x((size_t) rows * width);
        for (size_t i = 0; i < x.size(); ++i) {
            const bool is_zero = how == fill::zero_rows && (i / width) % 2 == 0;
            x[i] = is_zero ? 0.0f : random_normal() * (how == fill::tiny ? 1e-5f : 0.05f);
        }
        ggml_quantize_chunk(type.type, x.data(), m.gguf.data(), 0, rows, width, nullptr);
    } else {
        for (char & byte : m.gguf) {
            byte = how == fill::random_bytes ? (char) generator() : how == fill::all_one_bits ? (char) 0xFF : 0;
        }
        for (size_t i = 0; i < m.gguf.size(); i += block_size) {
            for (size_t offset : { type.scale_offset, type.min_offset }) {
                const ggml_fp16_t half = ggml_fp32_to_fp16(random_normal() * 0.01f);
                if (offset != 999) { memcpy(&m.gguf[i + offset], &half, 2); }
            }
            // Of floats keep the magnitude below 2: infinities and NaN are refused, and large ones would hide errors.
            if (is_float(type)) { m.gguf[i + 1] &= (char) 0xBF; }
        }
    }
    m.values.resize((size_t) rows * width);
    for (int r = 0; r < rows; ++r) {
        ggml_get_type_traits(type.type)->to_float(&m.gguf[r * row_size], &m.values[(size_t) r * width], width);
    }
    m.packed.resize(kernel.size(rows, m.blocks));
    for (int r = 0; r < rows; r += 4) {
        const void * four[4];
        for (int k = 0; k < 4; ++k) { four[k] = &m.gguf[std::min(r + k, rows - 1) * row_size]; }
        kernel.pack(four, { m.packed.data(), rows, m.blocks }, r);
    }
    return m;
}

static void report(const char * what, const char * detail, double error, double bound) {
    const bool ok = error <= bound;
    printf("%-8s %-46s largest error %.2e (bound %.0e)%s\n", what, detail, error, bound, ok ? "" : "   BROKEN");
    is_broken |= !ok;
}

// Packing must lose nothing: a row read back equals ggml's own dequantisation.
static double packing_error(const matrix & m, const ggml_wasm::kernel & kernel) {
    double error = 0;
    std::vector<float> row(m.width);
    for (int r = 0; r < m.rows; ++r) {
        kernel.unpack({ (uint8_t *) m.packed.data(), m.rows, m.blocks }, r, row.data());
        for (int i = 0; i < m.width; ++i) {
            const double exact = m.values[(size_t) r * m.width + i];
            error = std::max(error, std::abs(row[i] - exact) / (std::abs(exact) + 1e-30));
        }
    }
    return error;
}

// quantize_row_q8_0_ref with ties to even, as x86 rounds them.
static void quantize_q8_0(const float * x, block_q8_0 * blocks, int width) {
    quantize_row_q8_0_ref(x, blocks, width);
    for (int i = 0; i < width; i += 32) {
        float largest = 0;
        for (int j = i; j < i + 32; ++j) { largest = std::max(largest, std::abs(x[j])); }
        const float factor = largest > 0 ? 1.0f / (largest / 127) : 0;
        for (int j = 0; j < 32; ++j) { blocks[i / 32].qs[j] = (int8_t) std::nearbyint(x[i + j] * factor); }
    }
}

// ggml's rounding of a column, as floats.
static std::vector<float> reference_column(const type_case & type, const ggml_wasm::kernel & kernel, const float * x, int width, std::vector<char> & blocks) {
    std::vector<float> values(x, x + width);
    if (is_float(type)) { return values; }
    const ggml_type as = kernel.block_weights == 256 ? GGML_TYPE_Q8_K : GGML_TYPE_Q8_0;
    blocks.resize(ggml_row_size(as, width));
    if (as == GGML_TYPE_Q8_K) { quantize_row_q8_K_ref(x, (block_q8_K *) blocks.data(), width); }
    else { quantize_q8_0(x, (block_q8_0 *) blocks.data(), width); }
    const size_t block_size = ggml_type_size(as);
    for (int i = 0; i < width; ++i) {
        const char * block = &blocks[i / kernel.block_weights * block_size];
        float scale;
        if (as == GGML_TYPE_Q8_K) { memcpy(&scale, block, 4); }
        else { ggml_fp16_t half; memcpy(&half, block, 2); scale = ggml_fp16_to_fp32(half); }
        values[i] = scale * (int8_t) block[(as == GGML_TYPE_Q8_K ? 4 : 2) + i % kernel.block_weights];
    }
    return values;
}

static void fill_column(std::vector<float> & x, int kind) {
    for (size_t i = 0; i < x.size(); ++i) {
        switch (kind % 5) {
            case 0: x[i] = random_normal(); break;
            case 1: x[i] = random_normal() * (i % 37 == 0 ? 40.0f : 0.5f); break;
            case 2: x[i] = i % 2 ? 1.0f : -1.0f; break;             // every byte is 127 or -127
            case 3: x[i] = i / 32 % 2 ? 0.0f : random_normal(); break;  // zero blocks
            case 4: x[i] = -3.0f; break;
        }
    }
}

// Largest error over the root of the summed squares of the products, so that cancellation does not count.
static double product_error(const type_case & type, const ggml_wasm::kernel & kernel, const matrix & m, int column_count) {
    const bool   is_wide     = column_count < ggml_wasm::MIN_TILED_COLUMNS;
    const size_t column_size = m.blocks * (is_wide ? kernel.wide_block_size : kernel.column_block_size);
    std::vector<char>  columns(column_size * column_count), blocks;
    std::vector<float> outs((size_t) m.rows * column_count + 8, -12345.0f), x(m.width);
    std::vector<std::vector<float>> exact;
    std::vector<const void *> column_pointers;
    std::vector<float *>      out_pointers;
    for (int c = 0; c < column_count; ++c) {
        fill_column(x, column_count == 1 ? m.rows + m.blocks : c);
        (is_wide ? kernel.quantize_wide : kernel.quantize)(x.data(), &columns[c * column_size], m.blocks);
        exact.push_back(reference_column(type, kernel, x.data(), m.width, blocks));
        column_pointers.push_back(&columns[c * column_size]);
        out_pointers.push_back(&outs[(size_t) c * m.rows]);
    }
    const ggml_wasm::packed_matrix matrix = { (uint8_t *) m.packed.data(), m.rows, m.blocks };
    if (is_wide) {
        for (int c = 0; c < column_count; ++c) { kernel.multiply_wide(matrix, 0, m.rows, column_pointers[c], out_pointers[c]); }
    } else {
        kernel.multiply(matrix, 0, m.rows, column_pointers.data(), out_pointers.data(), column_count);
    }
    double error = 0;
    for (int c = 0; c < column_count; ++c) {
        for (int r = 0; r < m.rows; ++r) {
            double sum = 0, squares = 0;
            for (int i = 0; i < m.width; ++i) {
                const double p = (double) m.values[(size_t) r * m.width + i] * exact[c][i];
                sum += p;
                squares += p * p;
            }
            const double off = std::abs(outs[(size_t) c * m.rows + r] - sum);
            error = std::max(error, squares > 0 ? off / std::sqrt(squares) : off);
            if (std::isnan(outs[(size_t) c * m.rows + r])) { error = INFINITY; }
        }
    }
    for (int i = 0; i < 8; ++i) {  // nothing may be written behind the last row
        if (outs[(size_t) m.rows * column_count + i] != -12345.0f) { error = INFINITY; }
    }
    return error;
}

static double quantisation_error(const type_case & type, const ggml_wasm::kernel & kernel) {
    // The quants come first in a column block, then (32) or behind the sums (256) the scale: compare bytes.
    const int width = 256 * 8;
    double error = 0;
    std::vector<float> x(width);
    std::vector<char>  blocks, column(width / kernel.block_weights * kernel.column_block_size);
    for (int kind = 0; kind < 40; ++kind) {
        fill_column(x, kind);
        if (kind > 20) { for (float & v : x) { v = std::nearbyint(v * 8) / 2 + 0.5f * (kind & 1); } }  // many ties
        kernel.quantize(x.data(), column.data(), width / kernel.block_weights);
        reference_column(type, kernel, x.data(), width, blocks);
        const size_t block_size = kernel.block_weights == 256 ? ggml_type_size(GGML_TYPE_Q8_K) : ggml_type_size(GGML_TYPE_Q8_0);
        for (int i = 0; i < width; ++i) {
            const int block = i / kernel.block_weights, place = i % kernel.block_weights;
            const int ours = (int8_t) column[block * kernel.column_block_size + place];
            const int reference = (int8_t) blocks[block * block_size + (kernel.block_weights == 256 ? 4 : 2) + place];
            error = std::max(error, (double) std::abs(ours - reference));
        }
    }
    return error;
}

// Every finite number of 16 bits must come back as it was.
static double float_error(const type_case & type, const ggml_wasm::kernel & kernel) {
    std::vector<uint16_t> all(65536);
    for (int i = 0; i < 65536; ++i) {
        const int infinity = type.type == GGML_TYPE_F16 ? 0x7C00 : 0x7F80;
        all[i] = (i & infinity) == infinity ? 0 : (uint16_t) i;
    }
    std::vector<uint8_t> packed(kernel.size(1, 65536 / 32));
    std::vector<float>   ours(65536), exact(65536);
    const void * const four[4] = { all.data(), all.data(), all.data(), all.data() };
    kernel.pack(four, { packed.data(), 1, 65536 / 32 }, 0);
    kernel.unpack({ packed.data(), 1, 65536 / 32 }, 0, ours.data());
    ggml_get_type_traits(type.type)->to_float(all.data(), exact.data(), 65536);
    double error = 0;
    for (int i = 0; i < 65536; ++i) { error = std::max(error, (double) std::abs(ours[i] - exact[i])); }
    return error;
}

static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Speed of one column and of 64, with weights in the cache and (one column) streaming from memory.
static void time_kernel(const type_case & type, const ggml_wasm::kernel & kernel) {
    const int width = 2048, blocks = width / kernel.block_weights;
    const double stride = (double) blocks * kernel.packed_block_size;
    const matrix small = make_matrix(type, kernel, 256, width, fill::quantised);
    const int    many  = (int) (100e6 / stride) * 4;
    std::vector<uint8_t> large((size_t) (many / 4 * stride));
    for (size_t i = 0; i < large.size(); i += small.packed.size()) {
        memcpy(&large[i], small.packed.data(), std::min(small.packed.size(), large.size() - i));
    }
    std::vector<float> x(width), outs((size_t) std::max(many, 256 * 64));
    std::vector<char>  column(blocks * kernel.column_block_size);
    fill_column(x, 0);
    kernel.quantize(x.data(), column.data(), blocks);
    std::vector<char> wide(blocks * kernel.wide_block_size);
    kernel.quantize_wide(x.data(), wide.data(), blocks);
    std::vector<const void *> columns(64, column.data());
    std::vector<float *>      pointers;
    for (int c = 0; c < 64; ++c) { pointers.push_back(&outs[c * 256]); }
    double one = 1e9, all = 1e9, stream = 1e9;
    for (int i = 0; i < 200; ++i) {
        double t = now();
        for (int k = 0; k < 4; ++k) { kernel.multiply_wide({ (uint8_t *) small.packed.data(), 256, blocks }, 0, 256, wide.data(), outs.data()); }
        one = std::min(one, (now() - t) / 4);
        if (i % 10) { continue; }
        t = now();
        kernel.multiply({ (uint8_t *) small.packed.data(), 256, blocks }, 0, 256, columns.data(), pointers.data(), 64);
        all = std::min(all, now() - t);
        t = now();
        kernel.multiply_wide({ large.data(), many, blocks }, 0, many, wide.data(), outs.data());
        stream = std::min(stream, now() - t);
    }
    printf("%-8s one column %5.1f GMAC/s (%4.1f GB/s), from memory %5.1f (%4.1f GB/s), 64 columns %5.1f\n", type.name,
           256e-9 * width / one, small.packed.size() / one * 1e-9, 1e-9 * many * width / stream, large.size() / stream * 1e-9,
           64 * 256e-9 * width / all);
}

int main(int argc, char ** argv) {
    ggml_cpu_init();
    const bool with_times = argc > 1 && !strcmp(argv[1], "time");
    for (const type_case & type : types) {
        const ggml_wasm::kernel & kernel = *ggml_wasm::find_kernel(type.type);
        if (is_float(type)) { report(type.name, "every finite number", float_error(type, kernel), 0); }
        else { report(type.name, "quantised columns against the reference", quantisation_error(type, kernel), 0); }
        for (fill how : { fill::quantised, fill::random_bytes, fill::all_zero_bits, fill::all_one_bits, fill::zero_rows, fill::tiny }) {
            double packing = 0, one = 0, several = 0;
            for (int blocks : kernel.block_weights == 256 ? std::vector<int>{ 1, 2, 3, 7, 8, 9, 17 } : std::vector<int>{ 1, 2, 3, 7, 8, 9, 17, 64, 65, 131 }) {
                for (int rows : { 1, 2, 3, 4, 5, 6, 7, 8, 9, 31, 33, 64 }) {
                    if (rows > 9 && blocks > 9 && (rows != 33 || blocks > 70)) { continue; }
                    const matrix m = make_matrix(type, kernel, rows, blocks * kernel.block_weights, how);
                    packing = std::max(packing, packing_error(m, kernel));
                    one     = std::max(one, product_error(type, kernel, m, 1));
                    for (int columns : { 2, 3, 4, 5, 31, 32, 33, 64, 70 }) {
                        if (columns > 5 && (blocks > 3 || rows % 4 == 2)) { continue; }
                        several = std::max(several, product_error(type, kernel, m, columns));
                    }
                }
            }
            char detail[64];
            snprintf(detail, sizeof(detail), "%s: packing", fill_names[(int) how]);
            report(type.name, detail, packing, 1e-6);
            snprintf(detail, sizeof(detail), "%s: one column", fill_names[(int) how]);
            report(type.name, detail, one, how == fill::quantised ? 1e-4 : 1e-3);
            snprintf(detail, sizeof(detail), "%s: 2 to 70 columns", fill_names[(int) how]);
            report(type.name, detail, several, how == fill::quantised ? 1e-4 : 1e-3);
        }
        if (with_times) { time_kernel(type, kernel); }
    }
    puts(is_broken ? "BROKEN" : "all kernels hold");
    return is_broken;
}
