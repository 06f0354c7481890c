/* Loss and gradients of Ember's model on one core: the same arithmetic as model.py, in a few passes over the memory.
 *
 * Rows of different chats lie one behind another without padding. A segment is one chat, or the system text that several
 * chats share as their prefix: a position sees its prefix and, in its own segment, itself and what is before it. The last
 * block computes its queries and its feed-forward at the learnt positions only: nothing reads the others.
 * Matrix products are BLAS's (row-major `cblas_sgemm`, handed in). Nothing here keeps state from one call to the next.
 */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*Sgemm)(int, int, int, int, int, int, float, const float *, int, const float *, int, float, float *, int);

enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };
enum { CHUNK = 512, QUERIES = 128, WORDS = 256 }; /* rows that stay in the cache: of a block, of attention, of the head */
enum { ATTENTION_NORM, QUERY_KEY_VALUE, OUTPUT, FEED_NORM, GATE_UP, DOWN, PER_LAYER }; /* weights of a layer */

typedef struct {
    int start, length, prefix_start, prefix_length;
} Segment;

typedef struct {
    int vocabulary, width, layers, heads, feed, context;
    float epsilon;
} Shape;

typedef struct {
    Shape shape;
    Sgemm sgemm;
    const float *cos, *sin; /* [context, width / heads / 2] */
    char *memory;
    size_t room, used;
} Engine;

/* What one layer keeps for the way back. `rows` are those after the attention. */
typedef struct {
    float *in, *in_scale, *query, *key_value, *share, *seen, *middle, *middle_scale, *gate_up;
    const int *chosen; /* token of each row; NULL: every token is one */
    const int *first;  /* first row of each segment, and one behind the last */
    int rows;
} Kept;

typedef struct {
    Engine *engine;
    const float *const *weights;
    float *const *gradients;
    int count, segments;
    const int *tokens, *targets, *positions;
    const Segment *segment;
} Step;

static float *take(Engine *engine, size_t numbers) {
    size_t bytes = (numbers * sizeof(float) + 63) & ~(size_t)63;
    float *at = engine->memory ? (float *)(engine->memory + engine->used) : NULL;
    engine->used += bytes;
    return at;
}

static void multiply(const Engine *engine, int flip_a, int flip_b, int m, int n, int k, float by, const float *a, int lda,
                     const float *b, int ldb, float keep, float *c, int ldc) {
    if (m > 0 && n > 0 && k > 0)
        engine->sgemm(ROW_MAJOR, flip_a ? TRANSPOSED : PLAIN, flip_b ? TRANSPOSED : PLAIN, m, n, k, by, a, lda, b, ldb, keep,
                      c, ldc);
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

static float scale_of(const float *x, int width, float epsilon) {
    float sum = 0;
    for (int i = 0; i < width; i++) sum += x[i] * x[i];
    return 1.0f / sqrtf(sum / width + epsilon);
}

static void apply_norm(const float *x, float scale, const float *weight, int width, float *out) {
    for (int i = 0; i < width; i++) out[i] = x[i] * scale * weight[i];
}

/* Adds to `to` what flows back through a norm of x, and to `gain` the gradient of its weight. */
static void return_norm(const float *x, float scale, const float *weight, const float *back, int width, float *to, float *gain) {
    float sum = 0;
    for (int i = 0; i < width; i++) {
        gain[i] += back[i] * x[i] * scale;
        sum += back[i] * weight[i] * x[i];
    }
    float pull = sum * scale * scale * scale / width;
    for (int i = 0; i < width; i++) to[i] += back[i] * weight[i] * scale - x[i] * pull;
}

/* Rotary positions on neighbouring pairs. `turn` is 1, or -1 for the way back. */
static void rotate(const Engine *engine, float *x, int position, float turn) {
    int half = engine->shape.width / engine->shape.heads / 2;
    const float *cos = engine->cos + (size_t)position * half, *sin = engine->sin + (size_t)position * half;
    for (int head = 0; head < engine->shape.heads; head++, x += 2 * half)
        for (int i = 0; i < half; i++) {
            float even = x[2 * i], odd = x[2 * i + 1];
            x[2 * i] = even * cos[i] - odd * sin[i] * turn;
            x[2 * i + 1] = even * sin[i] * turn + odd * cos[i];
        }
}

static inline int token_of(const Kept *kept, int row) { return kept->chosen ? kept->chosen[row] : row; }

/* One tile of attention: some rows of one segment, all its heads. */
typedef struct {
    int first, rows, own, prefix_start, start, prefix, wide;
    size_t share; /* where its shares begin, [heads, rows, wide] */
} Tile;

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

static void attend(const Step *step, const Kept *kept, const Tile *tile, const void *unused) {
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
            float most = at[0], sum = 0;
            for (int i = 1; i < seen; i++) most = at[i] > most ? at[i] : most;
            for (int i = 0; i < seen; i++) {
                at[i] = exponential(at[i] - most);
                sum += at[i];
            }
            float inverse = 1.0f / sum;
            for (int i = 0; i < seen; i++) at[i] *= inverse;
            for (int i = seen; i < wide; i++) at[i] = 0;
        }
        float *out = kept->seen + (size_t)tile->first * width + head * size;
        multiply(engine, 0, 0, tile->rows, size, tile->own, 1, share + tile->prefix, wide, own_value, 2 * width, 0, out, width);
        multiply(engine, 0, 0, tile->rows, size, tile->prefix, 1, share, wide, prefix_value, 2 * width, 1, out, width);
    }
}

/* What the way back through attention reads and writes. */
typedef struct {
    const float *back;        /* of what was seen, [rows, width] */
    float *query, *key_value; /* gradients; the second is added to */
    float *scratch;           /* [QUERIES, longest] */
} Returns;

static void return_attention(const Step *step, const Kept *kept, const Tile *tile, const void *with) {
    const Returns *to = with;
    const Engine *engine = step->engine;
    int width = engine->shape.width, size = width / engine->shape.heads, wide = tile->wide, twice = 2 * width;
    float by = 1.0f / sqrtf((float)size);
    for (int head = 0; head < engine->shape.heads; head++) {
        size_t row_at = (size_t)tile->first * width + head * size;
        size_t prefix_at = (size_t)tile->prefix_start * twice + head * size, own_at = (size_t)tile->start * twice + head * size;
        const float *back = to->back + row_at, *seen = kept->seen + row_at, *query = kept->query + row_at;
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
            for (int i = 0; i < size; i++) mean += back[(size_t)row * width + i] * seen[(size_t)row * width + i];
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

/* gate_up is [rows, 2 feed]: the gate, then what it lets through. */
static void open_gates(const float *gate_up, int rows, int feed, float *out) {
    for (int row = 0; row < rows; row++) {
        const float *gate = gate_up + (size_t)row * 2 * feed, *up = gate + feed;
        float *to = out + (size_t)row * feed;
        for (int i = 0; i < feed; i++) to[i] = gate[i] / (1.0f + exponential(-gate[i])) * up[i];
    }
}

static void return_gates(const float *gate_up, const float *back, int rows, int feed, float *out) {
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

/* Buffers that live for a chunk of rows. */
typedef struct {
    float *narrow, *gates, *feed, *feed_back;
} Desk;

#define FOR_CHUNKS(total)                                                                                                          \
    for (int at = 0, rows = (total) < CHUNK ? (total) : CHUNK; at < (total);                                                       \
         at += rows, rows = (total) - at < CHUNK ? (total) - at : CHUNK)

static void go_through(const Step *step, int layer, const Kept *kept, const Desk *desk, float *out) {
    const Engine *engine = step->engine;
    const Shape *shape = &engine->shape;
    const float *const *weights = step->weights + 2 + PER_LAYER * layer;
    int width = shape->width, feed = shape->feed;
    FOR_CHUNKS(step->count) {
        for (int row = at; row < at + rows; row++) {
            const float *x = kept->in + (size_t)row * width;
            kept->in_scale[row] = scale_of(x, width, shape->epsilon);
            apply_norm(x, kept->in_scale[row], weights[ATTENTION_NORM], width, desk->narrow + (size_t)(row - at) * width);
        }
        float *key_value = kept->key_value + (size_t)at * 2 * width;
        multiply(engine, 0, 1, rows, 2 * width, width, 1, desk->narrow, width, weights[QUERY_KEY_VALUE] + width * width, width, 0,
                 key_value, 2 * width);
        for (int row = 0; row < rows; row++) rotate(engine, key_value + (size_t)row * 2 * width, step->positions[at + row], 1);
    }
    FOR_CHUNKS(kept->rows) {
        for (int row = at; row < at + rows; row++) {
            int token = token_of(kept, row);
            apply_norm(kept->in + (size_t)token * width, kept->in_scale[token], weights[ATTENTION_NORM], width,
                       desk->narrow + (size_t)(row - at) * width);
        }
        float *query = kept->query + (size_t)at * width;
        multiply(engine, 0, 1, rows, width, width, 1, desk->narrow, width, weights[QUERY_KEY_VALUE], width, 0, query, width);
        for (int row = 0; row < rows; row++)
            rotate(engine, query + (size_t)row * width, step->positions[token_of(kept, at + row)], 1);
    }
    over_tiles(step, kept, attend, NULL);
    FOR_CHUNKS(kept->rows) {
        float *middle = kept->middle + (size_t)at * width, *to = out + (size_t)at * width;
        float *gate_up = kept->gate_up + (size_t)at * 2 * feed;
        for (int row = 0; row < rows; row++)
            memcpy(middle + (size_t)row * width, kept->in + (size_t)token_of(kept, at + row) * width, sizeof(float) * width);
        multiply(engine, 0, 1, rows, width, width, 1, kept->seen + (size_t)at * width, width, weights[OUTPUT], width, 1, middle, width);
        for (int row = 0; row < rows; row++) {
            const float *x = middle + (size_t)row * width;
            kept->middle_scale[at + row] = scale_of(x, width, shape->epsilon);
            apply_norm(x, kept->middle_scale[at + row], weights[FEED_NORM], width, desk->narrow + (size_t)row * width);
        }
        multiply(engine, 0, 1, rows, 2 * feed, width, 1, desk->narrow, width, weights[GATE_UP], width, 0, gate_up, 2 * feed);
        open_gates(gate_up, rows, feed, desk->feed);
        memcpy(to, middle, sizeof(float) * rows * width);
        multiply(engine, 0, 1, rows, width, feed, 1, desk->feed, feed, weights[DOWN], feed, 1, to, width);
    }
}

/* Buffers of the way back: all [tokens, width] but key_value, which is twice as wide. */
typedef struct {
    float *seen, *query, *key_value, *normed, *scratch;
} BackDesk;

/* `back` is the gradient of what the layer gave, [rows, width], and is used up; `to` becomes that of what it got. */
static void go_back(const Step *step, int layer, const Kept *kept, const Desk *desk, const BackDesk *way, float *back, float *to) {
    const Engine *engine = step->engine;
    const Shape *shape = &engine->shape;
    const float *const *weights = step->weights + 2 + PER_LAYER * layer;
    float *const *gains = step->gradients + 2 + PER_LAYER * layer;
    int width = shape->width, feed = shape->feed;
    FOR_CHUNKS(kept->rows) {
        float *from = back + (size_t)at * width;
        const float *gate_up = kept->gate_up + (size_t)at * 2 * feed, *middle = kept->middle + (size_t)at * width;
        open_gates(gate_up, rows, feed, desk->feed);
        multiply(engine, 1, 0, width, feed, rows, 1, from, width, desk->feed, feed, 1, gains[DOWN], feed);
        multiply(engine, 0, 0, rows, feed, width, 1, from, width, weights[DOWN], feed, 0, desk->feed_back, feed);
        return_gates(gate_up, desk->feed_back, rows, feed, desk->gates);
        for (int row = 0; row < rows; row++)
            apply_norm(middle + (size_t)row * width, kept->middle_scale[at + row], weights[FEED_NORM], width,
                       desk->narrow + (size_t)row * width);
        multiply(engine, 1, 0, 2 * feed, width, rows, 1, desk->gates, 2 * feed, desk->narrow, width, 1, gains[GATE_UP], width);
        multiply(engine, 0, 0, rows, width, 2 * feed, 1, desk->gates, 2 * feed, weights[GATE_UP], width, 0, desk->narrow, width);
        for (int row = 0; row < rows; row++)
            return_norm(middle + (size_t)row * width, kept->middle_scale[at + row], weights[FEED_NORM],
                        desk->narrow + (size_t)row * width, width, from + (size_t)row * width, gains[FEED_NORM]);
        multiply(engine, 1, 0, width, width, rows, 1, from, width, kept->seen + (size_t)at * width, width, 1, gains[OUTPUT], width);
        multiply(engine, 0, 0, rows, width, width, 1, from, width, weights[OUTPUT], width, 0, way->seen + (size_t)at * width, width);
    }
    memset(way->key_value, 0, sizeof(float) * step->count * 2 * width);
    Returns returns = {way->seen, way->query, way->key_value, way->scratch};
    over_tiles(step, kept, return_attention, &returns);
    memset(way->normed, 0, sizeof(float) * step->count * width);
    if (kept->chosen) {
        memset(to, 0, sizeof(float) * step->count * width);
        for (int row = 0; row < kept->rows; row++)
            memcpy(to + (size_t)kept->chosen[row] * width, back + (size_t)row * width, sizeof(float) * width);
    } else if (to != back) {
        memcpy(to, back, sizeof(float) * step->count * width);
    }
    FOR_CHUNKS(kept->rows) {
        float *query = way->query + (size_t)at * width;
        for (int row = 0; row < rows; row++) {
            int token = token_of(kept, at + row);
            rotate(engine, query + (size_t)row * width, step->positions[token], -1);
            apply_norm(kept->in + (size_t)token * width, kept->in_scale[token], weights[ATTENTION_NORM], width,
                       desk->narrow + (size_t)row * width);
        }
        multiply(engine, 1, 0, width, width, rows, 1, query, width, desk->narrow, width, 1, gains[QUERY_KEY_VALUE], width);
        multiply(engine, 0, 0, rows, width, width, 1, query, width, weights[QUERY_KEY_VALUE], width, 0, desk->narrow, width);
        for (int row = 0; row < rows; row++)
            memcpy(way->normed + (size_t)token_of(kept, at + row) * width, desk->narrow + (size_t)row * width, sizeof(float) * width);
    }
    FOR_CHUNKS(step->count) {
        float *key_value = way->key_value + (size_t)at * 2 * width, *normed = way->normed + (size_t)at * width;
        for (int row = 0; row < rows; row++) {
            rotate(engine, key_value + (size_t)row * 2 * width, step->positions[at + row], -1);
            apply_norm(kept->in + (size_t)(at + row) * width, kept->in_scale[at + row], weights[ATTENTION_NORM], width,
                       desk->narrow + (size_t)row * width);
        }
        multiply(engine, 1, 0, 2 * width, width, rows, 1, key_value, 2 * width, desk->narrow, width, 1,
                 gains[QUERY_KEY_VALUE] + width * width, width);
        multiply(engine, 0, 0, rows, width, 2 * width, 1, key_value, 2 * width, weights[QUERY_KEY_VALUE] + width * width, width, 1,
                 normed, width);
        for (int row = 0; row < rows; row++)
            return_norm(kept->in + (size_t)(at + row) * width, kept->in_scale[at + row], weights[ATTENTION_NORM],
                        normed + (size_t)row * width, width, to + (size_t)(at + row) * width, gains[ATTENTION_NORM]);
    }
}

/* Cross entropy of the chosen rows; `back` becomes the gradient of `last`. Returns the sum of the losses. */
static double speak(const Step *step, const int *chosen, int rows, const float *last, float by, float *scales, float *normed,
                    float *logits, float *back) {
    const Engine *engine = step->engine;
    int width = engine->shape.width, vocabulary = engine->shape.vocabulary;
    const float *embedding = step->weights[0], *weight = step->weights[1];
    double total = 0;
    for (int at = 0; at < rows; at += WORDS) {
        int part = rows - at < WORDS ? rows - at : WORDS;
        for (int row = 0; row < part; row++) {
            const float *x = last + (size_t)(at + row) * width;
            scales[at + row] = scale_of(x, width, engine->shape.epsilon);
            apply_norm(x, scales[at + row], weight, width, normed + (size_t)row * width);
        }
        multiply(engine, 0, 1, part, vocabulary, width, 1, normed, width, embedding, width, 0, logits, vocabulary);
        for (int row = 0; row < part; row++) {
            float *score = logits + (size_t)row * vocabulary;
            int target = step->targets[chosen[at + row]];
            float most = score[0], right = score[target], sum = 0;
            for (int i = 1; i < vocabulary; i++) most = score[i] > most ? score[i] : most;
            for (int i = 0; i < vocabulary; i++) {
                score[i] = exponential(score[i] - most);
                sum += score[i];
            }
            total += logf(sum) + most - right;
            float share = by / sum;
            for (int i = 0; i < vocabulary; i++) score[i] *= share;
            score[target] -= by;
        }
        multiply(engine, 1, 0, vocabulary, width, part, 1, logits, vocabulary, normed, width, 1, step->gradients[0], width);
        multiply(engine, 0, 0, part, width, vocabulary, 1, logits, vocabulary, embedding, width, 0, normed, width);
        for (int row = 0; row < part; row++) {
            float *to = back + (size_t)(at + row) * width;
            memset(to, 0, sizeof(float) * width);
            return_norm(last + (size_t)(at + row) * width, scales[at + row], weight, normed + (size_t)row * width, width, to,
                        step->gradients[1]);
        }
    }
    return total;
}

typedef struct {
    Kept *kept;
    Desk desk;
    BackDesk way;
    float *last, *last_back, *back, *scales, *normed, *logits;
    int *chosen, *all_first, *chosen_first;
    int learnt, longest;
} Plan;

/* Lays everything out in the engine's memory; run once to measure and once for good. */
static void lay_out(const Step *step, Plan *plan) {
    Engine *engine = step->engine;
    const Shape *shape = &engine->shape;
    size_t width = shape->width, feed = shape->feed, count = step->count, learnt = plan->learnt;
    engine->used = 0;
    for (int layer = 0; layer < shape->layers; layer++) {
        Kept *kept = plan->kept + layer;
        int is_last = layer == shape->layers - 1;
        kept->rows = is_last ? plan->learnt : step->count;
        kept->chosen = is_last ? plan->chosen : NULL;
        kept->first = is_last ? plan->chosen_first : plan->all_first;
        size_t rows = kept->rows;
        kept->in = take(engine, count * width);
        kept->in_scale = take(engine, count);
        kept->query = take(engine, rows * width);
        kept->key_value = take(engine, count * 2 * width);
        kept->share = take(engine, over_tiles(step, kept, NULL, NULL));
        kept->seen = take(engine, rows * width);
        kept->middle = take(engine, rows * width);
        kept->middle_scale = take(engine, rows);
        kept->gate_up = take(engine, rows * 2 * feed);
    }
    plan->desk.narrow = take(engine, CHUNK * width);
    plan->desk.gates = take(engine, CHUNK * 2 * feed);
    plan->desk.feed = take(engine, CHUNK * feed);
    plan->desk.feed_back = take(engine, CHUNK * feed);
    plan->way.seen = take(engine, count * width);
    plan->way.query = take(engine, count * width);
    plan->way.key_value = take(engine, count * 2 * width);
    plan->way.normed = take(engine, count * width);
    plan->way.scratch = take(engine, (size_t)QUERIES * plan->longest);
    plan->last = take(engine, learnt * width);
    plan->last_back = take(engine, learnt * width);
    plan->back = take(engine, count * width);
    plan->scales = take(engine, learnt);
    plan->normed = take(engine, WORDS * width);
    plan->logits = take(engine, (size_t)WORDS * shape->vocabulary);
}

/* NULL when there is no memory. `shape`: vocabulary, width, layers, heads, feed, context. */
Engine *ember_open(const int *shape, float epsilon, const float *cos, const float *sin, Sgemm sgemm) {
    Engine *engine = calloc(1, sizeof(Engine));
    if (!engine) return NULL;
    engine->shape = (Shape){shape[0], shape[1], shape[2], shape[3], shape[4], shape[5], epsilon};
    engine->cos = cos;
    engine->sin = sin;
    engine->sgemm = sgemm;
    return engine;
}

void ember_close(Engine *engine) {
    free(engine->memory);
    free(engine);
}

/* Adds `by` times the gradient of the summed cross entropy to `gradients`; returns that sum, or -1 when memory is short.
 * `targets` is -1 where nothing is learnt. Segments are in order, cover all tokens, and come after their prefix.
 * Weights and gradients: embedding, last norm, then those of each layer. */
double ember_step(Engine *engine, const float *const *weights, float *const *gradients, int count, const int *tokens,
                  const int *targets, const int *positions, int segments, const Segment *segment, float by) {
    Step step = {engine, weights, gradients, count, segments, tokens, targets, positions, segment};
    int layers = engine->shape.layers, width = engine->shape.width;
    Plan plan = {0};
    double total = -1;
    plan.kept = calloc(layers, sizeof(Kept));
    plan.chosen = malloc(sizeof(int) * (count + 1));
    plan.all_first = malloc(sizeof(int) * (segments + 1));
    plan.chosen_first = malloc(sizeof(int) * (segments + 1));
    if (!plan.kept || !plan.chosen || !plan.all_first || !plan.chosen_first) goto done;
    for (int s = 0; s < segments; s++) {
        plan.all_first[s] = segment[s].start;
        plan.chosen_first[s] = plan.learnt;
        int wide = segment[s].prefix_length + segment[s].length;
        plan.longest = wide > plan.longest ? wide : plan.longest;
        for (int at = segment[s].start; at < segment[s].start + segment[s].length; at++)
            if (targets[at] >= 0) plan.chosen[plan.learnt++] = at;
    }
    plan.all_first[segments] = count;
    plan.chosen_first[segments] = plan.learnt;

    char *memory = engine->memory;
    engine->memory = NULL;
    lay_out(&step, &plan);
    if (engine->used > engine->room) {
        free(memory);
        engine->room = engine->used + engine->used / 4;
        engine->room = (engine->room + 63) & ~(size_t)63;
        memory = aligned_alloc(64, engine->room);
        if (!memory) engine->room = 0;
    }
    engine->memory = memory;
    if (!memory) goto done;
    lay_out(&step, &plan);

    for (int at = 0; at < count; at++)
        memcpy(plan.kept[0].in + (size_t)at * width, weights[0] + (size_t)tokens[at] * width, sizeof(float) * width);
    for (int layer = 0; layer < layers; layer++)
        go_through(&step, layer, plan.kept + layer, &plan.desk, layer + 1 < layers ? plan.kept[layer + 1].in : plan.last);
    total = speak(&step, plan.chosen, plan.learnt, plan.last, by, plan.scales, plan.normed, plan.logits, plan.last_back);
    float *back = plan.last_back;
    for (int layer = layers - 1; layer >= 0; layer--) {
        go_back(&step, layer, plan.kept + layer, &plan.desk, &plan.way, back, plan.back);
        back = plan.back;
    }
    for (int at = 0; at < count; at++) {
        float *gain = gradients[0] + (size_t)tokens[at] * width;
        const float *from = back + (size_t)at * width;
        for (int i = 0; i < width; i++) gain[i] += from[i];
    }
done:
    free(plan.kept);
    free(plan.chosen);
    free(plan.all_first);
    free(plan.chosen_first);
    return total;
}
