// Checks whole ggml operations on packed weights (matrices, batches, experts, embeddings), attention, F16 conversion
// and exp against exact values. Exits with 1 when a bound is broken. The argument is the number of threads.
#include "ggml-alloc.h"
#include "ggml-backend.h"
#include "ggml-cpu.h"
#include "ggml.h"

#include "ggml-cpu-impl.h"
#include "simd-mappings.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <random>
#include <stdexcept>
#include <vector>

static std::mt19937 generator(7);
static int  threads = 1;
static bool is_broken = false;

static float random_normal() {
    static std::normal_distribution<float> normal;
    return normal(generator);
}

static std::vector<float> random_floats(size_t count) {
    std::vector<float> x(count);
    for (float & v : x) { v = random_normal(); }
    return x;
}

static void report(const char * what, double error, double bound) {
    printf("%-58s largest error %.2e (bound %.0e)%s\n", what, error, bound, error <= bound ? "" : "   BROKEN");
    is_broken |= !(error <= bound);
}

static ggml_backend_buffer_type_t packed_buffer_type() {
    ggml_backend_dev_t device = ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_CPU);
    const auto get = (ggml_backend_dev_get_extra_bufts_t) ggml_backend_reg_get_proc_address(ggml_backend_dev_backend_reg(device), "ggml_backend_dev_get_extra_bufts");
    for (ggml_backend_buffer_type_t * type = get(device); *type != nullptr; ++type) {
        if (!strcmp(ggml_backend_buft_name(*type), "CPU_WASM")) { return *type; }
    }
    puts("no buffer type CPU_WASM");
    exit(1);
}

// Runs one operation. `build` makes it from a context for packed tensors and one for plain tensors; `fill` sets data.
struct operation {
    ggml_context * packed = ggml_init({ 1 << 20, nullptr, true });
    ggml_context * plain  = ggml_init({ 1 << 20, nullptr, true });

    std::vector<float> run(ggml_tensor * out, const std::function<void()> & fill) {
        ggml_backend_t backend = ggml_backend_cpu_init();
        ggml_backend_cpu_set_n_threads(backend, threads);
        ggml_backend_buffer_t a = ggml_backend_alloc_ctx_tensors_from_buft(packed, packed_buffer_type());
        ggml_backend_buffer_t b = ggml_backend_alloc_ctx_tensors(plain, backend);
        if (a && !ggml_backend_supports_op(backend, out)) { puts("operation not supported"); is_broken = true; }
        fill();
        ggml_cgraph * graph = ggml_new_graph(plain_graph);
        ggml_build_forward_expand(graph, out);
        ggml_backend_graph_compute(backend, graph);
        std::vector<float> result(ggml_nelements(out));
        ggml_backend_tensor_get(out, result.data(), 0, ggml_nbytes(out));
        ggml_backend_buffer_free(a);
        ggml_backend_buffer_free(b);
        ggml_backend_free(backend);
        ggml_free(packed);
        ggml_free(plain);
        ggml_free(plain_graph);
        return result;
    }
    ggml_context * plain_graph = ggml_init({ 4 << 20, nullptr, true });
};

struct weights {
    std::vector<char>  gguf;
    std::vector<float> values;
};

static weights random_weights(ggml_type type, int64_t width, int64_t rows) {
    weights w;
    std::vector<float> x = random_floats(width * rows);
    w.gguf.resize(ggml_row_size(type, width) * rows);
    ggml_quantize_chunk(type, x.data(), w.gguf.data(), 0, rows, width, nullptr);
    w.values.resize(width * rows);
    ggml_get_type_traits(type)->to_float(w.gguf.data(), w.values.data(), width * rows);
    return w;
}

// The columns are rounded to bytes, so products differ from exact ones by some thousandths of their usual size.
static constexpr double ROUNDING = 6e-2;

static void check_mul_mat(ggml_type type, int width, int rows, int columns, int batches) {
    operation op;
    const weights w = random_weights(type, width, rows);
    const std::vector<float> x = random_floats((size_t) width * columns * batches);
    ggml_tensor * a = ggml_new_tensor_2d(op.packed, type, width, rows);
    ggml_tensor * b = ggml_new_tensor_3d(op.plain, GGML_TYPE_F32, width, columns, batches);
    const std::vector<float> out = op.run(ggml_mul_mat(op.plain, a, b), [&] {
        ggml_backend_tensor_set(a, w.gguf.data(), 0, w.gguf.size());
        ggml_backend_tensor_set(b, x.data(), 0, x.size() * 4);
    });
    double error = 0;
    for (int c = 0; c < columns * batches; ++c) {
        for (int r = 0; r < rows; ++r) {
            double sum = 0;
            for (int i = 0; i < width; ++i) { sum += (double) w.values[(size_t) r * width + i] * x[(size_t) c * width + i]; }
            error = std::max(error, std::abs(out[(size_t) c * rows + r] - sum) / std::sqrt(width));
        }
    }
    char what[96];
    snprintf(what, sizeof(what), "MUL_MAT %s %d x %d, %d columns, %d batches", ggml_type_name(type), width, rows, columns, batches);
    report(what, error, ROUNDING);
}

static void check_mul_mat_id(ggml_type type, int width, int rows, int experts, int used, int tokens, bool one_row_per_token) {
    operation op;
    const weights w = random_weights(type, width, (int64_t) rows * experts);
    const int x_rows = one_row_per_token ? 1 : used;
    const std::vector<float> x = random_floats((size_t) width * x_rows * tokens);
    std::vector<int32_t> ids(used * tokens);
    for (int t = 0; t < tokens; ++t) {
        std::vector<int32_t> order(experts);
        for (int e = 0; e < experts; ++e) { order[e] = e; }
        std::shuffle(order.begin(), order.end(), generator);
        std::copy(order.begin(), order.begin() + used, ids.begin() + t * used);
    }
    ggml_tensor * a = ggml_new_tensor_3d(op.packed, type, width, rows, experts);
    ggml_tensor * b = ggml_new_tensor_3d(op.plain, GGML_TYPE_F32, width, x_rows, tokens);
    ggml_tensor * c = ggml_new_tensor_2d(op.plain, GGML_TYPE_I32, used, tokens);
    const std::vector<float> out = op.run(ggml_mul_mat_id(op.plain, a, b, c), [&] {
        ggml_backend_tensor_set(a, w.gguf.data(), 0, w.gguf.size());
        ggml_backend_tensor_set(b, x.data(), 0, x.size() * 4);
        ggml_backend_tensor_set(c, ids.data(), 0, ids.size() * 4);
    });
    double error = 0;
    for (int t = 0; t < tokens; ++t) {
        for (int u = 0; u < used; ++u) {
            const float * column = &x[((size_t) t * x_rows + u % x_rows) * width];
            for (int r = 0; r < rows; ++r) {
                const float * row = &w.values[((size_t) ids[t * used + u] * rows + r) * width];
                double sum = 0;
                for (int i = 0; i < width; ++i) { sum += (double) row[i] * column[i]; }
                error = std::max(error, std::abs(out[((size_t) t * used + u) * rows + r] - sum) / std::sqrt(width));
            }
        }
    }
    char what[96];
    snprintf(what, sizeof(what), "MUL_MAT_ID %s %d x %d, %d of %d experts, %d tokens", ggml_type_name(type), width, rows, used, experts, tokens);
    report(what, error, ROUNDING);
}

static void check_get_rows(ggml_type type, int width, int rows) {
    operation op;
    const weights w = random_weights(type, width, rows);
    std::vector<int32_t> ids(rows);
    for (int r = 0; r < rows; ++r) { ids[r] = (r * 7 + 3) % rows; }
    ggml_tensor * a = ggml_new_tensor_2d(op.packed, type, width, rows);
    ggml_tensor * b = ggml_new_tensor_1d(op.plain, GGML_TYPE_I32, rows);
    const std::vector<float> out = op.run(ggml_get_rows(op.plain, a, b), [&] {
        ggml_backend_tensor_set(a, w.gguf.data(), 0, w.gguf.size());
        ggml_backend_tensor_set(b, ids.data(), 0, ids.size() * 4);
    });
    double error = 0;
    for (int r = 0; r < rows; ++r) {
        for (int i = 0; i < width; ++i) { error = std::max(error, (double) std::abs(out[(size_t) r * width + i] - w.values[(size_t) ids[r] * width + i])); }
    }
    char what[96];
    snprintf(what, sizeof(what), "GET_ROWS %s %d x %d", ggml_type_name(type), width, rows);
    report(what, error, 1e-5);
}

static void check_attention(int size, int value_size, int heads, int kv_heads, int positions, int visible, int tokens, float softcap, ggml_type cache = GGML_TYPE_F16) {
    operation op;
    const std::vector<float> q = random_floats((size_t) size * tokens * heads);
    std::vector<float> k = random_floats((size_t) size * positions * kv_heads), v = random_floats((size_t) value_size * positions * kv_heads);
    std::vector<ggml_fp16_t> k16(k.size()), v16(v.size()), mask((size_t) positions * tokens);
    ggml_fp32_to_fp16_row(k.data(), k16.data(), k.size());
    ggml_fp32_to_fp16_row(v.data(), v16.data(), v.size());
    ggml_fp16_to_fp32_row(k16.data(), k.data(), k.size());
    ggml_fp16_to_fp32_row(v16.data(), v.data(), v.size());
    for (int t = 0; t < tokens; ++t) {
        for (int p = 0; p < positions; ++p) { mask[(size_t) t * positions + p] = ggml_fp32_to_fp16(p <= visible + t ? 0.0f : -INFINITY); }
    }
    ggml_tensor * tq = ggml_new_tensor_3d(op.plain, GGML_TYPE_F32, size, tokens, heads);
    ggml_tensor * tk = ggml_new_tensor_3d(op.plain, cache, size, positions, kv_heads);
    ggml_tensor * tv = ggml_new_tensor_3d(op.plain, cache, value_size, positions, kv_heads);
    ggml_tensor * tm = ggml_new_tensor_2d(op.plain, GGML_TYPE_F16, positions, tokens);
    const float scale = 1.0f / std::sqrt((float) size);
    const std::vector<float> out = op.run(ggml_flash_attn_ext(op.plain, tq, tk, tv, tm, scale, 0.0f, softcap), [&] {
        ggml_backend_tensor_set(tq, q.data(), 0, q.size() * 4);
        ggml_backend_tensor_set(tk, k16.data(), 0, k16.size() * 2);
        ggml_backend_tensor_set(tv, v16.data(), 0, v16.size() * 2);
        ggml_backend_tensor_set(tm, mask.data(), 0, mask.size() * 2);
    });
    double error = 0;
    for (int h = 0; h < heads; ++h) {
        const int kv = h / (heads / kv_heads);
        for (int t = 0; t < tokens; ++t) {
            std::vector<double> weights(positions);
            double sum = 0;
            for (int p = 0; p < positions; ++p) {
                double dot = 0;
                for (int i = 0; i < size; ++i) { dot += (double) q[((size_t) h * tokens + t) * size + i] * k[((size_t) kv * positions + p) * size + i]; }
                dot *= scale;
                if (softcap != 0) { dot = softcap * std::tanh(dot / softcap); }
                weights[p] = p <= visible + t ? std::exp(dot) : 0;
                sum += weights[p];
            }
            for (int i = 0; i < value_size; ++i) {
                double exact = 0;
                for (int p = 0; p < positions; ++p) { exact += weights[p] / sum * v[((size_t) kv * positions + p) * value_size + i]; }
                error = std::max(error, std::abs(out[((size_t) t * heads + h) * value_size + i] - exact));
            }
        }
    }
    char what[96];
    snprintf(what, sizeof(what), "FLASH_ATTN_EXT %d/%d, %d:%d heads, %d positions, %d tokens", size, value_size, heads, kv_heads, positions, tokens);
    report(what, error, 1e-4);
}

// The vector code of simd-mappings.h: every half, and floats of every size, against ggml's scalar conversion.
static void check_halves() {
    double wrong = 0;
    for (int i = 0; i < 65536; i += 4) {
        ggml_fp16_t halves[4];
        float       floats[4];
        for (int k = 0; k < 4; ++k) { halves[k] = (ggml_fp16_t) (i + k); }
        wasm_v128_store(floats, __wasm_f16x4_load(halves));
        for (int k = 0; k < 4; ++k) {
            const float exact = ggml_fp16_to_fp32(halves[k]);
            wrong += std::isnan(exact) ? !std::isnan(floats[k]) : memcmp(&exact, &floats[k], 4) != 0;
        }
    }
    report("F16 to F32, all 65536 values: wrong ones", wrong, 0);

    wrong = 0;
    for (uint64_t bits = 0; bits < (1ull << 32); bits += 4 * 977) {
        ggml_fp16_t halves[4];
        float       floats[4];
        for (uint32_t k = 0; k < 4; ++k) {
            const uint32_t b = (uint32_t) bits + k * 977;
            memcpy(&floats[k], &b, 4);
        }
        __wasm_f16x4_store(halves, wasm_v128_load(floats));
        for (int k = 0; k < 4; ++k) {
            const ggml_fp16_t exact = ggml_fp32_to_fp16(floats[k]);
            wrong += std::isnan(floats[k]) ? !std::isnan(ggml_fp16_to_fp32(halves[k])) : halves[k] != exact;
        }
    }
    report("F32 to F16, 4.4 million values: wrong ones", wrong, 0);
}

// exp and SiLU, through the operations that use them.
static void check_exp() {
    std::vector<float> x;
    for (float v = -110.0f; v < 95.0f; v += 0.013f) { x.push_back(v); }
    while (x.size() % 4 != 3) { x.push_back(0.5f); }
    operation op;
    ggml_tensor * a = ggml_new_tensor_1d(op.plain, GGML_TYPE_F32, x.size());
    const std::vector<float> out = op.run(ggml_silu(op.plain, a), [&] { ggml_backend_tensor_set(a, x.data(), 0, x.size() * 4); });
    double error = 0;
    for (size_t i = 0; i < x.size(); ++i) {
        const double exact = x[i] / (1 + std::exp(-(double) x[i]));
        error = std::max(error, std::abs(out[i] - exact) / (std::abs(exact) + 1e-30));
    }
    report("SiLU from -110 to 95, relative", error, 1e-6);

    operation soft;
    std::vector<float> y = random_floats(4 * 131);
    for (float & v : y) { v *= 20; }
    ggml_tensor * b = ggml_new_tensor_2d(soft.plain, GGML_TYPE_F32, 131, 4);
    const std::vector<float> weights = soft.run(ggml_soft_max(soft.plain, b), [&] { ggml_backend_tensor_set(b, y.data(), 0, y.size() * 4); });
    error = 0;
    for (int r = 0; r < 4; ++r) {
        double sum = 0, largest = -1e30;
        for (int i = 0; i < 131; ++i) { largest = std::max(largest, (double) y[131 * r + i]); }
        for (int i = 0; i < 131; ++i) { sum += std::exp(y[131 * r + i] - largest); }
        for (int i = 0; i < 131; ++i) { error = std::max(error, std::abs(weights[131 * r + i] - std::exp(y[131 * r + i] - largest) / sum)); }
    }
    report("softmax of four rows of 131", error, 1e-6);
}

// A scale or a weight that is infinite or NaN must not be loaded. `at` is its offset in the first block.
static void check_refusal(ggml_type type, int at, uint16_t bits) {
    operation op;
    weights w = random_weights(type, 256, 4);
    memcpy(&w.gguf[at], &bits, 2);
    ggml_tensor * a = ggml_new_tensor_2d(op.packed, type, 256, 4);
    ggml_tensor * b = ggml_new_tensor_2d(op.plain, GGML_TYPE_F32, 256, 1);
    bool is_refused = false;
    op.run(ggml_mul_mat(op.plain, a, b), [&] {
        const std::vector<float> zeros(256);
        ggml_backend_tensor_set(b, zeros.data(), 0, 1024);
        try {
            ggml_backend_tensor_set(a, w.gguf.data(), 0, w.gguf.size());
        } catch (const std::runtime_error &) {
            is_refused = true;
        }
    });
    char what[64];
    snprintf(what, sizeof(what), "%s with the bits %04x is refused", ggml_type_name(type), bits);
    report(what, is_refused ? 0 : 1, 0);
}

int main(int argc, char ** argv) {
    if (argc > 1) { threads = atoi(argv[1]); }
    for (ggml_type type : { GGML_TYPE_Q4_0, GGML_TYPE_Q4_1, GGML_TYPE_Q5_0, GGML_TYPE_Q8_0, GGML_TYPE_IQ4_NL, GGML_TYPE_Q4_K, GGML_TYPE_Q5_K, GGML_TYPE_Q6_K,
                             GGML_TYPE_F16, GGML_TYPE_BF16 }) {
        check_mul_mat(type, 512, 67, 1, 1);
        check_mul_mat(type, 2560, 258, 1, 1);
        check_mul_mat(type, 2304, 66, 3, 1);
        check_mul_mat(type, 512, 67, 300, 1);
        check_mul_mat(type, 256, 33, 5, 4);
        check_mul_mat_id(type, 512, 66, 8, 2, 1, true);
        check_mul_mat_id(type, 2560, 35, 8, 3, 1, false);
        check_mul_mat_id(type, 512, 34, 8, 2, 5, false);
        check_mul_mat_id(type, 256, 131, 6, 2, 37, true);
        check_mul_mat_id(type, 256, 33, 4, 4, 300, false);
        check_get_rows(type, 2560, 37);
    }
    for (int positions : { 32, 256, 1024 }) {
        check_attention(64, 64, 14, 2, positions, 20, 1, 0);
        check_attention(128, 128, 12, 2, positions, positions - 1, 1, 0);
        check_attention(256, 256, 4, 1, positions, positions / 2, 1, 50.0f);
        check_attention(64, 64, 9, 3, positions, 7, 5, 0);
        check_attention(64, 64, 9, 3, positions, 7, 97 < positions ? 97 : 20, 0);
    }
    check_attention(192, 128, 4, 4, 96, 60, 1, 0);
    check_attention(72, 40, 6, 2, 64, 63, 2, 0);
    for (uint16_t bits : { 0x7C00, 0xFC00, 0x7E01 }) {
        check_refusal(GGML_TYPE_F16, 2 * 37, bits);
        check_refusal(GGML_TYPE_Q4_0, 0, bits);
        check_refusal(GGML_TYPE_Q4_K, 2, bits);
        check_refusal(GGML_TYPE_Q6_K, 208, bits);
    }
    check_refusal(GGML_TYPE_BF16, 2 * 37, 0x7F80);
    check_halves();
    check_exp();
    puts(is_broken ? "BROKEN" : "all operations hold");
    return is_broken;
}
