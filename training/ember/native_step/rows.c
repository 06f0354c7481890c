/* What is done row by row: norms, rotary positions, gates, exponentials; and the one place that chooses a product. */

#include <math.h>
#include <stdint.h>

#include "step.h"

void multiply(const Engine *engine, int flip_a, int flip_b, int m, int n, int k, float by, const float *a, int lda,
                     const float *b, int ldb, float keep, float *c, int ldc) {
    if (m <= 0 || n <= 0 || k <= 0) return;
    if (engine->sgemm)
        engine->sgemm(ROW_MAJOR, flip_a ? TRANSPOSED : PLAIN, flip_b ? TRANSPOSED : PLAIN, m, n, k, by, a, lda, b, ldb, keep,
                      c, ldc);
    else
        multiply_bf16(flip_a, flip_b, m, n, k, by, a, lda, b, ldb, keep, c, ldc);
}

/* e^x to the last bit or two, in a form that becomes vector code. */
static inline float exponential(float x) {
    x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
    float whole = nearbyintf(x * 1.44269504f);
    float rest = x - whole * 0.693359375f + whole * 2.12194440e-4f;
    float y = 1.9875691500e-4f;
    y = y * rest + 1.3981999507e-3f;
    y = y * rest + 8.3334519073e-3f;
    y = y * rest + 4.1665795894e-2f;
    y = y * rest + 1.6666665459e-1f;
    y = y * rest + 5.0000001201e-1f;
    y = y * rest * rest + rest + 1.0f;
    union {
        int32_t bits;
        float number;
    } power = {((int32_t)whole + 127) << 23};
    return y * power.number;
}

/* Dropout of some rows of x, of which the first has the number `first`: the same for the same seed, place and row, so that
 * the way back drops what the way there did. */
void drop_out(const Step *step, float *x, int first, int rows, int width, int place) {
    if (step->keep == 1) return;
    uint32_t begin = step->seed + (uint32_t)place * 0x85ebca6bu, least = (uint32_t)((1.0 - step->keep) * 4294967296.0);
    float scale = 1.0f / step->keep;
    for (int row = 0; row < rows; row++) {
        uint32_t from = begin + (uint32_t)(first + row) * 0xc2b2ae35u;
        float *at = x + (size_t)row * width;
        for (int i = 0; i < width; i++) {
            uint32_t mixed = from + (uint32_t)i * 0x9e3779b9u;
            mixed = (mixed ^ mixed >> 16) * 0x7feb352du;
            mixed = (mixed ^ mixed >> 15) * 0x846ca68bu;
            mixed ^= mixed >> 16;
            at[i] = mixed < least ? 0 : at[i] * scale;
        }
    }
}

/* Turns each x into e^(x - most); returns their sum. */
float exponentials(float *x, int count, float most) {
    float sum = 0;
    for (int i = 0; i < count; i++) {
        x[i] = exponential(x[i] - most);
        sum += x[i];
    }
    return sum;
}

float scale_of(const float *x, int width, float epsilon) {
    float sum = 0;
    for (int i = 0; i < width; i++) sum += x[i] * x[i];
    return 1.0f / sqrtf(sum / width + epsilon);
}

void apply_norm(const float *x, float scale, const float *weight, int width, float *out) {
    for (int i = 0; i < width; i++) out[i] = x[i] * scale * weight[i];
}

/* Adds to `to` what flows back through a norm of x, and to `gain` the gradient of its weight. */
void return_norm(const float *x, float scale, const float *weight, const float *back, int width, float *to, float *gain) {
    float sum = 0;
    for (int i = 0; i < width; i++) {
        gain[i] += back[i] * x[i] * scale;
        sum += back[i] * weight[i] * x[i];
    }
    float pull = sum * scale * scale * scale / width;
    for (int i = 0; i < width; i++) to[i] += back[i] * weight[i] * scale - x[i] * pull;
}

/* Rotary positions on neighbouring pairs. `turn` is 1, or -1 for the way back. */
void rotate(const Engine *engine, float *x, int position, float turn) {
    int half = engine->shape.width / engine->shape.heads / 2;
    const float *cos = engine->cos + (size_t)position * half, *sin = engine->sin + (size_t)position * half;
    for (int head = 0; head < engine->shape.heads; head++, x += 2 * half)
        for (int i = 0; i < half; i++) {
            float even = x[2 * i], odd = x[2 * i + 1];
            x[2 * i] = even * cos[i] - odd * sin[i] * turn;
            x[2 * i + 1] = even * sin[i] * turn + odd * cos[i];
        }
}

/* gate_up is [rows, 2 feed]: the gate, then what it lets through. */
void open_gates(const float *gate_up, int rows, int feed, float *out) {
    for (int row = 0; row < rows; row++) {
        const float *gate = gate_up + (size_t)row * 2 * feed, *up = gate + feed;
        float *to = out + (size_t)row * feed;
        for (int i = 0; i < feed; i++) to[i] = gate[i] / (1.0f + exponential(-gate[i])) * up[i];
    }
}

void return_gates(const float *gate_up, const float *back, int rows, int feed, float *out) {
    for (int row = 0; row < rows; row++) {
        const float *gate = gate_up + (size_t)row * 2 * feed, *up = gate + feed, *from = back + (size_t)row * feed;
        float *to = out + (size_t)row * 2 * feed;
        for (int i = 0; i < feed; i++) {
            float open = 1.0f / (1.0f + exponential(-gate[i]));
            to[i] = from[i] * up[i] * open * (1.0f + gate[i] * (1.0f - open));
            to[feed + i] = from[i] * gate[i] * open;
        }
    }
}
