package forkjoin

import "reflect"

// codeOf returns where the code of a function is.
func codeOf(f any) uintptr { return reflect.ValueOf(f).Pointer() }
