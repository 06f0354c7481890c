/* Loss and gradients of Ember's model on one core: the same arithmetic as model.py, in a few passes over the memory.
 *
 * Rows of different chats lie one behind another without padding. A segment is one chat, or the system text that several
 * chats share as their prefix: a position sees its prefix and, in its own segment, itself and what is before it. The last
 * block computes its queries and its feed-forward at the learnt positions only: nothing reads the others.
 * Matrix products are BLAS's (row-major `cblas_sgemm`, handed in) or, where none is handed in, those of product.c. Nothing here keeps state from one call to the next.
 */

#ifndef EMBER_STEP
#define EMBER_STEP

#include <stddef.h>

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
    Sgemm sgemm; /* NULL: product.c */
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
    float keep; /* share of the numbers that dropout leaves; 1: no dropout */
    unsigned seed;
} Step;

static inline int token_of(const Kept *kept, int row) { return kept->chosen ? kept->chosen[row] : row; }

/* One tile of attention: some rows of one segment, all its heads. */
typedef struct {
    int first, rows, own, prefix_start, start, prefix, wide;
    size_t share; /* where its shares begin, [heads, rows, wide] */
} Tile;

/* Buffers that live for a chunk of rows. */
typedef struct {
    float *narrow, *gates, *feed, *feed_back;
} Desk;

/* Buffers of the way back: all [tokens, width] but key_value, which is twice as wide. */
typedef struct {
    float *seen, *query, *key_value, *normed, *scratch;
} BackDesk;

/* rows.c */
void multiply(const Engine *engine, int flip_a, int flip_b, int m, int n, int k, float by, const float *a, int lda, const float *b,
              int ldb, float keep, float *c, int ldc);
float exponentials(float *x, int count, float most);
float scale_of(const float *x, int width, float epsilon);
void apply_norm(const float *x, float scale, const float *weight, int width, float *out);
void return_norm(const float *x, float scale, const float *weight, const float *back, int width, float *to, float *gain);
void rotate(const Engine *engine, float *x, int position, float turn);
void open_gates(const float *gate_up, int rows, int feed, float *out);
void drop_out(const Step *step, float *x, int first, int rows, int width, int place);
void return_gates(const float *gate_up, const float *back, int rows, int feed, float *out);

/* product.c */
int ember_has_bf16(void);
void multiply_bf16(int flip_a, int flip_b, int m, int n, int k, float by, const float *a, int lda, const float *b, int ldb,
                   float keep, float *c, int ldc);

/* attention.c */
size_t shares_of(const Step *step, const Kept *kept);
void attend(const Step *step, const Kept *kept);
void return_attention(const Step *step, const Kept *kept, const BackDesk *way);

/* layer.c */
void go_through(const Step *step, int layer, const Kept *kept, const Desk *desk, float *out);
void go_back(const Step *step, int layer, const Kept *kept, const Desk *desk, const BackDesk *way, float *back, float *to);

#endif
