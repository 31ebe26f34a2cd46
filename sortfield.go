package forkjoin

import (
	"encoding/binary"
	"reflect"
	"strings"
	"sync"
	"unsafe"
)

// A field is a part of an element that has an order of its own: a number, a string,
// a truth value or an array of bytes, in a struct or array or by itself. What pointers
// refer to is no part of it: sorting moves elements, so to read them is no new race.
type field struct {
	offset uintptr
	kind   reflect.Kind // Array stands for bytes
	size   uintptr
	down   bool   // elements descend by it
	prefix string // of a string: what all of the sample begin with
}

const (
	mostFields = 64 // of a type that are looked at
	fewItems   = 4  // of an array that are fields each
)

var fieldsByType sync.Map // of []field, by reflect.Type

// fieldsOf returns the fields of t, in order.
func fieldsOf(t reflect.Type) []field {
	if known, ok := fieldsByType.Load(t); ok {
		return known.([]field)
	}
	fields := appendFields(nil, t, 0)
	fieldsByType.Store(t, fields)
	return fields
}

func appendFields(fields []field, t reflect.Type, offset uintptr) []field {
	switch kind := t.Kind(); {
	case len(fields) == mostFields:
	case kind >= reflect.Bool && kind <= reflect.Float64, kind == reflect.String:
		fields = append(fields, field{offset: offset, kind: kind, size: t.Size()})
	case kind == reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" {
				fields = appendFields(fields, f.Type, offset+f.Offset)
			}
		}
	case kind == reflect.Array && t.Elem().Kind() == reflect.Uint8:
		fields = append(fields, field{offset: offset, kind: kind, size: t.Size()})
	case kind == reflect.Array && t.Len() <= fewItems:
		for i := range t.Len() {
			fields = appendFields(fields, t.Elem(), offset+uintptr(i)*t.Elem().Size())
		}
	}
	return fields
}

// code returns a number for the field of the element at p, such that the numbers
// ascend, or descend if the field does, where the fields do. Different strings, and
// different bytes, may have the same.
func (f *field) code(p unsafe.Pointer) uint64 {
	p = unsafe.Add(p, f.offset)
	var c uint64
	switch f.kind {
	case reflect.String:
		c = f.stringCode(*(*string)(p))
	case reflect.Array:
		c = bytesCode(unsafe.Slice((*byte)(p), f.size))
	case reflect.Bool:
		c = uint64(*(*uint8)(p))
	default:
		c = codeAt(p, f.kind)
	}
	if f.down {
		return ^c
	}
	return c
}

// stringCode is that of the bytes behind the prefix. Strings without it come before
// those with it or after them.
func (f *field) stringCode(s string) uint64 {
	rest, ok := strings.CutPrefix(s, f.prefix)
	switch {
	case ok:
		return bytesCode(unsafe.Slice(unsafe.StringData(rest), len(rest)))
	case s < f.prefix:
		return 0
	}
	return ^uint64(0)
}

// bytesCode returns the first eight bytes, or what there is and zeros.
func bytesCode(b []byte) uint64 {
	if len(b) >= 8 {
		return binary.BigEndian.Uint64(b)
	}
	var some [8]byte
	copy(some[:], b)
	return binary.BigEndian.Uint64(some[:])
}
