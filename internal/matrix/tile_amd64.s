#include "go_asm.h"
#include "textflag.h"

// func roundAVX2(x *float32, to *int16, scales *float32, blocks int)
//
// Of each block of 64 numbers the greatest becomes 32767 or -32767, and the others what is in proportion, rounded.
TEXT ·roundAVX2(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), SI
	MOVQ to+8(FP), DI
	MOVQ scales+16(FP), DX
	MOVQ blocks+24(FP), CX
	MOVL $0x7fffffff, AX // all bits but the sign
	VMOVD AX, X15
	VPBROADCASTD X15, Y15
	MOVL $0x46fffe00, AX // 32767
	VMOVD AX, X14
	MOVL $0x0da24260, AX // least: 1e-30
	VMOVD AX, X13

block:
	VANDPS (SI), Y15, Y0
	VANDPS 32(SI), Y15, Y1
	VANDPS 64(SI), Y15, Y2
	VMAXPS Y2, Y0, Y0
	VANDPS 96(SI), Y15, Y3
	VMAXPS Y3, Y1, Y1
	VANDPS 128(SI), Y15, Y2
	VMAXPS Y2, Y0, Y0
	VANDPS 160(SI), Y15, Y3
	VMAXPS Y3, Y1, Y1
	VANDPS 192(SI), Y15, Y2
	VMAXPS Y2, Y0, Y0
	VANDPS 224(SI), Y15, Y3
	VMAXPS Y3, Y1, Y1
	VMAXPS Y1, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VMAXPS X1, X0, X0
	VPERMILPS $0x4e, X0, X1
	VMAXPS X1, X0, X0
	VPERMILPS $0xb1, X0, X1
	VMAXPS X1, X0, X0
	VMAXSS X13, X0, X0
	VDIVSS X14, X0, X1
	VMOVSS X1, (DX)
	VDIVSS X0, X14, X0
	VBROADCASTSS X0, Y0

#define ROUND32(at, to) \
	VMULPS at(SI), Y0, Y1 \
	VMULPS (at+32)(SI), Y0, Y2 \
	VCVTPS2DQ Y1, Y1 \
	VCVTPS2DQ Y2, Y2 \
	VPACKSSDW Y2, Y1, Y1 \
	VPERMQ $0xd8, Y1, Y1 \
	VMOVDQU Y1, to(DI)

	ROUND32(0, 0)
	ROUND32(64, 32)
	ROUND32(128, 64)
	ROUND32(192, 96)
	ADDQ $256, SI
	ADDQ $128, DI
	ADDQ $4, DX
	DECQ CX
	JNZ block
	VZEROUPPER
	RET

// PAIRAVX2 multiplies two inputs (at bytes behind those of the four rows) with the weights of eight columns: Y0 to Y3 are the sums.
#define PAIRAVX2(weights, at) \
	VPMOVSXBW weights(SI), Y8 \
	VPBROADCASTD at(R8), Y9 \
	VPMADDWD Y8, Y9, Y9 \
	VPADDD Y9, Y0, Y0 \
	VPBROADCASTD at(R9), Y10 \
	VPMADDWD Y8, Y10, Y10 \
	VPADDD Y10, Y1, Y1 \
	VPBROADCASTD at(R10), Y11 \
	VPMADDWD Y8, Y11, Y11 \
	VPADDD Y11, Y2, Y2 \
	VPBROADCASTD at(R11), Y12 \
	VPMADDWD Y8, Y12, Y12 \
	VPADDD Y12, Y3, Y3

// SCALEAVX2 adds the sums of a block to those of all, as floats.
#define SCALEAVX2(sum, scale, all) \
	VCVTDQ2PS sum, sum \
	VBROADCASTSS scale, Y9 \
	VFMADD231PS sum, Y9, all

// func multiplyAVX2(p *product)
//
// Four rows by eight columns: Y0 to Y3 are the sums of a block, Y4 to Y7 those of all blocks. Twice for sixteen columns.
TEXT ·multiplyAVX2(SB), NOSPLIT, $24-8
	MOVQ p+0(FP), AX
	MOVQ product_stride(AX), R13
	SHLQ $1, R13 // bytes
	MOVQ product_yStride(AX), DX
	SHLQ $2, DX
	MOVQ $0, half-8(SP)

half:
	MOVQ p+0(FP), AX
	MOVQ half-8(SP), BX
	MOVQ product_x(AX), R8
	MOVQ R8, x-16(SP)
	MOVQ product_xScales(AX), R12
	MOVQ R12, xScales-24(SP)
	MOVQ product_scales(AX), SI
	VMOVUPS (SI)(BX*2), Y14
	MOVQ product_bias(AX), SI
	VMOVUPS (SI)(BX*2), Y15
	MOVQ product_y(AX), DI
	LEAQ (DI)(BX*2), DI
	MOVQ product_rows(AX), BX

rows:
	MOVQ x-16(SP), R8
	LEAQ (R8)(R13*1), R9
	LEAQ (R8)(R13*2), R10
	LEAQ (R9)(R13*2), R11
	MOVQ xScales-24(SP), R12
	MOVQ p+0(FP), AX
	MOVQ product_weights(AX), SI
	ADDQ half-8(SP), SI
	MOVQ product_blocks(AX), AX
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7

block:
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	MOVQ $8, CX

loop:
	PAIRAVX2(0, 0)
	PAIRAVX2(32, 4)
	PAIRAVX2(64, 8)
	PAIRAVX2(96, 12)
	ADDQ $128, SI
	ADDQ $16, R8
	ADDQ $16, R9
	ADDQ $16, R10
	ADDQ $16, R11
	DECQ CX
	JNZ loop

	MOVQ R13, CX
	SHRQ $5, CX // from the scales of a row to those of the next
	SCALEAVX2(Y0, (R12), Y4)
	SCALEAVX2(Y1, (R12)(CX*1), Y5)
	SCALEAVX2(Y2, (R12)(CX*2), Y6)
	LEAQ (R12)(CX*2), R14
	SCALEAVX2(Y3, (R14)(CX*1), Y7)
	ADDQ $4, R12
	DECQ AX
	JNZ block

	VFMADD213PS Y15, Y14, Y4
	VMOVUPS Y4, (DI)
	CMPQ BX, $1
	JE next
	VFMADD213PS Y15, Y14, Y5
	VMOVUPS Y5, (DI)(DX*1)
	CMPQ BX, $2
	JE next
	LEAQ (DI)(DX*2), DI
	VFMADD213PS Y15, Y14, Y6
	VMOVUPS Y6, (DI)
	CMPQ BX, $3
	JE next
	VFMADD213PS Y15, Y14, Y7
	VMOVUPS Y7, (DI)(DX*1)
	LEAQ (DI)(DX*2), DI
	MOVQ x-16(SP), R8
	LEAQ (R8)(R13*4), R8
	MOVQ R8, x-16(SP)
	MOVQ xScales-24(SP), R12
	LEAQ (R12)(CX*4), R12
	MOVQ R12, xScales-24(SP)
	SUBQ $4, BX
	JNZ rows

next:
	ADDQ $16, half-8(SP)
	CMPQ half-8(SP), $32
	JNE half
	VZEROUPPER
	RET

// PAIRVNNI multiplies two inputs with the weights of sixteen columns. Every other pair has sums of its own, because each waits for
// the one before it.
#define PAIRVNNI(weights, at, a, b, c, d) \
	VPMOVSXBW weights(SI), Z8 \
	VPDPWSSD.BCST at(R8), Z8, a \
	VPDPWSSD.BCST at(R9), Z8, b \
	VPDPWSSD.BCST at(R10), Z8, c \
	VPDPWSSD.BCST at(R11), Z8, d

// SCALEVNNI adds the two sums of a block to those of all, as floats.
#define SCALEVNNI(sum, other, scale, all) \
	VPADDD other, sum, sum \
	VCVTDQ2PS sum, sum \
	VFMADD231PS.BCST scale, sum, all

// ONEVNNI does so for a single row.
#define ONEVNNI(weights, at, sum) \
	VPMOVSXBW weights(SI), Z8 \
	VPDPWSSD.BCST at(R8), Z8, sum

// func multiplyVNNI(p *product)
//
// Four rows by sixteen columns: Z0 to Z7 are the sums of a block, Z16 to Z19 those of all blocks. Of a row that is
// left over they are Z0 to Z7, and Z16.
TEXT ·multiplyVNNI(SB), NOSPLIT, $16-8
	MOVQ p+0(FP), AX
	MOVQ product_stride(AX), R13
	SHLQ $1, R13 // bytes
	MOVQ product_yStride(AX), DX
	SHLQ $2, DX
	MOVQ product_x(AX), R8
	MOVQ R8, x-8(SP)
	MOVQ product_xScales(AX), R12
	MOVQ R12, xScales-16(SP)
	MOVQ product_scales(AX), SI
	VMOVUPS (SI), Z20
	MOVQ product_bias(AX), SI
	VMOVUPS (SI), Z21
	MOVQ product_y(AX), DI
	MOVQ product_rows(AX), BX

rows:
	MOVQ x-8(SP), R8
	MOVQ xScales-16(SP), R12
	MOVQ p+0(FP), AX
	MOVQ product_weights(AX), SI
	MOVQ product_blocks(AX), AX
	VPXORD Z16, Z16, Z16
	CMPQ BX, $1
	JE oneBlock
	LEAQ (R8)(R13*1), R9
	LEAQ (R8)(R13*2), R10
	LEAQ (R9)(R13*2), R11
	VPXORD Z17, Z17, Z17
	VPXORD Z18, Z18, Z18
	VPXORD Z19, Z19, Z19

block:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	MOVQ $8, CX

loop:
	PAIRVNNI(0, 0, Z0, Z1, Z2, Z3)
	PAIRVNNI(32, 4, Z4, Z5, Z6, Z7)
	PAIRVNNI(64, 8, Z0, Z1, Z2, Z3)
	PAIRVNNI(96, 12, Z4, Z5, Z6, Z7)
	ADDQ $128, SI
	ADDQ $16, R8
	ADDQ $16, R9
	ADDQ $16, R10
	ADDQ $16, R11
	DECQ CX
	JNZ loop

	MOVQ R13, CX
	SHRQ $5, CX // from the scales of a row to those of the next
	SCALEVNNI(Z0, Z4, (R12), Z16)
	SCALEVNNI(Z1, Z5, (R12)(CX*1), Z17)
	SCALEVNNI(Z2, Z6, (R12)(CX*2), Z18)
	LEAQ (R12)(CX*2), R14
	SCALEVNNI(Z3, Z7, (R14)(CX*1), Z19)
	ADDQ $4, R12
	DECQ AX
	JNZ block

	VFMADD213PS Z21, Z20, Z16
	VMOVUPS Z16, (DI)
	VFMADD213PS Z21, Z20, Z17
	VMOVUPS Z17, (DI)(DX*1)
	CMPQ BX, $2
	JE done
	LEAQ (DI)(DX*2), DI
	VFMADD213PS Z21, Z20, Z18
	VMOVUPS Z18, (DI)
	CMPQ BX, $3
	JE done
	VFMADD213PS Z21, Z20, Z19
	VMOVUPS Z19, (DI)(DX*1)
	LEAQ (DI)(DX*2), DI
	MOVQ x-8(SP), R8
	LEAQ (R8)(R13*4), R8
	MOVQ R8, x-8(SP)
	MOVQ xScales-16(SP), R12
	LEAQ (R12)(CX*4), R12
	MOVQ R12, xScales-16(SP)
	SUBQ $4, BX
	JNZ rows
	JMP done

oneBlock:
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	MOVQ $4, CX

oneLoop:
	ONEVNNI(0, 0, Z0)
	ONEVNNI(32, 4, Z1)
	ONEVNNI(64, 8, Z2)
	ONEVNNI(96, 12, Z3)
	ONEVNNI(128, 16, Z4)
	ONEVNNI(160, 20, Z5)
	ONEVNNI(192, 24, Z6)
	ONEVNNI(224, 28, Z7)
	ADDQ $256, SI
	ADDQ $32, R8
	DECQ CX
	JNZ oneLoop

	VPADDD Z1, Z0, Z0
	VPADDD Z3, Z2, Z2
	VPADDD Z5, Z4, Z4
	VPADDD Z7, Z6, Z6
	VPADDD Z2, Z0, Z0
	VPADDD Z6, Z4, Z4
	SCALEVNNI(Z0, Z4, (R12), Z16)
	ADDQ $4, R12
	DECQ AX
	JNZ oneBlock
	VFMADD213PS Z21, Z20, Z16
	VMOVUPS Z16, (DI)

done:
	VZEROUPPER
	RET

// func floatTileAVX2(x *float32, stride int, w *float32, n int, y *float32)
//
// Four rows by sixteen columns are eight sums of eight columns each, Y0 to Y7. For each i the sixteen weights (Y8, Y9) are multiplied
// with each row's x[i].
TEXT ·floatTileAVX2(SB), NOSPLIT, $0-40
	MOVQ x+0(FP), R8
	MOVQ stride+8(FP), R11
	MOVQ w+16(FP), SI
	MOVQ n+24(FP), CX
	MOVQ y+32(FP), DI
	LEAQ (R8)(R11*4), R9
	LEAQ (R9)(R11*4), R10
	LEAQ (R10)(R11*4), R11
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	XORQ AX, AX

loop:
	VMOVUPS (SI), Y8
	VMOVUPS 32(SI), Y9
	VBROADCASTSS (R8)(AX*4), Y10
	VBROADCASTSS (R9)(AX*4), Y11
	VBROADCASTSS (R10)(AX*4), Y12
	VBROADCASTSS (R11)(AX*4), Y13
	VFMADD231PS Y8, Y10, Y0
	VFMADD231PS Y9, Y10, Y1
	VFMADD231PS Y8, Y11, Y2
	VFMADD231PS Y9, Y11, Y3
	VFMADD231PS Y8, Y12, Y4
	VFMADD231PS Y9, Y12, Y5
	VFMADD231PS Y8, Y13, Y6
	VFMADD231PS Y9, Y13, Y7
	ADDQ $64, SI
	INCQ AX
	CMPQ AX, CX
	JLT loop

	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	VZEROUPPER
	RET
