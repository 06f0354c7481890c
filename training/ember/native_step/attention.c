/* Attention, a tile of rows at a time: each row sees the prefix of its segment, and in the segment what is not after it. */

#include <math.h>

#include "step.h"

static size_t tile_size(const Engine *engine, const Tile *tile) {
    return (size_t)engine->shape.heads * tile->rows * tile->wide;
}

typedef void (*Visit)(const Step *, const Kept *, const Tile *, const void *);

/* Calls `each` for every tile in order; returns the numbers that all shares take. */
static size_t over_tiles(const Step *step, const Kept *kept, Visit each, const void *with) {
    size_t share = 0;
    for (int s = 0; s < step->segments; s++) {
        const Segment *segment = step->segment + s;
        for (int row = kept->first[s]; row < kept->first[s + 1]; row += QUERIES) {
            int rows = kept->first[s + 1] - row < QUERIES ? kept->first[s + 1] - row : QUERIES;
            int own = token_of(kept, row + rows - 1) - segment->start + 1;
            Tile tile = {row,   rows, own, segment->prefix_start, segment->start, segment->prefix_length, segment->prefix_length + own,
                         share};
            if (each) each(step, kept, &tile, with);
            share += tile_size(step->engine, &tile);
        }
    }
    return share;
}

static void attend_tile(const Step *step, const Kept *kept, const Tile *tile, const void *unused) {
    (void)unused;
    const Engine *engine = step->engine;
    int width = engine->shape.width, size = width / engine->shape.heads, wide = tile->wide;
    float by = 1.0f / sqrtf((float)size);
    for (int head = 0; head < engine->shape.heads; head++) {
        const float *query = kept->query + (size_t)tile->first * width + head * size;
        const float *key = kept->key_value + head * size, *value = key + width;
        const float *prefix_key = key + (size_t)tile->prefix_start * 2 * width, *own_key = key + (size_t)tile->start * 2 * width;
        const float *prefix_value = value + (size_t)tile->prefix_start * 2 * width;
        const float *own_value = value + (size_t)tile->start * 2 * width;
        float *share = kept->share + tile->share + (size_t)head * tile->rows * wide;
        multiply(engine, 0, 1, tile->rows, tile->prefix, size, by, query, width, prefix_key, 2 * width, 0, share, wide);
        multiply(engine, 0, 1, tile->rows, tile->own, size, by, query, width, own_key, 2 * width, 0, share + tile->prefix, wide);
        for (int row = 0; row < tile->rows; row++) {
            float *at = share + (size_t)row * wide;
            int seen = tile->prefix + token_of(kept, tile->first + row) - tile->start + 1;
            float most = at[0];
            for (int i = 1; i < seen; i++) most = at[i] > most ? at[i] : most;
            float inverse = 1.0f / exponentials(at, seen, most);
            for (int i = 0; i < seen; i++) at[i] *= inverse;
            for (int i = seen; i < wide; i++) at[i] = 0;
        }
        float *out = kept->seen + (size_t)tile->first * width + head * size;
        multiply(engine, 0, 0, tile->rows, size, tile->own, 1, share + tile->prefix, wide, own_value, 2 * width, 0, out, width);
        multiply(engine, 0, 0, tile->rows, size, tile->prefix, 1, share, wide, prefix_value, 2 * width, 1, out, width);
    }
}

static void return_tile(const Step *step, const Kept *kept, const Tile *tile, const void *with) {
    const BackDesk *to = with;
    const Engine *engine = step->engine;
    int width = engine->shape.width, size = width / engine->shape.heads, wide = tile->wide, twice = 2 * width;
    float by = 1.0f / sqrtf((float)size);
    for (int head = 0; head < engine->shape.heads; head++) {
        size_t row_at = (size_t)tile->first * width + head * size;
        size_t prefix_at = (size_t)tile->prefix_start * twice + head * size, own_at = (size_t)tile->start * twice + head * size;
        const float *back = to->seen + row_at, *seen = kept->seen + row_at, *query = kept->query + row_at;
        const float *share = kept->share + tile->share + (size_t)head * tile->rows * wide;
        float *scores = to->scratch;
        const float *key = kept->key_value, *value = key + width;
        float *key_back = to->key_value, *value_back = key_back + width;
        multiply(engine, 1, 0, tile->own, size, tile->rows, 1, share + tile->prefix, wide, back, width, 1, value_back + own_at, twice);
        multiply(engine, 1, 0, tile->prefix, size, tile->rows, 1, share, wide, back, width, 1, value_back + prefix_at, twice);
        multiply(engine, 0, 1, tile->rows, tile->prefix, size, 1, back, width, value + prefix_at, twice, 0, scores, wide);
        multiply(engine, 0, 1, tile->rows, tile->own, size, 1, back, width, value + own_at, twice, 0, scores + tile->prefix, wide);
        for (int row = 0; row < tile->rows; row++) {
            float mean = 0;
            /* Both went through dropout, which scaled each. */
            for (int i = 0; i < size; i++) mean += back[(size_t)row * width + i] * seen[(size_t)row * width + i];
            mean *= step->keep;
            float *at = scores + (size_t)row * wide;
            const float *part = share + (size_t)row * wide;
            for (int i = 0; i < wide; i++) at[i] = part[i] * (at[i] - mean) * by;
        }
        multiply(engine, 0, 0, tile->rows, size, tile->own, 1, scores + tile->prefix, wide, key + own_at, twice, 0, to->query + row_at, width);
        multiply(engine, 0, 0, tile->rows, size, tile->prefix, 1, scores, wide, key + prefix_at, twice, 1, to->query + row_at, width);
        multiply(engine, 1, 0, tile->own, size, tile->rows, 1, scores + tile->prefix, wide, query, width, 1, key_back + own_at, twice);
        multiply(engine, 1, 0, tile->prefix, size, tile->rows, 1, scores, wide, query, width, 1, key_back + prefix_at, twice);
    }
}

/* Numbers that the shares of all tiles take. */
size_t shares_of(const Step *step, const Kept *kept) { return over_tiles(step, kept, NULL, NULL); }

/* From queries, keys and values to what was seen. */
void attend(const Step *step, const Kept *kept) { over_tiles(step, kept, attend_tile, NULL); }

/* From the gradient of what was seen to those of queries, keys and values; `way->key_value` is added to. */
void return_attention(const Step *step, const Kept *kept, const BackDesk *way) { over_tiles(step, kept, return_tile, way); }
