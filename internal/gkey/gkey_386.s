//go:build !purego && !explore && gc

#include "textflag.h"

// func Get() uintptr
//
// The assembler turns (TLS) into whatever the system needs to reach g.
TEXT ·Get(SB), NOSPLIT, $0-4
	MOVL (TLS), AX
	MOVL AX, ret+0(FP)
	RET
