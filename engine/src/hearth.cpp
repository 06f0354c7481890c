// The C interface between llama.cpp and src/engines/llama/llama.ts: one model with one context and one sequence.
//
// A call that fails returns 0 or a negative number; `hearth_fault` then says why in llama.cpp's own words. Strings are
// UTF-8. Results that are pointers stay valid until the next call for the same model. Nothing here throws.

#include "llama.h"
#include "ggml-cpu.h"

#include <emscripten.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

// ---------------------------------------------------------------- what the page provides

// Copies `size` bytes of the model's file, from `offset` on, to `target`. Returns how many it copied; fewer is an error.
EM_JS(double, hearth_read_file, (void * target, double offset, double size), {
  return Module['hearth'].readFile(target >>> 0, offset, size);
});

// Whether the person pressed Stop. Called between the operations of a graph, some thousand times a second.
EM_JS(bool, hearth_is_stopped, (), {
  return Module['hearth'].isStopped();
});

// ---------------------------------------------------------------- what went wrong

static constexpr size_t max_fault_bytes = 4096;
static std::string fault;

static void collect_errors(ggml_log_level level, const char * text, void *) {
    static ggml_log_level last = GGML_LOG_LEVEL_NONE;
    if (level != GGML_LOG_LEVEL_CONT) last = level;
    if (last == GGML_LOG_LEVEL_ERROR && fault.size() < max_fault_bytes) fault += text;
}

// ---------------------------------------------------------------- the model's file as a FILE

struct model_file {
    double size;
    double position;
};

static ssize_t read_cookie(void * cookie, char * target, size_t size) {
    auto & file = *static_cast<model_file *>(cookie);
    const double wanted = std::min<double>(size, file.size - file.position);
    if (wanted <= 0) return 0;
    const double copied = hearth_read_file(target, file.position, wanted);
    if (copied < wanted) return -1;
    file.position += copied;
    return (ssize_t) copied;
}

static int seek_cookie(void * cookie, off_t * offset, int whence) {
    auto & file = *static_cast<model_file *>(cookie);
    const double base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? file.position : file.size;
    const double position = base + (double) *offset;
    if (position < 0) return -1;
    file.position = position;
    *offset = (off_t) position;
    return 0;
}

// ---------------------------------------------------------------- a loaded model

// `word`: begins a word. `letters`: begins one only after a sign. `divider`: ends what we compare.
enum class token_kind : char { unknown, sign, word, letters, divider };

struct session {
    llama_model * model = nullptr;
    llama_context * context = nullptr;
    const llama_vocab * vocab = nullptr;
    ggml_threadpool * pool = nullptr;
    llama_sampler * chain = nullptr;
    llama_sampler * grammar = nullptr;
    // How many tokens of a reply may repeat. 0 for any number.
    int loop_length = 0;
    std::vector<llama_token> reply;
    std::vector<token_kind> kinds;
    std::vector<llama_token> ends;
    std::vector<llama_token_data> candidates;
    std::vector<llama_token> tokens;
    std::vector<char> piece;
    std::vector<float> ranking;
};

static void free_samplers(session & s) {
    if (s.chain) llama_sampler_free(s.chain);
    if (s.grammar) llama_sampler_free(s.grammar);
    s.chain = s.grammar = nullptr;
}

// Starts the threads, once: a worker that has ended is free for another thread only after our own worker has heard of it.
static void start_threads(session & s, int max_threads) {
    if (max_threads > 1) {
        ggml_threadpool_params params = ggml_threadpool_params_default(max_threads);
        // A thread that polls for work takes the core from whoever else wants it.
        params.poll = 0;
        s.pool = ggml_threadpool_new(&params);
        llama_attach_threadpool(s.context, s.pool, s.pool);
    }
    llama_set_n_threads(s.context, max_threads, max_threads);
}

// Fills `candidates` with every token and its logit, after the last decoded token.
static llama_token_data_array read_candidates(session & s) {
    const float * logits = llama_get_logits_ith(s.context, -1);
    const int count = llama_vocab_n_tokens(s.vocab);
    s.candidates.resize(count);
    for (int token = 0; token < count; token++) s.candidates[token] = { token, logits[token], 0 };
    return { s.candidates.data(), (size_t) count, -1, false };
}

static bool fits(llama_sampler * grammar, llama_token token) {
    llama_token_data one = { token, 1, 0 };
    llama_token_data_array array = { &one, 1, -1, false };
    llama_sampler_apply(grammar, &array);
    return one.logit > -INFINITY;
}

// Runs `work` and turns every exception into a fault.
template <class Work> static auto guarded(Work work) -> decltype(work()) {
    try {
        return work();
    } catch (const std::bad_alloc &) {
        fault += "out of memory: bad_alloc\n";
    } catch (const std::exception & error) {
        fault += error.what();
    } catch (...) {
        fault += "unknown exception\n";
    }
    return {};
}

// How a context is used.
enum purpose : int { CHAT = 0, CHAT_SMALL_CACHE = 1, EMBEDDING = 2 };

static llama_context_params context_params(const llama_model * model, int context_tokens, int batch_tokens, int use) {
    llama_context_params params = llama_context_default_params();
    params.n_ctx = context_tokens;
    params.n_batch = params.n_ubatch = batch_tokens;
    params.n_threads = params.n_threads_batch = 1;
    params.no_perf = true;
    params.abort_callback = [](void *) { return hearth_is_stopped(); };
    if (use == EMBEDDING) {
        params.embeddings = true;
        char pooling[8];
        char architecture[64] = "";
        llama_model_meta_val_str(model, "general.architecture", architecture, sizeof architecture);
        const std::string key = std::string(architecture) + ".pooling_type";
        const bool is_made_for_it = llama_model_meta_val_str(model, key.c_str(), pooling, sizeof pooling) >= 0;
        if (!is_made_for_it) params.pooling_type = LLAMA_POOLING_TYPE_MEAN;
        return params;
    }
    // Only the logits of the last token are read; room for more would take hundreds of megabytes.
    params.n_outputs_max = 1;
    if (use == CHAT_SMALL_CACHE) {
        params.type_k = GGML_TYPE_Q8_0;
        params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_DISABLED;
    }
    return params;
}

extern "C" {

EMSCRIPTEN_KEEPALIVE const char * hearth_fault() {
    return fault.c_str();
}

EMSCRIPTEN_KEEPALIVE void hearth_free(session * s) {
    free_samplers(*s);
    if (s->context) llama_free(s->context);
    if (s->pool) ggml_threadpool_free(s->pool);
    if (s->model) llama_model_free(s->model);
    delete s;
}

static bool has_read_weights = false;

// Whether the last load got as far as its context: what fails there lacks memory, unless it says something else.
EMSCRIPTEN_KEEPALIVE bool hearth_has_read_weights() {
    return has_read_weights;
}

// Loads the file that `hearth_read_file` reads. Null where that fails.
EMSCRIPTEN_KEEPALIVE session * hearth_load(double file_bytes, int context_tokens, int batch_tokens, int max_threads, int use) {
    fault.clear();
    has_read_weights = false;
    llama_log_set(collect_errors, nullptr);
    session * s = new session();
    const bool is_loaded = guarded([&] {
        model_file cookie = { file_bytes, 0 };
        FILE * file = fopencookie(&cookie, "rb", { read_cookie, nullptr, seek_cookie, nullptr });
        if (!file) return false;
        llama_model_params params = llama_model_default_params();
        params.load_mode = LLAMA_LOAD_MODE_NONE;
        params.n_gpu_layers = 0;
        // Our kernels want their weights packed: engine/kernels/matrix-buffer.cpp.
        params.use_extra_bufts = true;
        s->model = llama_model_load_from_file_ptr(file, params);
        fclose(file);
        if (!s->model) return false;
        has_read_weights = true;
        s->vocab = llama_model_get_vocab(s->model);
        const int trained = llama_model_n_ctx_train(s->model);
        const int wanted = trained > 0 ? std::min(context_tokens, trained) : context_tokens;
        s->context = llama_init_from_model(s->model, context_params(s->model, wanted, batch_tokens, use));
        if (!s->context) return false;
        start_threads(*s, max_threads);
        return true;
    });
    if (is_loaded) return s;
    hearth_free(s);
    return nullptr;
}

// On how many threads it writes single tokens and reads batches of them; at most as many as it was loaded with.
EMSCRIPTEN_KEEPALIVE void hearth_set_threads(session * s, int writing, int reading) {
    llama_set_n_threads(s->context, writing, reading);
}

EMSCRIPTEN_KEEPALIVE int hearth_context_tokens(session * s) {
    return llama_n_ctx(s->context);
}

EMSCRIPTEN_KEEPALIVE int hearth_vocabulary_size(session * s) {
    return llama_vocab_n_tokens(s->vocab);
}

// Splits a text into tokens and returns their number; they are at `hearth_tokens`. Markers of the template become the
// tokens they name, so the text must have been neutralised. `adds_begin`: with the tokens the model begins a text with.
EMSCRIPTEN_KEEPALIVE int hearth_tokenize(session * s, const char * text, int bytes, bool adds_begin) {
    fault.clear();
    return guarded([&] {
        s->tokens.resize(bytes + 8);
        int count = llama_tokenize(s->vocab, text, bytes, s->tokens.data(), s->tokens.size(), adds_begin, true);
        if (count < 0) {
            s->tokens.resize(-count);
            count = llama_tokenize(s->vocab, text, bytes, s->tokens.data(), s->tokens.size(), adds_begin, true);
        }
        return count;
    });
}

EMSCRIPTEN_KEEPALIVE const llama_token * hearth_tokens(session * s) {
    return s->tokens.data();
}

// The bytes of a token, none for a marker. Returns their number; they are at `hearth_piece`.
EMSCRIPTEN_KEEPALIVE int hearth_read_piece(session * s, llama_token token) {
    s->piece.resize(64);
    int bytes = llama_token_to_piece(s->vocab, token, s->piece.data(), s->piece.size(), 0, false);
    if (bytes < 0) {
        s->piece.resize(-bytes);
        bytes = llama_token_to_piece(s->vocab, token, s->piece.data(), s->piece.size(), 0, false);
    }
    return bytes;
}

EMSCRIPTEN_KEEPALIVE const char * hearth_piece(session * s) {
    return s->piece.data();
}

EMSCRIPTEN_KEEPALIVE bool hearth_ends_reply(session * s, llama_token token) {
    return llama_vocab_is_eog(s->vocab, token) || std::find(s->ends.begin(), s->ends.end(), token) != s->ends.end();
}

// Makes a reply end at this token, too.
EMSCRIPTEN_KEEPALIVE void hearth_add_end(session * s, llama_token token) {
    s->ends.push_back(token);
}

// Reads tokens after those in the cache, at most a batch. 0: done; 1: no room; 2: stopped; negative: failed. After
// anything but 0 the caller cuts the cache back to what it had.
EMSCRIPTEN_KEEPALIVE int hearth_decode(session * s, llama_token * tokens, int count) {
    fault.clear();
    int result = -1;
    guarded([&] {
        result = llama_decode(s->context, llama_batch_get_one(tokens, count));
        return 0;
    });
    return result;
}

// Cuts the cache to its first tokens. False where the model cannot do that (its state is no list of tokens): the cache
// is empty then.
EMSCRIPTEN_KEEPALIVE bool hearth_keep(session * s, int count) {
    llama_memory_t memory = llama_get_memory(s->context);
    if (!memory) return count == 0;
    if (count > 0 && llama_memory_seq_rm(memory, 0, count, -1)) return true;
    llama_memory_clear(memory, true);
    return count == 0;
}

// Longer repetitions count as this long, in tokens.
static const int max_loop_length = 48;
static const size_t min_loop_words = 4;
// Natural logarithm of the most that a token may lose. A model that is sure, for example of a long name, still says it again.
static const float max_loop_penalty = 16;

// How many of the bytes from `at` on make a letter of another script than Latin. 0 for a sign, or for a part of a letter.
static int wide_letter_bytes(std::string_view piece, size_t at) {
    const unsigned char first = piece[at];
    const size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
    if (bytes == 0 || at + bytes > piece.size()) return 0;
    const unsigned char second = piece[at + 1];
    // Punctuation, drawn lines and full-width signs.
    const bool is_sign = first == 0xe2 || (first == 0xe3 && second == 0x80) || (first == 0xef && (second == 0xbc || second == 0xbd));
    return is_sign ? 0 : bytes;
}

static token_kind kind_of(session & s, llama_token token) {
    s.kinds.resize(llama_vocab_n_tokens(s.vocab));
    token_kind & kind = s.kinds[token];
    if (kind != token_kind::unknown) return kind;
    const int bytes = hearth_read_piece(&s, token);
    const std::string_view piece(s.piece.data(), bytes);
    kind = token_kind::sign;
    // Markers have no text.
    if (piece.empty() || piece.find_first_of("\n:\"*|()[]{}<>=;/\\_#$&@") != std::string_view::npos) return kind = token_kind::divider;
    const size_t first = piece[0] == ' ' ? 1 : 0;
    if (first < piece.size() && (wide_letter_bytes(piece, first) > 0 || (first == 1 && isalpha((unsigned char) piece[1])))) return kind = token_kind::word;
    if (std::any_of(piece.begin(), piece.end(), [](unsigned char byte) { return isalpha(byte); })) kind = token_kind::letters;
    return kind;
}

// Makes words less likely that would continue a repetition, by more for each repeated token (DRY). We compare with this reply only, so a model may quote
// its prompt. Unlike llama.cpp's own DRY sampler, we leave alone what has to repeat: numbers, code, markup, addresses, and rows of few different words.
static void weaken_loops(session & s) {
    const int count = s.reply.size();
    if (s.loop_length == 0) return;
    std::unordered_map<llama_token, int> repeated;
    for (int next = s.loop_length; next < count; next++) {
        // In the middle of a word or a number, a model has no choice.
        const token_kind kind = kind_of(s, s.reply[next]);
        const bool is_after_sign = kind_of(s, s.reply[next - 1]) == token_kind::sign;
        if (kind != token_kind::word && !(kind == token_kind::letters && is_after_sign)) continue;
        std::set<llama_token> words;
        int length = 0;
        while (length < next && length < max_loop_length) {
            const llama_token token = s.reply[count - 1 - length];
            if (token != s.reply[next - 1 - length] || kind_of(s, token) == token_kind::divider) break;
            if (kind_of(s, token) != token_kind::sign) words.insert(token);
            length++;
        }
        if (length < s.loop_length || words.size() < min_loop_words) continue;
        repeated[s.reply[next]] = std::max(repeated[s.reply[next]], length);
    }
    for (const auto & [token, length] : repeated)
        s.candidates[token].logit -= std::min(max_loop_penalty, 0.8f * powf(1.75f, length - s.loop_length));
}

// Begins a reply: how its tokens are chosen. An empty grammar: freely. `loop_length`: how many tokens may repeat before repeating more becomes less
// likely, 0 for any number. False where the grammar cannot be read.
EMSCRIPTEN_KEEPALIVE bool hearth_begin_reply(session * s, float temperature, int top_k, float top_p, float min_p, int loop_length, unsigned seed, const char * grammar) {
    fault.clear();
    return guarded([&] {
        free_samplers(*s);
        s->loop_length = loop_length;
        s->reply.clear();
        s->chain = llama_sampler_chain_init(llama_sampler_chain_default_params());
        if (temperature <= 0) {
            llama_sampler_chain_add(s->chain, llama_sampler_init_greedy());
        } else {
            if (top_k > 0) llama_sampler_chain_add(s->chain, llama_sampler_init_top_k(top_k));
            if (top_p < 1) llama_sampler_chain_add(s->chain, llama_sampler_init_top_p(top_p, 1));
            if (min_p > 0) llama_sampler_chain_add(s->chain, llama_sampler_init_min_p(min_p, 1));
            llama_sampler_chain_add(s->chain, llama_sampler_init_temp(temperature));
            llama_sampler_chain_add(s->chain, llama_sampler_init_dist(seed));
        }
        if (!*grammar) return true;
        s->grammar = llama_sampler_init_grammar(s->vocab, grammar, "root");
        return s->grammar != nullptr;
    });
}

// Chooses the next token; -1 where the grammar allows none, -2 where the model computed no numbers.
EMSCRIPTEN_KEEPALIVE llama_token hearth_sample(session * s) {
    fault.clear();
    llama_token token = -1;
    guarded([&] {
        llama_token_data_array candidates = read_candidates(*s);
        weaken_loops(*s);
        llama_sampler_apply(s->chain, &candidates);
        if (candidates.selected < 0 || !std::isfinite(candidates.data[candidates.selected].logit)) {
            token = -2;
            return 0;
        }
        token = candidates.data[candidates.selected].id;
        // To ask the grammar about every token takes long, and the one that the model wants nearly always fits.
        if (s->grammar && !fits(s->grammar, token)) {
            candidates = read_candidates(*s);
            weaken_loops(*s);
            llama_sampler_apply(s->grammar, &candidates);
            llama_sampler_apply(s->chain, &candidates);
            const llama_token_data & chosen = candidates.data[candidates.selected];
            token = chosen.logit > -INFINITY ? chosen.id : -1;
        }
        if (token >= 0) {
            if (s->grammar) llama_sampler_accept(s->grammar, token);
            llama_sampler_accept(s->chain, token);
            s->reply.push_back(token);
        }
        return 0;
    });
    return token;
}

// Ranks the next tokens by probability, for a caller that chooses itself: pairs of a token and its probability from 0 to
// 1, the likeliest first, both as floats. `count` at most the size of the vocabulary.
EMSCRIPTEN_KEEPALIVE const float * hearth_rank(session * s, int count) {
    llama_token_data_array candidates = read_candidates(*s);
    const auto likelier = [](const llama_token_data & a, const llama_token_data & b) { return a.logit > b.logit; };
    std::partial_sort(s->candidates.begin(), s->candidates.begin() + count, s->candidates.end(), likelier);
    const float highest = candidates.data[0].logit;
    float sum = 0;
    for (const auto & candidate : s->candidates) sum += expf(candidate.logit - highest);
    s->ranking.resize(2 * count);
    for (int at = 0; at < count; at++) {
        s->ranking[2 * at] = s->candidates[at].id;
        s->ranking[2 * at + 1] = expf(s->candidates[at].logit - highest) / sum;
    }
    return s->ranking.data();
}

// The vector of a text, whose length is `hearth_vector_size`. Null where it fails.
EMSCRIPTEN_KEEPALIVE const float * hearth_embed(session * s, llama_token * tokens, int count) {
    fault.clear();
    return guarded([&]() -> const float * {
        llama_memory_t memory = llama_get_memory(s->context);
        if (memory) llama_memory_clear(memory, true);
        const llama_batch batch = llama_batch_get_one(tokens, count);
        const bool is_encoder = llama_model_has_encoder(s->model) || !memory;
        if (is_encoder ? llama_encode(s->context, batch) : llama_decode(s->context, batch)) return nullptr;
        const float * pooled = llama_get_embeddings_seq(s->context, 0);
        return pooled ? pooled : llama_get_embeddings_ith(s->context, -1);
    });
}

EMSCRIPTEN_KEEPALIVE int hearth_vector_size(session * s) {
    return llama_model_n_embd_out(s->model);
}

// The token before and after a text, -1 for none.
EMSCRIPTEN_KEEPALIVE llama_token hearth_begin_token(session * s) {
    return llama_vocab_get_add_bos(s->vocab) ? llama_vocab_bos(s->vocab) : -1;
}

// Bytes of the state of the cache.
EMSCRIPTEN_KEEPALIVE size_t hearth_state_size(session * s) {
    return llama_state_seq_get_size(s->context, 0);
}

// Copies the state of the cache to `target`; returns the bytes, 0 where that fails.
EMSCRIPTEN_KEEPALIVE size_t hearth_save_state(session * s, uint8_t * target, size_t size) {
    return guarded([&] { return llama_state_seq_get_data(s->context, target, size, 0); });
}

// Makes the cache what was saved. False where it does not fit this model; the cache is empty then.
EMSCRIPTEN_KEEPALIVE bool hearth_restore_state(session * s, const uint8_t * source, size_t size) {
    fault.clear();
    llama_memory_clear(llama_get_memory(s->context), true);
    const bool is_restored = guarded([&] { return llama_state_seq_set_data(s->context, source, size, 0) == size; });
    if (!is_restored) llama_memory_clear(llama_get_memory(s->context), true);
    return is_restored;
}

}
