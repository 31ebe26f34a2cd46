package record

// An Encoder writes events that were not measured.
type Encoder struct{ Bytes []byte }

// Event appends an event and the numbers that belong to its kind.
func (e *Encoder) Event(k Kind, cost uint64, numbers ...uint64) {
	if k < rare {
		e.Bytes = appendNumber(e.Bytes, cost<<KindBits|uint64(k))
	} else {
		e.Bytes = append(appendNumber(e.Bytes, cost<<KindBits|IsRare), byte(k))
	}
	for _, n := range numbers[:k.Fields()] {
		e.Bytes = appendNumber(e.Bytes, n)
	}
}

// chunkSize is how long a chunk of a track that was not measured is.
const chunkSize = blockSize

// Encode returns a file of one track. names begins with "".
func Encode(info Info, names []string, track []byte) []byte {
	file := appendHeader(nil)
	var b []byte
	for _, n := range names[1:] {
		b = appendString(b, n)
	}
	file = appendChunk(file, chunkNames, b)
	info.Chunks = 1
	for at := 0; at < len(track); at += chunkSize {
		piece := track[at:min(at+chunkSize, len(track))]
		file = appendChunk(file, chunkTrack, append(appendNumber(nil, 0), piece...))
		info.Chunks++
	}
	return info.append(file)
}
