//go:build !purego && !explore && gc

#include "textflag.h"

// func Get() uintptr
//
// The assembler turns (TLS) into whatever the system needs to reach g.
TEXT ·Get(SB), NOSPLIT, $0-8
	MOVQ (TLS), AX
	MOVQ AX, ret+0(FP)
	RET
