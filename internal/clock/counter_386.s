//go:build !purego && !explore && gc

#include "textflag.h"

// func Now() int64
TEXT ·Now(SB), NOSPLIT, $0-8
	RDTSC
	MOVL AX, ret_lo+0(FP)
	MOVL DX, ret_hi+4(FP)
	RET

// func frequency() int64
TEXT ·frequency(SB), NOSPLIT, $0-8
	MOVL $0, ret_lo+0(FP)
	MOVL $0, ret_hi+4(FP)
	RET
