//go:build gc && !purego && !explore

#include "textflag.h"

// func aux() uint32
TEXT ·aux(SB), NOSPLIT, $0-4
	RDTSCP
	MOVL CX, ret+0(FP)
	RET

// func hasRDTSCP() bool
//
// Bit 27 of DX of leaf 0x80000001, if there is that leaf.
TEXT ·hasRDTSCP(SB), NOSPLIT, $0-1
	MOVB $0, ret+0(FP)
	MOVL $0x80000000, AX
	XORL CX, CX
	CPUID
	CMPL AX, $0x80000001
	JB   none
	MOVL $0x80000001, AX
	XORL CX, CX
	CPUID
	SHRL $27, DX
	ANDL $1, DX
	MOVB DX, ret+0(FP)
none:
	RET
