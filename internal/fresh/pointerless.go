package fresh

import "reflect"

// Pointerless reports whether values of type t have no pointers.
func Pointerless(t reflect.Type) bool {
	switch kind := t.Kind(); kind {
	case reflect.Struct:
		for i := range t.NumField() {
			if !Pointerless(t.Field(i).Type) {
				return false
			}
		}
		return true
	case reflect.Array:
		return t.Len() == 0 || Pointerless(t.Elem())
	default:
		return kind >= reflect.Bool && kind <= reflect.Complex128
	}
}
