// How the bits of the weights lie in memory once a tensor is loaded, and how to unpack them into bytes.
//
// Four neighbouring rows are interleaved. A "word vector" is 16 bytes: bytes 4r...4r+3 are four neighbouring weights of
// row r. A "group" is 32 weights of four rows, that is eight word vectors, number k with the weights 4k...4k+3. One
// 32-bit lane of the column, repeated four times, then meets four rows at once, and the sums of four rows come out as
// the four lanes of one vector: nothing has to be summed across lanes.
//
// A group of n-bit weights takes n vectors, exactly as much as in the GGUF file. bits<n>::pack() and load() are inverse.
#pragma once

#include "simd.h"

namespace ggml_wasm {

template <int n> struct bits;

// The same as a table, for the kernel that multiplies packed weights without relaxed SIMD (dot_vectors() in product.h). A
// byte is a row of fields, from its lowest bit up: where one starts, the word vector that it belongs to, and what its
// lowest bit counts for in the weight. A factor of 0 ends the row.
struct bit_field { int start, word, factor; };
static constexpr int MAX_FIELDS = 3;

// Vector j holds word vector 2j in its low nibbles and 2j+1 in its high nibbles.
template <> struct bits<4> {
    static constexpr bit_field fields[4][MAX_FIELDS] = {
        { { 0, 0, 1 }, { 4, 1, 1 } }, { { 0, 2, 1 }, { 4, 3, 1 } }, { { 0, 4, 1 }, { 4, 5, 1 } }, { { 0, 6, 1 }, { 4, 7, 1 } },
    };
    v128_t low4 = in_register(wasm_i8x16_const_splat(0x0F));

    static void pack(const v128_t w[8], uint8_t * out) {
        for (int j = 0; j < 4; ++j) {
            wasm_v128_store(out + 16 * j, wasm_v128_or(w[2 * j], wasm_i16x8_shl(w[2 * j + 1], 4)));
        }
    }

    template <int half> WASM_INLINE_MEMBER void load(const uint8_t * in, v128_t w[4]) const {
        WASM_UNROLL
        for (int j = 0; j < 2; ++j) {
            const v128_t v = wasm_v128_load(in + 32 * half + 16 * j);
            w[2 * j]     = wasm_v128_and(v, low4);
            w[2 * j + 1] = wasm_v128_and(wasm_u16x8_shr(v, 4), low4);
        }
    }
};

// Vectors 0...4 hold word vectors 0...4 in their low five bits. Their upper three bits hold word vectors 5, 6 and 7:
// 5 = vector 0 (3 bits) and vector 1 (2 bits), 6 = vector 2 and vector 3 likewise, 7 = vector 4 (3 bits) and the top
// bits of vectors 1 and 3. The usual split into nibbles and a vector of fifth bits needs half as many operations again.
template <> struct bits<5> {
    static constexpr bit_field fields[5][MAX_FIELDS] = {
        { { 0, 0, 1 }, { 5, 5, 1 } },
        { { 0, 1, 1 }, { 5, 5, 8 }, { 7, 7, 8 } },
        { { 0, 2, 1 }, { 5, 6, 1 } },
        { { 0, 3, 1 }, { 5, 6, 8 }, { 7, 7, 16 } },
        { { 0, 4, 1 }, { 5, 7, 1 } },
    };
    v128_t low5  = in_register(wasm_i8x16_const_splat(0x1F));
    v128_t low3  = in_register(wasm_i8x16_const_splat(0x07));
    v128_t bits34 = in_register(wasm_i8x16_const_splat(0x18));
    v128_t bit3  = in_register(wasm_i8x16_const_splat(0x08));
    v128_t bit4  = in_register(wasm_i8x16_const_splat(0x10));

    static void pack(const v128_t w[8], uint8_t * out) {
        const v128_t low3  = wasm_i8x16_const_splat(0x07), bits34 = wasm_i8x16_const_splat(0x18);
        const v128_t bit3  = wasm_i8x16_const_splat(0x08), bit4   = wasm_i8x16_const_splat(0x10);
        v128_t v[5];
        v[0] = wasm_v128_or(w[0], wasm_i16x8_shl(wasm_v128_and(w[5], low3), 5));
        v[1] = wasm_v128_or(w[1], wasm_i16x8_shl(wasm_v128_and(w[5], bits34), 2));
        v[2] = wasm_v128_or(w[2], wasm_i16x8_shl(wasm_v128_and(w[6], low3), 5));
        v[3] = wasm_v128_or(w[3], wasm_i16x8_shl(wasm_v128_and(w[6], bits34), 2));
        v[4] = wasm_v128_or(w[4], wasm_i16x8_shl(wasm_v128_and(w[7], low3), 5));
        v[1] = wasm_v128_or(v[1], wasm_i16x8_shl(wasm_v128_and(w[7], bit3), 4));
        v[3] = wasm_v128_or(v[3], wasm_i16x8_shl(wasm_v128_and(w[7], bit4), 3));
        for (int j = 0; j < 5; ++j) {
            wasm_v128_store(out + 16 * j, v[j]);
        }
    }

    template <int half> WASM_INLINE_MEMBER void load(const uint8_t * in, v128_t w[4]) const {
        if (half == 0) {
            WASM_UNROLL
            for (int j = 0; j < 4; ++j) {
                w[j] = wasm_v128_and(wasm_v128_load(in + 16 * j), low5);
            }
            return;
        }
        const v128_t v0 = wasm_v128_load(in), v1 = wasm_v128_load(in + 16), v2 = wasm_v128_load(in + 32);
        const v128_t v3 = wasm_v128_load(in + 48), v4 = wasm_v128_load(in + 64);
        w[0] = wasm_v128_and(v4, low5);
        w[1] = wasm_v128_or(wasm_v128_and(wasm_u16x8_shr(v0, 5), low3), wasm_v128_and(wasm_u16x8_shr(v1, 2), bits34));
        w[2] = wasm_v128_or(wasm_v128_and(wasm_u16x8_shr(v2, 5), low3), wasm_v128_and(wasm_u16x8_shr(v3, 2), bits34));
        w[3] = wasm_v128_or(wasm_v128_and(wasm_u16x8_shr(v4, 5), low3),
                            wasm_v128_or(wasm_v128_and(wasm_u16x8_shr(v1, 4), bit3),
                                         wasm_v128_and(wasm_u16x8_shr(v3, 3), bit4)));
    }
};

// Each half of a group (four word vectors) takes three vectors. They hold three word vectors in their low six bits and
// the fourth in their top two bits, highest bits first.
template <> struct bits<6> {
    static constexpr bit_field fields[6][MAX_FIELDS] = {
        { { 0, 0, 1 }, { 6, 3, 16 } }, { { 0, 1, 1 }, { 6, 3, 4 } }, { { 0, 2, 1 }, { 6, 3, 1 } },
        { { 0, 4, 1 }, { 6, 7, 16 } }, { { 0, 5, 1 }, { 6, 7, 4 } }, { { 0, 6, 1 }, { 6, 7, 1 } },
    };
    v128_t low6   = in_register(wasm_i8x16_const_splat(0x3F));
    v128_t bits45 = in_register(wasm_i8x16_const_splat(0x30));
    v128_t bits23 = in_register(wasm_i8x16_const_splat(0x0C));
    v128_t low2   = in_register(wasm_i8x16_const_splat(0x03));

    static void pack(const v128_t w[8], uint8_t * out) {
        const v128_t top2 = wasm_i8x16_const_splat((int8_t) 0xC0);
        for (int half = 0; half < 2; ++half, w += 4, out += 48) {
            wasm_v128_store(out,      wasm_v128_or(w[0], wasm_v128_and(wasm_i16x8_shl(w[3], 2), top2)));
            wasm_v128_store(out + 16, wasm_v128_or(w[1], wasm_v128_and(wasm_i16x8_shl(w[3], 4), top2)));
            wasm_v128_store(out + 32, wasm_v128_or(w[2], wasm_v128_and(wasm_i16x8_shl(w[3], 6), top2)));
        }
    }

    template <int half> WASM_INLINE_MEMBER void load(const uint8_t * in, v128_t w[4]) const {
        const v128_t v0 = wasm_v128_load(in + 48 * half), v1 = wasm_v128_load(in + 48 * half + 16);
        const v128_t v2 = wasm_v128_load(in + 48 * half + 32);
        w[0] = wasm_v128_and(v0, low6);
        w[1] = wasm_v128_and(v1, low6);
        w[2] = wasm_v128_and(v2, low6);
        w[3] = wasm_v128_or(wasm_v128_and(wasm_u16x8_shr(v0, 2), bits45),
                            wasm_v128_or(wasm_v128_and(wasm_u16x8_shr(v1, 4), bits23),
                                         wasm_v128_and(wasm_u16x8_shr(v2, 6), low2)));
    }
};

// Bytes as they are.
template <> struct bits<8> {
    static constexpr bit_field fields[8][MAX_FIELDS] = {
        { { 0, 0, 1 } }, { { 0, 1, 1 } }, { { 0, 2, 1 } }, { { 0, 3, 1 } }, { { 0, 4, 1 } }, { { 0, 5, 1 } }, { { 0, 6, 1 } }, { { 0, 7, 1 } },
    };
    static void pack(const v128_t w[8], uint8_t * out) {
        for (int j = 0; j < 8; ++j) {
            wasm_v128_store(out + 16 * j, w[j]);
        }
    }

    template <int half> WASM_INLINE_MEMBER void load(const uint8_t * in, v128_t w[4]) const {
        WASM_UNROLL
        for (int j = 0; j < 4; ++j) {
            w[j] = wasm_v128_load(in + 64 * half + 16 * j);
        }
    }
};

// How many vectors a wide column holds for one group: see activations.h.
template <int n> constexpr int wide_vectors() {
#ifdef __wasm_relaxed_simd__
    return 8;
#else
    int count = 0;
    for (const auto & byte : bits<n>::fields) {
        for (const bit_field & field : byte) { count += field.factor ? 2 : 0; }
    }
    return count;
#endif
}

}  // namespace ggml_wasm
