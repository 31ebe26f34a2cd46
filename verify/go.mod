module github.com/forkjoin-go/forkjoin/verify

go 1.26.0

replace github.com/forkjoin-go/forkjoin => ../

require (
	github.com/anishathalye/porcupine v1.3.1
	github.com/forkjoin-go/forkjoin v0.0.0-00010101000000-000000000000
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4 // indirect
	golang.org/x/sys v0.41.0 // indirect
)
