// Attention of a few queries over a long F16 cache: what writing text does for every token.
#pragma once

#include "ggml.h"

#include <stdint.h>

namespace ggml_wasm {

// Query heads that share one head of keys and values (grouped-query attention). At most max_queries.
struct shared_attention {
    static constexpr int max_queries = 8;

    int                 count;                    // number of queries
    const float *       queries[max_queries];     // [key_size]
    const ggml_fp16_t * masks[max_queries];       // [positions], or null
    float               slopes[max_queries];      // the mask is multiplied by this
    float *             outputs[max_queries];     // [value_size], the weighted sum of the values, not divided by `sums`
    float               maxima[max_queries];      // out: largest score
    float               sums[max_queries];        // out: sum of exp(score - maximum)

    const char * keys;                            // F16 rows
    const char * values;
    size_t       key_stride, value_stride;        // bytes from one position to the next
    int          key_size, value_size;
    float        scale, softcap;                  // score = softcap * tanh(dot * scale / softcap), softcap 0: dot * scale
};

// Whether attend() can handle these sizes.
bool can_attend(int64_t key_size, int64_t value_size);

// Computes outputs, maxima and sums over the positions first...last-1.
void attend(shared_attention & work, int64_t first, int64_t last);

}  // namespace ggml_wasm
