/* One layer, forward and back, in chunks of rows that stay in the cache. */

#include <string.h>

#include "step.h"

#define FOR_CHUNKS(total)                                                                                                          \
    for (int at = 0, rows = (total) < CHUNK ? (total) : CHUNK; at < (total);                                                       \
         at += rows, rows = (total) - at < CHUNK ? (total) - at : CHUNK)

void go_through(const Step *step, int layer, const Kept *kept, const Desk *desk, float *out) {
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
    attend(step, kept);
    drop_out(step, kept->seen, 0, kept->rows, width, 2 * layer);
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
        drop_out(step, desk->feed, at, rows, feed, 2 * layer + 1);
        memcpy(to, middle, sizeof(float) * rows * width);
        multiply(engine, 0, 1, rows, width, feed, 1, desk->feed, feed, weights[DOWN], feed, 1, to, width);
    }
}

/* `back` is the gradient of what the layer gave, [rows, width], and is used up; `to` becomes that of what it got. */
void go_back(const Step *step, int layer, const Kept *kept, const Desk *desk, const BackDesk *way, float *back, float *to) {
    const Engine *engine = step->engine;
    const Shape *shape = &engine->shape;
    const float *const *weights = step->weights + 2 + PER_LAYER * layer;
    float *const *gains = step->gradients + 2 + PER_LAYER * layer;
    int width = shape->width, feed = shape->feed;
    FOR_CHUNKS(kept->rows) {
        float *from = back + (size_t)at * width;
        const float *gate_up = kept->gate_up + (size_t)at * 2 * feed, *middle = kept->middle + (size_t)at * width;
        open_gates(gate_up, rows, feed, desk->feed);
        drop_out(step, desk->feed, at, rows, feed, 2 * layer + 1);
        multiply(engine, 1, 0, width, feed, rows, 1, from, width, desk->feed, feed, 1, gains[DOWN], feed);
        multiply(engine, 0, 0, rows, feed, width, 1, from, width, weights[DOWN], feed, 0, desk->feed_back, feed);
        drop_out(step, desk->feed_back, at, rows, feed, 2 * layer + 1);
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
    drop_out(step, way->seen, 0, kept->rows, width, 2 * layer);
    memset(way->key_value, 0, sizeof(float) * step->count * 2 * width);
    return_attention(step, kept, way);
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
