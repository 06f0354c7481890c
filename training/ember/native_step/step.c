/* The whole step: layout of the memory, embedding, layers, head, and all of it back. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

#include "step.h"

/* Numbers below the smallest normal one count as nothing. Once the model is sure of itself, its gradients are full of
 * them, and a processor takes a hundred times as long over each: training gets four times slower as it goes on. */
static void flush_denormals(void) {
#ifdef __SSE__
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

static float *take(Engine *engine, size_t numbers) {
    size_t bytes = (numbers * sizeof(float) + 63) & ~(size_t)63;
    float *at = engine->memory ? (float *)(engine->memory + engine->used) : NULL;
    engine->used += bytes;
    return at;
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
            float most = score[0], right = score[target];
            for (int i = 1; i < vocabulary; i++) most = score[i] > most ? score[i] : most;
            float sum = exponentials(score, vocabulary, most);
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
        kept->share = take(engine, shares_of(step, kept));
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

/* NULL when there is no memory. No `sgemm`: products in bf16, where `ember_has_bf16`. `shape`: vocabulary, width, layers, heads, feed, context. */
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
                  const int *targets, const int *positions, int segments, const Segment *segment, float by, float dropout,
                  unsigned seed) {
    Step step = {engine, weights, gradients, count, segments, tokens, targets, positions, segment, 1 - dropout, seed};
    int layers = engine->shape.layers, width = engine->shape.width;
    Plan plan = {0};
    double total = -1;
    flush_denormals();
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
