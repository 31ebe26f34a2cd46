module github.com/forkjoin-go/forkjoin/verify

go 1.26.0

replace github.com/forkjoin-go/forkjoin => ../

require github.com/anishathalye/porcupine v1.3.1
