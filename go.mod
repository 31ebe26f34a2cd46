module github.com/forkjoin-go/forkjoin

go 1.26.0

require golang.org/x/sync v0.25.0

require (
	github.com/klauspost/cpuid/v2 v2.4.2
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4
)

require golang.org/x/sys v0.41.0 // indirect
