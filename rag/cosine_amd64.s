#include "textflag.h"

// func dotAVX(a, b *float32, n int) float32
//
// Eight sums (Y0), of which each adds every eighth product in its order, as plainDot has them; then they are added one after the other.
TEXT ·dotAVX(SB), NOSPLIT, $0-28
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DI
	MOVQ n+16(FP), CX
	VXORPS Y0, Y0, Y0
	XORQ AX, AX

loop:
	VMOVUPS (SI)(AX*4), Y1
	VMULPS (DI)(AX*4), Y1, Y1
	VADDPS Y1, Y0, Y0
	ADDQ $8, AX
	CMPQ AX, CX
	JLT loop

	VEXTRACTF128 $1, Y0, X4
	VMOVSHDUP X0, X1
	VPERMILPS $2, X0, X2
	VPERMILPS $3, X0, X3
	VADDSS X1, X0, X0
	VADDSS X2, X0, X0
	VADDSS X3, X0, X0
	VMOVSHDUP X4, X1
	VPERMILPS $2, X4, X2
	VPERMILPS $3, X4, X3
	VADDSS X4, X0, X0
	VADDSS X1, X0, X0
	VADDSS X2, X0, X0
	VADDSS X3, X0, X0
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET
