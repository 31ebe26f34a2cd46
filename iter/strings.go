package iter

import (
	"math/bits"
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
				lo = wordEnd(s, lo, hi) // of one that began before
			}
		}
		start := -1 // of the word that has begun
		for lo < hi || start >= 0 && lo < len(s) {
			blanks, ascii := uint64(0), false
			if len(s)-lo >= block64 {
				blanks, ascii = blanksIn(s[lo : lo+block64])
			}
			if !ascii {
				// By characters, up to a place where none is cut.
				for end := lo + block64; lo < end && lo < len(s); {
					size, space := spaceAt(s, lo)
					switch {
					case space && start >= 0:
						dst, start = append(dst, s[start:lo]), -1
					case !space && start < 0 && lo < hi:
						start = lo
					}
					lo += size
				}
				continue
			}
			// What a bit differs in from the one before begins or ends a word.
			before := uint64(0)
			if start < 0 {
				before = 1
			}
			for turns := blanks ^ (blanks<<1 | before); turns != 0; turns &= turns - 1 {
				i := lo + bits.TrailingZeros64(turns)
				switch {
				case start >= 0:
					dst, start = append(dst, s[start:i]), -1
				case i >= hi:
					return dst
				default:
					start = i
				}
			}
			lo += block64
		}
		if start >= 0 {
			dst = append(dst, s[start:])
		}
		return dst
	}}}
}

const block64 = 64

// blanksIn tells which of the 64 bytes of s are white space, the first in the
// lowest bit, if all are ASCII. It looks at eight at a time, each in a byte of a
// word, whose highest bit is free for results.
func blanksIn(s string) (blanks uint64, ascii bool) {
	const (
		ones = 0x0101010101010101
		high = 0x80 * ones
	)
	all := uint64(0)
	for i := 0; i+8 <= len(s); i += 8 {
		b := s[i : i+8]
		w := uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
			uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
		all |= w
		w &^= high
		control := (w + (0x80-'\t')*ones) &^ (w + (0x80-'\r'-1)*ones) // '\t' to '\r'
		space := ^(w ^ ' '*ones + 0x7f*ones)
		// The multiplication brings the eight bits together in the highest byte.
		blanks |= (control | space) & high >> 7 * 0x0102040810204080 >> 56 << i
	}
	return blanks, all&high == 0
}

// wordEnd returns where the next white space from position at on begins, or a
// position from hi on if that is not before hi. It looks no further: words may be
// long, and all their positions ask.
func wordEnd(s string, at, hi int) int {
	for at < hi {
		size, space := spaceAt(s, at)
		if space {
			break
		}
		at += size
	}
	return at
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
