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

// Without relaxed SIMD the kernel for one column works on 16-bit lanes: a group is then 16 weights in each lane, number
// 2w in the lower byte of word vector w and 2w+1 in the upper. A table says where they lie: for each vector its fields,
// from bit 0 to bit 15. A field is `length` bits of `weight`, from its bit `place` on; a length of 0 means none.
struct bit_field { int start, length, weight, place; };
static constexpr int MAX_FIELDS = 4;

// Vector j holds word vector 2j in its low nibbles and 2j+1 in its high nibbles.
template <> struct bits<4> {
    static constexpr bit_field fields[4][MAX_FIELDS] = {
        { { 0, 4, 0, 0 },  { 4, 4, 2, 0 },  { 8, 4, 1, 0 },  { 12, 4, 3, 0 } },
        { { 0, 4, 4, 0 },  { 4, 4, 6, 0 },  { 8, 4, 5, 0 },  { 12, 4, 7, 0 } },
        { { 0, 4, 8, 0 },  { 4, 4, 10, 0 }, { 8, 4, 9, 0 },  { 12, 4, 11, 0 } },
        { { 0, 4, 12, 0 }, { 4, 4, 14, 0 }, { 8, 4, 13, 0 }, { 12, 4, 15, 0 } },
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

#ifdef __wasm_relaxed_simd__

// Vectors 0...4 hold word vectors 0...4 in their low five bits. Their upper three bits hold word vectors 5, 6 and 7:
// 5 = vector 0 (3 bits) and vector 1 (2 bits), 6 = vector 2 and vector 3 likewise, 7 = vector 4 (3 bits) and the top
// bits of vectors 1 and 3. The usual split into nibbles and a vector of fifth bits needs half as many operations again.
template <> struct bits<5> {
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

#else

// Packs and unpacks as a table says.
template <int n> struct bits_by_table {
    static void pack(const v128_t w[8], uint8_t * out) {
        for (const auto & fields : bits<n>::fields) {
            v128_t v = wasm_i16x8_const_splat(0);
            for (const bit_field & field : fields) {
                const v128_t bits = wasm_u16x8_shr(w[field.weight / 2], field.weight % 2 * 8 + field.place);
                v = wasm_v128_or(v, wasm_i16x8_shl(wasm_v128_and(bits, mask(field)), field.start));
            }
            wasm_v128_store(out, v);
            out += 16;
        }
    }

    template <int half> WASM_INLINE_MEMBER void load(const uint8_t * in, v128_t w[4]) const {
        WASM_UNROLL
        for (int k = 0; k < 4; ++k) { w[k] = wasm_i16x8_const_splat(0); }
        WASM_UNROLL
        for (int j = 0; j < n; ++j) {
            const v128_t v = wasm_v128_load(in + 16 * j);
            WASM_UNROLL
            for (int k = 0; k < MAX_FIELDS; ++k) {
                const bit_field field = bits<n>::fields[j][k];
                if (field.weight / 8 != half) { continue; }
                const v128_t bits = wasm_v128_and(wasm_u16x8_shr(v, field.start), mask(field));
                v128_t & word = w[field.weight / 2 % 4];
                word = wasm_v128_or(word, wasm_i16x8_shl(bits, field.weight % 2 * 8 + field.place));
            }
        }
    }

    WASM_INLINE v128_t mask(bit_field field) { return wasm_i16x8_splat((int16_t) ((1 << field.length) - 1)); }
};

// Each vector holds three weights and one bit of the last.
template <> struct bits<5> : bits_by_table<5> {
    static constexpr bit_field fields[5][MAX_FIELDS] = {
        { { 0, 5, 0, 0 },  { 5, 5, 1, 0 },  { 10, 5, 2, 0 },  { 15, 1, 15, 0 } },
        { { 0, 5, 3, 0 },  { 5, 5, 4, 0 },  { 10, 5, 5, 0 },  { 15, 1, 15, 1 } },
        { { 0, 5, 6, 0 },  { 5, 5, 7, 0 },  { 10, 5, 8, 0 },  { 15, 1, 15, 2 } },
        { { 0, 5, 9, 0 },  { 5, 5, 10, 0 }, { 10, 5, 11, 0 }, { 15, 1, 15, 3 } },
        { { 0, 5, 12, 0 }, { 5, 5, 13, 0 }, { 10, 5, 14, 0 }, { 15, 1, 15, 4 } },
    };
};

// Each half of a group takes three vectors. Each vector holds two weights and four bits of the last two.
template <> struct bits<6> : bits_by_table<6> {
    static constexpr bit_field fields[6][MAX_FIELDS] = {
        { { 0, 6, 0, 0 },  { 6, 6, 1, 0 },  { 12, 4, 6, 0 } },
        { { 0, 6, 2, 0 },  { 6, 6, 3, 0 },  { 12, 4, 7, 0 } },
        { { 0, 6, 4, 0 },  { 6, 6, 5, 0 },  { 12, 2, 6, 4 }, { 14, 2, 7, 4 } },
        { { 0, 6, 8, 0 },  { 6, 6, 9, 0 },  { 12, 4, 14, 0 } },
        { { 0, 6, 10, 0 }, { 6, 6, 11, 0 }, { 12, 4, 15, 0 } },
        { { 0, 6, 12, 0 }, { 6, 6, 13, 0 }, { 12, 2, 14, 4 }, { 14, 2, 15, 4 } },
    };
};

#endif

// Bytes as they are.
template <> struct bits<8> {
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

// The width of the weights that meet a wide column (activations.h). With relaxed SIMD they are unpacked into bytes first.
#ifdef __wasm_relaxed_simd__
template <int> static constexpr int wide_width = 8;
#else
template <int n> static constexpr int wide_width = n;
#endif

// How many vectors a wide column holds for one group.
template <int width> constexpr int wide_vectors() {
    if constexpr (width == 8) { return 8; }
    else {
        int count = 0;
        for (const auto & fields : bits<width>::fields) {
            for (const bit_field & field : fields) { count += field.length != 0; }
        }
        return count;
    }
}

}  // namespace ggml_wasm
