//go:build !purego && !explore && gc

#include "textflag.h"

// func Get() uintptr
TEXT ·Get(SB), NOSPLIT, $0-4
	MOVW g, ret+0(FP)
	RET
