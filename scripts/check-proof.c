/* check-proof: an independent checker of PODS certificates of version 4.
 *
 *   check-proof [-m MIB] FILE      ("-" reads standard input)
 *
 * Prints one line. Exit status: 0 the claim is proven, 1 it is not, 2 the file could not be judged (no header that can be
 * read, wrong usage, a read error, or more than MIB mebibytes of memory would be needed).
 *
 * Written from RULES.md, FORMATS.md and LEMMAS.md alone; it shares no code with the program that writes certificates.
 * All input is read as a stream, so nothing is ever allocated because a length in the file says so. */
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef unsigned char u8;

enum { MAXK = 26, MAXP = 64, HEADER_MAX = 1 << 20 };
enum { STEP, COUNTING, SHOWN, LATER, MIRROR };
static const char *const dir_name[2][8] = { { "n", "ne", "e", "se", "s", "sw", "w", "nw" },
                                            { "N", "NE", "E", "SE", "S", "SW", "W", "NW" } };
static const int dir_col[8] = { 0, 1, 1, 1, 0, -1, -1, -1 }, dir_row[8] = { 1, 1, 0, -1, -1, -1, 0, 1 };
#define OPP(d) ((d) ^ 4)                                   /* the opposite direction */
#define DIRS(d) for (int d = 0; d < 8; d++)
#define SIDES(s) for (int s = 0; s < 2; s++)
#define KINDS(k) for (int k = 0; k < kinds; k++)
#define POINTS(p, set) for (u64 b_ = (set); b_ && (p = lowest(b_), 1); b_ &= b_ - 1)
#define BIT(p) ((u64)1 << (p))

static u64 lines, sections;                                /* verdicts so far, with the one that is read; sections begun */
static int walking, walking_verdict;                       /* a section is walked; a verdict of it is read */
static void die(int status, const char *format, ...) {
    va_list ap;
    FILE *to = status == 1 ? stdout : stderr;
    fprintf(to, status == 1 ? "does not hold: " : "check-proof: ");
    if (status == 1 && walking) fprintf(to, "section %llu", (unsigned long long)sections);
    if (status == 1 && walking && walking_verdict) fprintf(to, ", verdict %llu", (unsigned long long)lines);
    if (status == 1 && walking) fprintf(to, ": ");
    va_start(ap, format), vfprintf(to, format, ap), va_end(ap);
    fputc('\n', to);
    exit(status);
}

/* ---- memory, bounded ------------------------------------------------------------------------------------------------ */
static u64 memory_limit = (u64)4096 << 20, memory_used;
static void *need(u64 bytes) {
    void *p;
    if (bytes > memory_limit || memory_used > memory_limit - bytes || bytes > SIZE_MAX)
        die(2, "the check needs more than %llu MiB (option -m)", (unsigned long long)(memory_limit >> 20));
    p = calloc(1, (size_t)bytes);
    if (!p) die(2, "out of memory");
    memory_used += bytes;
    return p;
}

/* ---- SHA-256 (FIPS 180-4) ------------------------------------------------------------------------------------------- */
static const u32 sha_k[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be,
    0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa,
    0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85,
    0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3,
    0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f,
    0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2 };

typedef struct { u32 h[8]; u64 length; u8 block[64]; } Sha;

static const Sha sha_begin = { { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 },
                               0, { 0 } };

static u32 ror(u32 x, int n) { return x >> n | x << (32 - n); }
static void sha_block(Sha *s) {
    u32 w[64], v[8];
    for (int i = 0; i < 16; i++)
        w[i] = (u32)s->block[4 * i] << 24 | (u32)s->block[4 * i + 1] << 16 | (u32)s->block[4 * i + 2] << 8 | s->block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        u32 a = w[i - 15], b = w[i - 2];
        w[i] = w[i - 16] + (ror(a, 7) ^ ror(a, 18) ^ a >> 3) + w[i - 7] + (ror(b, 17) ^ ror(b, 19) ^ b >> 10);
    }
    memcpy(v, s->h, sizeof v);
    for (int i = 0; i < 64; i++) {
        u32 e = v[4], a = v[0];
        u32 t1 = v[7] + (ror(e, 6) ^ ror(e, 11) ^ ror(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + sha_k[i] + w[i];
        u32 t2 = (ror(a, 2) ^ ror(a, 13) ^ ror(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
        for (int j = 7; j > 0; j--) v[j] = v[j - 1];
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int j = 0; j < 8; j++) s->h[j] += v[j];
}

static void sha_add(Sha *s, const u8 *p, size_t n) {
    for (size_t i = 0; i < n; i++) {
        s->block[s->length++ & 63] = p[i];
        if (!(s->length & 63)) sha_block(s);
    }
}
static void sha_end(Sha *s, u8 out[32]) {
    u64 bits = s->length * 8;
    u8 pad[72] = { 0x80 };
    size_t n = 1 + (119 - (s->length & 63)) % 64;
    for (int i = 0; i < 8; i++) pad[n + (size_t)i] = (u8)(bits >> (56 - 8 * i));
    sha_add(s, pad, n + 8);
    for (int i = 0; i < 32; i++) out[i] = (u8)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}

/* ---- input: a stream of bytes, each hashed as soon as it is behind us ----------------------------------------------- */
static FILE *in;
static u8 in_buf[1 << 16];
static size_t in_pos, in_len, in_hashed;
static Sha in_sha;
static int next_byte(void) {                               /* -1 at the end of the input */
    if (in_pos == in_len) {
        sha_add(&in_sha, in_buf + in_hashed, in_len - in_hashed);
        in_pos = in_hashed = 0;
        in_len = fread(in_buf, 1, sizeof in_buf, in);
        if (!in_len) {
            if (ferror(in)) die(2, "cannot read the input: %s", strerror(errno));
            return -1;
        }
    }
    return in_buf[in_pos++];
}

/* ---- the game ------------------------------------------------------------------------------------------------------- */
static int kinds, cols, rows, points;                      /* sizes */
static char kind_id[MAXK];
static int kind_count[MAXK], kind_bipod[MAXK];
static unsigned kind_any[2][MAXK], kind_long[2][MAXK];     /* bits of directions, as the legs lie (R4: Black's turned by 180°) */
static u8 kind_legs[MAXK], kind_is_long[MAXK][8], kind_dirs[2][MAXK][8];     /* the same as lists */
static int through, liberty, empty_wins, opening_bipod;    /* options */
static int X, Y;                                           /* the winner, the loser: 0 White, 1 Black */
static int claims_win;                                     /* the side to move wins the position of the claim */
static const u8 *position;                                 /* its text */

/* A point is a bit. Where the grid has at most 64 places, the bit of a point is its place (row by row from the bottom), and a
 * step is a rotation; else (`sparse`) it is the number of the point. Both keep the order of the header. */
static int sparse;
#ifndef FORCE_SPARSE
#define FORCE_SPARSE 0                                     /* 1: for testing */
#endif
static int bit_of[26][26];                                 /* [row][column]: bit, or -1 for a hole */
static int col_of[MAXP], row_of[MAXP];                     /* by bit */
static u64 board;                                          /* all points */
static u64 conn[8];                                        /* the points that have a line in this direction (R1) */
static int turn_by[8];                                     /* rotation to the left, by direction */
static signed char neighbour[8][MAXP];                     /* for sparse boards and for setting up */
static int symmetric;                                      /* the board is as the lemma of the mirror wants it */
static int image[MAXP];

#ifdef __GNUC__
#define bits_in(b) __builtin_popcountll(b)
#define lowest(b) __builtin_ctzll(b)                       /* number of the lowest bit of b, which is not 0 */
#else
static int bits_in(u64 b) {
    int n = 0;
    for (; b; b &= b - 1) n++;
    return n;
}
static int lowest(u64 b) { return bits_in((b & -b) - 1); }
#endif

/* The connected neighbours in direction d of the points of s. */
static inline u64 step(int d, u64 s) {
    s &= conn[d];
    if (sparse) {
        u64 r = 0;
        for (; s; s &= s - 1) r |= BIT(neighbour[d][lowest(s)]);
        return r;
    }
    return s << turn_by[d] | s >> (-turn_by[d] & 63);
}

/* The points reached from those of s straight on in direction d, if the way may go on from the points of `pass` only. */
static inline u64 slide(int d, u64 s, u64 pass) {
    u64 r = 0;
    for (u64 f = step(d, s); f; f = step(d, f & pass)) r |= f;
    return r;
}

typedef struct {
    u64 occ[2];                                            /* points held, by side */
    u64 any[2][8], lng[2][8];                              /* of these, the pods that have a leg, a long leg in a direction */
    u8 hand[2][MAXK];
    int in_hand[2];                                        /* sums of the hands */
    int side, open, level;                                 /* side to move; the opening clause binds; number of held points */
} Situation;

static Situation S;                                        /* the situation that the walk has come to */
static void put(int s, int p, unsigned any, unsigned lng) {
    S.occ[s] |= BIT(p);
    DIRS(d) S.any[s][d] |= (u64)(any >> d & 1) << p, S.lng[s][d] |= (u64)(lng >> d & 1) << p;
    S.level++;
}
static void lift(int s, int p) {
    S.occ[s] &= ~BIT(p);
    DIRS(d) S.any[s][d] &= ~BIT(p), S.lng[s][d] &= ~BIT(p);
    S.level--;
}

/* What the pods on the board mean for placements of side s now; `foe` is the other side. */
typedef struct {
    u64 touch[8];                                          /* points from which the neighbour in d is a foe's pod */
    u64 strike[8];                                         /* points from which a long leg in d reaches a foe's pod */
    u64 close;                                             /* points next to a foe's pod, in the direction of one of its legs */
    u64 beam[8];                                           /* points that a long leg in d, of a foe's pod, reaches */
    u64 hit;                                               /* points that a foe's pod attacks */
} Sight;

static void see(Sight *v, int s, u64 empty) {
    u64 pass = through ? board : empty;                    /* R5: a run ends with the first held point, or goes on behind it */
    int foe = 1 - s;
    v->close = v->hit = 0;
    DIRS(d) {
        v->touch[d] = step(OPP(d), S.occ[foe]);
        v->strike[d] = slide(OPP(d), S.occ[foe], pass);
        v->close |= step(d, S.any[foe][d]);
        v->beam[d] = S.lng[foe][d] ? slide(d, S.lng[foe][d], pass) : 0;
        v->hit |= v->beam[d];
    }
    v->hit |= v->close;
}

static void see_liberties(u64 lib[8], u64 to) {            /* points whose connected neighbour in d is in `to` */
    DIRS(d) lib[d] = step(OPP(d), to);
}

/* The union, over the legs of a kind of side s, of the set for a short or for a long leg in the leg's direction. */
static inline u64 over_legs(int s, int k, const u64 for_short[8], const u64 for_long[8]) {
    u64 r = 0;
    for (int i = 0; i < kind_legs[k]; i++) r |= (kind_is_long[k][i] ? for_long : for_short)[kind_dirs[s][k][i]];
    return r;
}

/* The points on which side s may place a kind now, turn and opening aside (R10 to R13). */
static u64 legal_points(const Sight *v, const u64 lib[8], u64 empty, int s, int k) {
    return empty & ~(v->hit | over_legs(s, k, v->touch, v->strike)) & (liberty ? over_legs(s, k, lib, lib) : board);
}

/* ---- the room and the living pairs ---------------------------------------------------------------------------------- */
/* Lemma "living pairs and the room": a pair is dead in R if it lacks a liberty (which no later placement gives back) or if a leg
 * leads from or to a foe's pod over points that are empty and outside R. If nothing is ever placed outside R, those points stay
 * empty, the attack lasts and the pair is never legal (R11, R12); so nothing is ever placed outside the next R either. Hence only
 * living pairs are ever legal from here on, and a later room is smaller by at least the point of the new pod. */
typedef struct { u64 live[2][MAXK], of[2], room; } Room;   /* points of living pairs: by kind, of a side, of both */

static void find_room(Room *r, Sight *v[2], const u64 lib[8], u64 empty) {
    static const u64 nothing[8];
    u64 before = through ? 0 : empty;                      /* with R all empty points, legs lead next door only, unless through */
    SIDES(s) {
        r->of[s] = 0;
        KINDS(k) {
            u64 near = over_legs(s, k, v[s]->touch, v[s]->touch), free = liberty ? over_legs(s, k, lib, lib) : board;
            r->of[s] |= r->live[s][k] = S.hand[s][k] ? empty & ~(v[s]->close | near) & free : 0;
        }
    }
    r->room = r->of[0] | r->of[1];
    while (r->room != before) {
        u64 pass = through ? board : empty & ~r->room;
        before = r->room;
        SIDES(s) {
            u64 beams = 0, strike[8];
            if (!r->of[s]) continue;
            DIRS(d) {
                if (v[s]->beam[d] & r->of[s]) beams |= slide(d, S.lng[1 - s][d], pass);
                strike[d] = v[s]->strike[d] & r->of[s] ? slide(OPP(d), S.occ[1 - s], pass) : 0;
            }
            r->of[s] = 0;
            KINDS(k) if (r->live[s][k]) r->of[s] |= r->live[s][k] &= ~(beams | over_legs(s, k, nothing, strike));
        }
        r->room = r->of[0] | r->of[1];
    }
}

/* ---- essences, known again by a hash with a secret key --------------------------------------------------------------- */
/* Multilinear hashing: words of 32 bits times random keys of 64 bits, summed modulo 2^64, the upper half kept, in three lanes with
 * keys of their own. Two different lists of words, chosen by whomever before the keys were drawn, come out the same in a lane with
 * a probability of at most 2^-31, in all three 2^-93. A word 0 adds nothing, so empty sets cost nothing. */
enum { KIND_WORDS = 35, WHOLE_WORDS = 26 + 6 * MAXK };
typedef struct { u64 sum[3]; } Mix;
typedef struct { u32 w[3]; } Hash;
static u64 keys[KIND_WORDS + WHOLE_WORDS][2][4];           /* first those of a kind, then those of the whole */
static inline void mix(Mix *m, int place, u64 word) {
    u64 (*k)[4] = keys[place], low = word & 0xffffffffu, high = word >> 32;
    if (!word) return;
    m->sum[0] += k[0][0] * low + k[1][0] * high;
    m->sum[1] += k[0][1] * low + k[1][1] * high;
    m->sum[2] += k[0][2] * low + k[1][2] * high;
}
static Hash mixed(const Mix *m) {
    Hash h = { { (u32)(m->sum[0] >> 32), (u32)(m->sum[1] >> 32), (u32)(m->sum[2] >> 32) } };
    return h;
}
static void draw_keys(void) {                              /* SHA-256 in counter mode, from 32 bytes of the system's randomness */
    u8 seed[40] = { 0 };
    FILE *f = fopen("/dev/urandom", "rb");
    if (!f || fread(seed, 1, 32, f) != 32) die(2, "no random numbers from /dev/urandom");
    fclose(f);
    for (int i = 0; i < KIND_WORDS + WHOLE_WORDS; i++)
        for (int j = 0; j < 2; j++) {
            Sha s = sha_begin;
            seed[32] = (u8)i, seed[33] = (u8)j;
            sha_add(&s, seed, sizeof seed);
            sha_end(&s, (u8 *)keys[i][j]);
        }
}

/* Lemma "equal essence": two situations of one game with the same essence have the same legal sequences of placements, kinds
 * matched by what they have, so the same winner. Per kind: its count, the points A of its living pairs; whether it has a liberty
 * (lasting: for good; passing: until the room's point beside it is taken); which legs can meet pods that the foe may yet place (near
 * and far), which legs strike a foe's pod now. Per side and direction: which of its points the long legs of the foe's pods reach.
 * Attacks over points of the room end when one of those is taken; item 2 tells which points of the room follow one another. */
static Hash essence(const Room *r, Sight *v[2], u64 empty) {
    Mix whole = { { 0 } };
    u64 pass = through ? board : empty, lasting_by[8], passing_by[8];
    int n = 0;                                             /* words of the whole so far */
#define WHOLE(w) mix(&whole, KIND_WORDS + n++, (w))
    WHOLE((u64)S.side + 1);                                /* 1. the side to move, and the sizes of the hands if they matter */
    WHOLE(empty_wins ? (u64)S.in_hand[0] : 0);
    WHOLE(empty_wins ? (u64)S.in_hand[1] : 0);
    WHOLE(r->room);
    for (int d = 0; d < 4; d++)                            /* 2. the next point of the room, with nothing held before it */
        WHOLE(through ? 0 : r->room & slide(OPP(d), r->room, empty & ~r->room));
    SIDES(s)                                               /* 3. long legs that bear on points of living pairs */
        DIRS(d) WHOLE(r->of[s] & v[s]->beam[d]);
    if (liberty) see_liberties(lasting_by, empty & ~r->room), see_liberties(passing_by, r->room);
    SIDES(s) {                                             /* 4. what the kinds have, without order and without names */
        Hash has[MAXK];
        int count = 0;
        u64 T = r->of[1 - s], near[8], far[8];
        DIRS(d) {
            near[d] = T ? step(OPP(d), T) : 0;
            far[d] = near[d] ? slide(OPP(d), near[d] & pass, pass) : 0;
        }
        KINDS(k) {
            u64 A = r->live[s][k], lasting = 0;
            Mix m = { { 0 } };
            if (!A) continue;
            mix(&m, 0, S.hand[s][k]);
            mix(&m, 1, A);
            if (liberty) {
                lasting = over_legs(s, k, lasting_by, lasting_by);
                mix(&m, 2, A & lasting);
            }
            for (int i = 0; i < kind_legs[k]; i++) {
                int d = kind_dirs[s][k][i];
                mix(&m, 3 + d, A & near[d]);
                if (liberty) mix(&m, 11 + d, A & ~lasting & passing_by[d]);
                if (kind_is_long[k][i]) mix(&m, 19 + d, A & far[d]), mix(&m, 27 + d, A & v[s]->strike[d]);
            }
            Hash h = mixed(&m);
            int i = count++;
            for (; i > 0 && memcmp(&has[i - 1], &h, sizeof h) > 0; i--) has[i] = has[i - 1];
            has[i] = h;
        }
        n = 24 + s * (1 + 3 * MAXK);                       /* fixed places: each side has room for all kinds */
        WHOLE((u64)count);
        for (int i = 0; i < 3 * count; i++) WHOLE(has[i / 3].w[i % 3]);
    }
#undef WHOLE
    return mixed(&whole);
}

static Hash *listed;                                       /* open addressing; an empty place is zeros */
static u64 listed_size, listed_count;
static int find_listed(Hash h, int add) {                  /* whether h was there; adds it if wanted */
    if (add && listed_count >= listed_size / 4 * 3) {
        u64 old_size = listed_size;
        Hash *old = listed;
        listed_size = old_size ? 2 * old_size : 1 << 12, listed_count = 0;
        listed = need(listed_size * sizeof *listed);
        for (u64 i = 0; i < old_size; i++) if (old[i].w[0]) find_listed(old[i], 1);
        free(old), memory_used -= old_size * sizeof *old;
    }
    if (!h.w[0]) h.w[0] = 1;                               /* this word is 0 where the place is empty */
    for (u64 i = (u64)h.w[2] << 32 | h.w[1]; listed_size; i++) {
        Hash *place = &listed[i & (listed_size - 1)];
        if (place->w[0] == h.w[0] && place->w[1] == h.w[1] && place->w[2] == h.w[2]) return 1;
        if (place->w[0]) continue;
        if (add) *place = h, listed_count++;
        break;
    }
    return 0;
}

/* ---- the queue of situations that are left for later ----------------------------------------------------------------- */
typedef struct Later { struct Later *next; Situation s; } Later;
static Later *queue_head, *queue_tail;
static void enqueue(void) {
    Later *q = need(sizeof *q);
    q->s = S;
    if (queue_head) queue_tail->next = q;
    else queue_head = q;
    queue_tail = q;
}
static void dequeue(void) {                                /* into S; the queue is not empty */
    Later *q = queue_head;
    S = q->s, queue_head = q->next, memory_used -= sizeof *q;
    free(q);
}

/* ---- bits of a section ----------------------------------------------------------------------------------------------- */
typedef struct { uint16_t a, b; } Context;
static u32 code, range, section_left;                      /* bytes of the section yet to be read */
static u8 section_byte(void) {
    int c = section_left ? next_byte() : 0;
    if (!section_left--) die(1, "the section ends too early");
    if (c < 0) walking_verdict = 0, die(1, "the file ends within a section");
    return (u8)c;
}
static int read_bit(Context *c) {
    u32 bound = (range >> 16) * (((u32)c->a + c->b) >> 1);
    int bit = code < bound;
    if (bit) {
        range = bound;
        c->a = (uint16_t)(c->a + (65536u - c->a) / 16);    /* at most 65535 again: (65536 - a) / 16 < 65536 - a */
        c->b = (uint16_t)(c->b + (65536u - c->b) / 128);
    } else {
        code -= bound, range -= bound;
        c->a = (uint16_t)(c->a - c->a / 16);
        c->b = (uint16_t)(c->b - c->b / 128);
    }
    for (; range < 1u << 24; range <<= 8) code = code << 8 | section_byte();   /* code < range: nothing is shifted out */
    return bit;
}

static const Context even = { 32768, 32768 };

/* What the reader remembers for each level, made fresh when a section first comes to the level. */
typedef struct {
    u64 section;                                           /* the section that it belongs to */
    int verdict, rank, covered;                            /* the last ones read at this level */
    Context verdict_bit[8][5][4];
    uint16_t order[MAXK * MAXP];                           /* pairs: kind * 64 + bit of the point */
} Level;

static Level level_memory[MAXP + 1];
static Context choice_bit[4][32], cover_bit[8][2][2], plan_bit[2][16];
static u8 point_covered[MAXP];
static void refresh(Level *l) {
    int n = 0, p;
    if (l->section == sections) return;
    l->section = sections, l->verdict = STEP, l->rank = 0, l->covered = 1;
    for (int i = 0; i < 8 * 5 * 4; i++) (&l->verdict_bit[0][0][0])[i] = even;
    KINDS(k) POINTS(p, board) l->order[n++] = (uint16_t)(k * 64 + p);
}
static void begin_section(void) {
    sections++, walking = 1, walking_verdict = 0;
    for (int i = 0; i < 4 * 32; i++) (&choice_bit[0][0])[i] = even;
    for (int i = 0; i < 8 * 2 * 2; i++) (&cover_bit[0][0][0])[i] = even;
    for (int i = 0; i < 2 * 16; i++) (&plan_bit[0][0])[i] = even;
    memset(point_covered, 1, sizeof point_covered);
    if (section_byte()) die(1, "the first byte of the section is not 0");
    range = 0xffffffffu, code = 0;
    for (int i = 0; i < 4; i++) code = code << 8 | section_byte();
    if (code == range) die(1, "no section begins with these bytes");
}

static int read_verdict(Level *l, int w) {
    Context *c = l->verdict_bit[w][l->verdict];
    lines++, walking_verdict = 1;
    int v = !read_bit(&c[0]) ? STEP : !read_bit(&c[1]) ? COUNTING : !read_bit(&c[2]) ? SHOWN : !read_bit(&c[3]) ? LATER : MIRROR;
    return l->verdict = v;
}
static int read_choice(Level *l, const u64 legal[MAXK]) {  /* kind * 64 + point */
    int zeros = 0, size = kinds * points;
    for (int i = 0; i < size; i++) {
        int pair = l->order[i];
        if (!(legal[pair >> 6] >> (pair & 63) & 1)) continue;
        if (!read_bit(&choice_bit[l->rank][zeros < 31 ? zeros : 31])) {
            zeros++;
            continue;
        }
        memmove(l->order + 1, l->order, (size_t)i * sizeof *l->order);
        l->order[0] = (uint16_t)pair;
        l->rank = zeros < 3 ? zeros : 3;
        return pair;
    }
    die(1, "none of the choices is chosen");
    return 0;
}

/* ---- counting -------------------------------------------------------------------------------------------------------- */
static int match_of[MAXP];                                 /* kind that a point is matched with, or -1 */
static u64 match_tried;
static int augment(const u64 live[MAXK], int k) {
    for (u64 b; (b = live[k] & ~match_tried) != 0;) {
        int p = lowest(b);
        match_tried |= BIT(p);
        if (match_of[p] >= 0 && !augment(live, match_of[p])) continue;
        match_of[p] = k;
        return 1;
    }
    return 0;
}

static int largest_matching(const u64 live[MAXK], const u8 hand[MAXK]) {
    int n = 0;
    for (int p = 0; p < MAXP; p++) match_of[p] = -1;
    KINDS(k) for (int i = 0; i < hand[k] && (match_tried = 0, augment(live, k)); i++) n++;
    return n;
}

/* Lemma of counting: Y places at most n more pods, on points of T, all from living pairs. Each pair of X's plan stays legal until its
 * turn: its point is never taken by Y, no pod that Y may yet place reaches it or is reached from it (runs only get shorter), and the
 * liberty asked for below is taken by nobody before. So Y is the first who cannot place. */
static void read_plan(const Room *r, const Sight *v, const u64 lib[8], u64 empty) {
    u64 pass = through ? board : empty, T = r->of[Y], reached = 0, near[8], far[8], legal[MAXK], safe[MAXK], used = 0;
    u8 left[MAXK];
    int n = largest_matching(r->live[Y], S.hand[Y]) + (S.side == X);
    memcpy(left, S.hand[X], sizeof left);
    DIRS(d) {
        u64 any = 0, lng = 0;
        KINDS(k) any |= kind_any[Y][k] >> d & 1 ? r->live[Y][k] : 0, lng |= kind_long[Y][k] >> d & 1 ? r->live[Y][k] : 0;
        reached |= step(d, any) | slide(d, lng, pass);
        near[d] = step(OPP(d), T), far[d] = slide(OPP(d), T, pass);
    }
    KINDS(k) {
        legal[k] = left[k] ? legal_points(v, lib, empty, X, k) : 0;
        safe[k] = legal[k] & ~(T | reached | over_legs(X, k, near, far));
    }
    for (int i = 0; i < n; i++) {
        int first = i == 0 && S.side == X, zeros = 0, found = 0;
        u64 keeps[8];
        see_liberties(keeps, empty & ~T & ~used);
        for (int k = 0; k < kinds && !found; k++) {
            u64 may = !left[k] ? 0 : first ? legal[k] : safe[k] & ~used;
            if (liberty && !first) may &= over_legs(X, k, keeps, keeps);
            for (; may && !found; may &= may - 1, zeros++)
                if ((found = read_bit(&plan_bit[first][zeros < 15 ? zeros : 15]))) used |= may & -may, left[k]--;
        }
        if (!found) die(1, "the plan of counting lacks pair %d of %d", i + 1, n);
    }
}

/* ---- mirror ---------------------------------------------------------------------------------------------------------- */
static u64 image_of(u64 b) {
    u64 r = 0;
    int p;
    POINTS(p, b) r |= BIT(image[p]);
    return r;
}

/* Lemma of the mirror: X answers each placement by the same kind on the image. On such a board the new pod is neither next to its
 * image nor in a line with it, so the answer is as legal as the placement was; Y is the first who cannot place. */
static int is_mirror(void) {
    if (!symmetric || memcmp(S.hand[0], S.hand[1], sizeof S.hand[0]) || image_of(S.occ[0]) != S.occ[1]) return 0;
    DIRS(d) if (image_of(S.any[0][d]) != S.any[1][OPP(d)] || image_of(S.lng[0][d]) != S.lng[1][OPP(d)]) return 0;
    return 1;
}

/* ---- the walk -------------------------------------------------------------------------------------------------------- */
static void walk(int start);
static void walk_after(int s, int p, unsigned any, unsigned lng) {     /* s puts a pod on p; S is the same again afterwards */
    int open = S.open;
    put(s, p, any, lng);
    S.side = 1 - s, S.open = 0;
    walk(0);
    S.side = s, S.open = open;
    lift(s, p);
}
static void walk_placement(int s, int k, int p) {
    S.hand[s][k]--, S.in_hand[s]--;
    walk_after(s, p, kind_any[s][k], kind_long[s][k]);
    S.hand[s][k]++, S.in_hand[s]++;
}
static void walk(int start) {
    int s = S.side, verdict, p;
    u64 empty = board & ~(S.occ[0] | S.occ[1]), lib[8], legal[MAXK], choices = 0;
    Sight own, other, *v[2];
    Level *l = &level_memory[S.level];

    if (empty_wins && (!S.in_hand[0] || !S.in_hand[1])) {  /* R16, R30 */
        int won = !S.in_hand[1 - s] ? 1 - s : s;
        if (won != X) die(1, "the loser's hand is empty");
        return;
    }
    see(&own, s, empty), see_liberties(lib, empty);
    KINDS(k) {
        legal[k] = S.hand[s][k] && (!S.open || kind_bipod[k]) ? legal_points(&own, lib, empty, s, k) : 0;     /* R9 */
        choices |= legal[k];
    }
    if (s == Y && !choices) return;                        /* R15: Y cannot place and has lost */
    refresh(l);
    verdict = read_verdict(l, bits_in(choices) < 7 ? bits_in(choices) : 7);
    if (verdict == MIRROR) {
        if (s != Y || empty_wins || !is_mirror()) die(1, "no mirror: not symmetric, X is to move, or an empty hand wins");
        return;
    }
    if (start && (verdict == SHOWN || verdict == LATER)) die(1, "a section cannot begin with this verdict");
    if (S.open && verdict != STEP) die(1, "this verdict is not for a situation in which the opening clause binds");
    if (!S.open) {
        Room r;
        see(&other, 1 - s, empty), v[s] = &own, v[1 - s] = &other;
        find_room(&r, v, lib, empty);
        if (verdict == COUNTING) {
            if (empty_wins) die(1, "counting where an empty hand wins");
            read_plan(&r, v[X], lib, empty);
            return;
        }
        int known = find_listed(essence(&r, v, empty), verdict != SHOWN);
        if (verdict == SHOWN && !known) die(1, "nothing of this essence has been listed before");
        if (verdict == LATER) enqueue();
        if (verdict != STEP) return;
    }
    if (s == X) {
        int pair = read_choice(l, legal);
        walk_placement(s, pair >> 6, pair & 63);
        return;
    }
    POINTS(p, choices) {
        unsigned any = 0, lng = 0;
        int count = 0;
        KINDS(k) if (legal[k] >> p & 1) count++, any |= kind_any[s][k], lng |= kind_long[s][k];
        if (count >= 2 && !empty_wins) {
            int covered = read_bit(&cover_bit[count < 7 ? count : 7][l->covered][point_covered[p]]);
            l->covered = point_covered[p] = (u8)covered;
            /* Lemma of covers: a pod of Y with all legs of these kinds, and nothing taken from Y's hand, is at least as good for Y as
             * each of the placements: it forbids X no less, Y no more. So X wins after all of them if X wins this. */
            if (covered) {
                walk_after(s, p, any, lng);
                continue;
            }
        }
        KINDS(k) if (legal[k] >> p & 1) walk_placement(s, k, p);
    }
}

/* ---- the header ------------------------------------------------------------------------------------------------------ */
static u8 header[HEADER_MAX + 1];
static const u8 *at;                                       /* where the header is read; a byte 0 is its end */
static void bad(const char *what) { die(2, "header, byte %ld: %s", (long)(at - header), what); }
static int has(const char *text) {                         /* whether this comes next; goes past it if so */
    size_t n = strlen(text);
    if (strncmp((const char *)at, text, n)) return 0;
    at += n;
    return 1;
}
static void want(const char *text) { if (!has(text)) die(2, "header, byte %ld: expected %s", (long)(at - header), text); }
static void skip_string(void) {                            /* any JSON string; names and sources prove nothing */
    want("\"");
    for (; *at != '"'; at++) {
        u8 c = *at, next = at[c != 0];
        if (c < 0x20) bad("a control byte in a string, or no end of it");
        if (c == '\\') {
            int by_number = *++at == 'u' && at[1] == '0' && at[2] == '0' && (at[3] == '0' || at[3] == '1');
            if (by_number ? !at[4] || !strchr(at[3] == '0' ? "01234567bef" : "0123456789abcdef", at[4])
                          : !next || !strchr("\"\\bfnrt", next)) bad("a wrong escape, or one that is not needed");
            at += by_number ? 4 : 0;
        } else if (c >= 0x80) {                            /* UTF-8, neither overlong nor a surrogate */
            int more = c >= 0xc2 && c < 0xe0 ? 1 : c >= 0xe0 && c < 0xf0 ? 2 : c >= 0xf0 && c < 0xf5 ? 3 : 0;
            if (!more || (c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f) || (c == 0xf0 && next < 0x90) ||
                (c == 0xf4 && next > 0x8f)) bad("not UTF-8");
            for (; more; more--) if ((*++at & 0xc0) != 0x80) bad("not UTF-8");
        }
    }
    at++;
}

static void skip_names(const char *before) { want(before), skip_string(), want(",\"source\":"), skip_string(); }
static int number(const u8 **p, int max) {                 /* a number from 1, in its shortest form; -1 if there is none */
    int n = 0;
    if (**p < '1' || **p > '9') return -1;
    for (; **p >= '0' && **p <= '9'; ++*p) if ((n = 10 * n + (**p - '0')) > max) return -1;
    return n;
}
static void point_name(int *row, int *col) {
    want("\"");
    *col = *at >= 'a' && *at <= 'z' ? *at++ - 'a' : -1;
    *row = number(&at, 26) - 1;
    if (*col < 0 || *row < 0) bad("no name of a point");
    want("\"");
}
static const u8 *name;                                     /* what the header calls the board, and how it says that it lies */
static int name_length, lies;
static void read_board(void) {
    int col[MAXP], row[MAXP], left = 26, p;
    const u8 *last = NULL;
    want("\"board\":{\"name\":"), name = at, skip_string(), name_length = (int)(at - name), want(",\"source\":"), skip_string();
    want(",\"orientation\":"), lies = atoi((const char *)at);
    if (!has("0,") && !has("90,") && !has("180,") && !has("270,")) bad("a wrong orientation");
    want("\"points\":[");
    do {
        int i = points++;
        if (i == MAXP) bad("too many points");
        point_name(&row[i], &col[i]);
        if (i && row[i] * 26 + col[i] <= row[i - 1] * 26 + col[i - 1]) bad("points not in order");
        cols = col[i] >= cols ? col[i] + 1 : cols, rows = row[i] + 1;
        left = col[i] < left ? col[i] : left;
    } while (has(","));
    if (left || row[0]) bad("no point in column a, or none in row 1");
    want("],\"lines\":[");
    sparse = FORCE_SPARSE || rows * cols > MAXP;
    memset(bit_of, -1, sizeof bit_of), memset(neighbour, -1, sizeof neighbour);
    for (int i = 0; i < points; i++) {
        int b = sparse ? i : row[i] * cols + col[i];
        bit_of[row[i]][col[i]] = b, row_of[b] = row[i], col_of[b] = col[i];
        board |= BIT(b);
    }
    DIRS(d) turn_by[d] = (dir_row[d] * cols + dir_col[d]) & 63;
    if (!has("]")) {
        do {
            int r, c, r2, c2, a, b, d = 0;
            const u8 *from = at;
            want("["), point_name(&r, &c), want(","), point_name(&r2, &c2), want("]");
            a = bit_of[r][c], b = bit_of[r2][c2];
            while (d < 4 && (c2 != c + dir_col[d] || r2 != r + dir_row[d])) d++;
            if (a < 0 || b < 0 || d == 4) bad("no line from a point to its neighbour in the direction n, ne, e or se");
            /* sorted as texts; as a quote sorts before a digit, the order of the names is that of these bytes */
            if (last && strncmp((const char *)last, (const char *)from, (size_t)(at - from)) >= 0) bad("lines not in order");
            last = from;
            neighbour[d][a] = (signed char)b, conn[d] |= BIT(a);
            neighbour[OPP(d)][b] = (signed char)a, conn[OPP(d)] |= BIT(b);
        } while (has(","));
        want("]");
    }
    want("},");
    symmetric = 1;                                         /* lemma of the mirror: what it asks of the board */
    POINTS(p, board) {
        image[p] = bit_of[rows - 1 - row_of[p]][cols - 1 - col_of[p]];
        if (image[p] < 0 || image[p] == p) symmetric = 0;
    }
    if (symmetric)
        POINTS(p, board) DIRS(d) {
            int q = neighbour[d][p];
            if (neighbour[OPP(d)][image[p]] != (q < 0 ? -1 : image[q])) symmetric = 0;
            if (slide(d, BIT(p), board) >> image[p] & 1) symmetric = 0;
        }
}

static void read_pods(void) {
    skip_names("\"pods\":{\"name\":");
    want(",\"kinds\":[");
    do {
        int k = kinds++, legs = 0, d = 0;
        if (k == MAXK) bad("too many kinds");
        want("{\"id\":\"");
        if (*at < 'a' || *at > 'z' || (k && *at <= kind_id[k - 1])) bad("a wrong id, or kinds not in order");
        kind_id[k] = *at++;
        want("\",\"name\":");
        skip_string();
        want(",\"legs\":\"");
        for (; d < 8; d++) {                               /* clockwise from n, each direction once at most */
            size_t n = strlen(dir_name[0][d]), lng;
            for (lng = 0; lng < 2; lng++)
                if (!strncmp((const char *)at, dir_name[lng][d], n) && (at[n] == ' ' || at[n] == '"')) break;
            if (lng == 2) continue;
            SIDES(s) {                  /* R4: Black's legs lie turned by 180° */
                int lie = s ? OPP(d) : d;
                kind_any[s][k] |= 1u << lie;
                kind_long[s][k] |= (unsigned)lng << lie;
                kind_dirs[s][k][legs] = (u8)lie, kind_is_long[k][legs] = (u8)lng;
            }
            legs++, at += n;
            if (*at++ == '"') break;
        }
        if (d == 8) bad("legs that are wrong or not in order");
        kind_legs[k] = (u8)legs, kind_bipod[k] = legs == 2;                     /* R9 */
        want(",\"count\":");
        if ((kind_count[k] = number(&at, 64)) < 0) bad("a wrong count, or one above 64");
        want("}");
    } while (has(","));
    want("]},");
}

static void read_rules(void) {
    static const char *const option[10][4] = {             /* name and values */
        { "attack-through", "on", "off", 0 }, { "captures", "after-moves", "never", "every-turn" },
        { "empty-hand", "wins", "loses", 0 }, { "kick-gaps", "every-step", "last-step", 0 },
        { "moves", "on", "off", 0 }, { "opening", "bipod", "any", 0 }, { "placement-liberty", "on", "off", 0 },
        { "shove-after-run", "on", "off", 0 }, { "shove-liberty", "on", "off", 0 }, { "shoves", "on", "off", 0 } };
    int value[10];
    want("\"rules\":{\"name\":");
    skip_string();
    want(",\"options\":{");
    for (int i = 0; i < 10; i++) {
        want(i ? ",\"" : "\"");
        want(option[i][0]);
        want("\":\"");
        for (value[i] = 1; value[i] < 4 && option[i][value[i]]; value[i]++) if (has(option[i][value[i]])) break;
        if (value[i] == 4 || !option[i][value[i]]) bad("a wrong value of an option");
        want("\"");
    }
    want("}}}");
    if (*at) bad("more than a header");
    if (value[1] == 3 || value[4] == 1) bad("not a placement game, so not of version 4");
    through = value[0] == 1, empty_wins = value[2] == 1, opening_bipod = value[5] == 1, liberty = value[6] == 1;
}

static int kind_by(int letter) {
    KINDS(k) if (kind_id[k] == letter) return k;
    return -1;
}
static void read_position(const u8 *p) {                   /* five fields with a blank between, in their one form */
    int used[2][MAXK] = { { 0 } }, bipods = 0, n;
    const u8 *const start = p;
    for (int row = rows - 1; row >= 0; row--) {
        for (int col = 0, was_number = 0; col < cols; col += n) {
            int side = *p >= 'a', k = kind_by(side ? *p : *p - 'A' + 'a'), digit = *p >= '0' && *p <= '9';
            if (digit ? was_number || (n = number(&p, cols - col)) < 0 : k < 0 || bit_of[row][col] < 0)
                die(2, "header: the rows of the position are wrong near byte %d", (int)(p - start));
            was_number = digit;
            if (digit) continue;
            put(side, bit_of[row][col], kind_any[side][k], kind_long[side][k]);
            used[side][k]++, p++, n = 1;
        }
        if (*p++ != (row ? '/' : ' ')) die(2, "header: the rows of the position do not fit the board");
    }
    if ((*p != 'w' && *p != 'b') || p[1] != ' ') die(2, "header: no side to move in the position");
    S.side = *p == 'b', p += 2;
    for (int s = 0; s < 2; s++, p++) {
        int last = -1, none = *p == '-';
        for (p += none; !none && (*p != ' ' || last < 0);) {
            int k = kind_by(*p);
            if (k <= last) die(2, "header: a wrong hand in the position");
            n = 1, last = k;
            if (*++p >= '0' && *p <= '9' && (n = number(&p, 64)) < 2) die(2, "header: a wrong count in a hand");
            S.hand[s][k] = (u8)n;
            S.in_hand[s] += n;
        }
        if (*p != ' ') die(2, "header: a wrong hand in the position");
        KINDS(k)                    /* R29: pods that are in neither place are out of the game */
            if (used[s][k] + S.hand[s][k] > kind_count[k]) die(2, "header: more pods '%c' than there are", kind_id[k]);
    }
    S.open = !strcmp((const char *)p, "open");
    if (!S.open && strcmp((const char *)p, "-")) die(2, "header: a wrong end of the position");
    KINDS(k) bipods += kind_bipod[k] && S.hand[S.side][k];
    if (S.open && (!opening_bipod || !bipods)) die(2, "header: the position is open, but the rules are not, or no bipod is in hand");
}

static void read_header(void) {
    size_t n = 0;
    int c = next_byte();
    if (c == 0xef && next_byte() == 0xbb && next_byte() == 0xbf) in_hashed = in_pos, c = next_byte();      /* a byte order mark */
    for (; c != '\n'; header[n++] = (u8)c, c = next_byte())
        if (c <= 0 || n == HEADER_MAX - 1) die(2, "no header: no line, one with a byte 0, or one of more than %d bytes", HEADER_MAX);
    at = header;
    if (has("{\"format\":\"pods-certificate\",\"version\":") && !has("4,"))
        die(2, "a certificate, but not of version 4, which alone is checked here: `pods check-proof` checks strategies (version 1), and "
               "release 0.3.0 of that program versions 2 and 3");
    at = header;
    want("{\"format\":\"pods-certificate\",\"version\":4,\"position\":\"");
    position = at;
    while (*at >= ' ' && *at != '"' && *at != '\\') at++;
    n = (size_t)(at - header);                             /* where the position ends */
    want("\",\"value\":");
    claims_win = has("\"win\"");
    if (!claims_win) want("\"loss\"");
    want(",\"plies\":null,");
    read_board(), read_pods(), read_rules();
    header[n] = 0;
    read_position(position);
}

int main(int argc, char **argv) {
    char trailer[160];
    int n, starts;
    u8 digest[32];
    if (argc == 4 && !strcmp(argv[1], "-m")) {
        const u8 *p = (const u8 *)argv[2];
        int mib = number(&p, 1 << 24);
        if (mib < 0 || *p) die(2, "a wrong number of MiB");
        memory_limit = (u64)mib << 20;
    } else if (argc != 2 || !strcmp(argv[1], "-h") || !strcmp(argv[1], "--help")) {
        fprintf(stderr, "usage: check-proof [-m MIB] FILE     (- is standard input)\n");
        return 2;
    }
    in = strcmp(argv[argc - 1], "-") ? fopen(argv[argc - 1], "rb") : stdin;
    if (!in) die(2, "%s: %s", argv[argc - 1], strerror(errno));
    in_sha = sha_begin, draw_keys(), read_header();
    starts = S.side, X = claims_win ? S.side : 1 - S.side, Y = 1 - X;

    for (;;) {                                             /* the sections, the length of each before it; 0 ends them */
        section_left = 0;
        for (int i = 0; i < 4; i++) {
            int c = next_byte();
            if (c < 0) die(1, "the file ends where a section begins");
            section_left |= (u32)c << 8 * i;
        }
        if (!section_left) break;
        if (sections) {
            if (!queue_head) die(1, "one more section than situations left for later");
            dequeue();
        }
        begin_section();
        walk(1);
        if (section_left || code) die(1, "the section does not end where its bits do");
        walking = 0;
    }
    if (!sections) die(1, "there is no section");
    if (queue_head) die(1, "a situation left for later has no section");

    sha_add(&in_sha, in_buf + in_hashed, in_pos - in_hashed), in_hashed = in_pos;
    sha_end(&in_sha, digest);                              /* of every byte before the last line */
    n = snprintf(trailer, sizeof trailer, "{\"lines\":%llu,\"sha256\":\"", (unsigned long long)lines);
    for (int i = 0; i < 32; i++) n += snprintf(trailer + n, sizeof trailer - (size_t)n, i < 31 ? "%02x" : "%02x\"}\n", digest[i]);
    for (int i = 0; i < n; i++)
        if (next_byte() != (u8)trailer[i]) die(1, "the last line has another form, another number of lines or another digest");
    if (next_byte() != -1) die(1, "something follows the last line");

    printf("holds: %s wins %s, %s to move; the file calls the board %.*s, turned by %d (empty-hand=%s, placement-liberty=%s, "
           "attack-through=%s); %llu lines, %llu sections\n", X ? "Black" : "White", (const char *)position,
           starts ? "Black" : "White", name_length < 80 ? name_length : 80, (const char *)name, lies, empty_wins ? "wins" : "loses",
           liberty ? "on" : "off", through ? "on" : "off", (unsigned long long)lines, (unsigned long long)sections);
    return fflush(stdout) ? 2 : 0;
}
