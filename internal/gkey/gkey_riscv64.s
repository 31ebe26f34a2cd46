//go:build !purego && !explore && gc

#include "textflag.h"

// func Get() uintptr
TEXT ·Get(SB), NOSPLIT, $0-8
	MOV g, ret+0(FP)
	RET
