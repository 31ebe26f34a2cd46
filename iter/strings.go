package iter

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lines returns the lines of s with their newlines, as [strings.Lines] does.
func Lines(s string) Seq[string] {
	return Seq[string]{src: parts[string]{n: len(s), plain: true, fill: func(lo, hi int, dst []string) []string {
		if lo > 0 && s[lo-1] != '\n' {
			i := strings.IndexByte(s[lo:hi], '\n')
			if i < 0 {
				return dst
			}
			lo += i + 1
		}
		for lo < hi {
			end := len(s)
			if i := strings.IndexByte(s[lo:], '\n'); i >= 0 {
				end = lo + i + 1
			}
			dst = append(dst, s[lo:end])
			lo = end
		}
		return dst
	}}}
}

// Words returns the parts of s between white space, as [strings.FieldsSeq] does.
func Words(s string) Seq[string] {
	return Seq[string]{src: parts[string]{n: len(s), plain: true, fill: func(lo, hi int, dst []string) []string {
		lo = runeStart(s, lo)
		if lo > 0 {
			if r, _ := utf8.DecodeLastRuneInString(s[:lo]); !unicode.IsSpace(r) {
				lo = wordEnd(s, lo) // of one that began before
			}
		}
		for {
			for lo < hi && kinds[s[lo]] == blank {
				lo++
			}
			if lo >= hi {
				return dst
			}
			if size, space := spaceAt(s, lo); space {
				lo += size
				continue
			}
			end := wordEnd(s, lo)
			dst = append(dst, s[lo:end])
			lo = end
		}
	}}}
}

// wordEnd returns where the next white space begins.
func wordEnd(s string, at int) int {
	for {
		for at < len(s) && kinds[s[at]] == printed {
			at++
		}
		if at == len(s) || kinds[s[at]] == blank {
			return at
		}
		size, space := spaceAt(s, at)
		if space {
			return at
		}
		at += size
	}
}

// spaceAt reports whether the character at position i is white space, and its
// length.
func spaceAt(s string, i int) (size int, space bool) {
	if kinds[s[i]] != multibyte {
		return 1, kinds[s[i]] == blank
	}
	return spaceIn(s[i:])
}

// spaceIn is spaceAt for longer characters.
func spaceIn(s string) (size int, space bool) {
	r, size := utf8.DecodeRuneInString(s)
	return size, unicode.IsSpace(r)
}

const (
	printed = iota
	blank
	multibyte // the first byte of a longer character, or none
)

// kinds tells what a byte is.
var kinds = func() (kinds [256]byte) {
	for c := range kinds {
		switch {
		case c >= utf8.RuneSelf:
			kinds[c] = multibyte
		case unicode.IsSpace(rune(c)):
			kinds[c] = blank
		}
	}
	return kinds
}()

// Runes returns the characters of s, as a range loop over it does: what is not
// valid UTF-8 gives one [utf8.RuneError] for each byte.
func Runes(s string) Seq[rune] {
	return Seq[rune]{src: parts[rune]{n: len(s), plain: true, fill: func(lo, hi int, dst []rune) []rune {
		lo = runeStart(s, lo)
		if lo >= hi {
			return dst
		}
		// The last one that begins before hi may end behind it.
		for i, r := range s[lo:min(len(s), hi+utf8.UTFMax-1)] {
			if lo+i >= hi {
				break
			}
			dst = append(dst, r)
		}
		return dst
	}}}
}

// runeStart returns the first position from i on where a character begins for
// one who reads s from its beginning. Only bytes that continue a valid encoding
// are inside a character; those that stand alone are characters of their own.
func runeStart(s string, i int) int {
	for back := 1; back < utf8.UTFMax && back <= i && i < len(s); back++ {
		if utf8.RuneStart(s[i]) {
			break
		}
		if j := i - back; utf8.RuneStart(s[j]) {
			if _, size := utf8.DecodeRuneInString(s[j:]); size > back {
				return j + size
			}
			break
		}
	}
	return i
}
