module peers

go 1.26.0

replace github.com/forkjoin-go/forkjoin => ../../..

require (
	github.com/alitto/pond/v2 v2.7.1
	github.com/exascience/pargo v1.1.0
	github.com/forkjoin-go/forkjoin v0.0.0
	github.com/jfcg/sorty/v2 v2.1.0
	github.com/panjf2000/ants/v2 v2.12.1
	github.com/samber/lo v1.53.0
	github.com/sourcegraph/conc v0.3.0
	github.com/twotwotwo/sorts v0.0.0-20160814051341-bf5c1f2b8553
	golang.org/x/sync v0.25.0
)

require (
	github.com/jfcg/sixb v1.3.8 // indirect
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	go.uber.org/atomic v1.7.0 // indirect
	go.uber.org/multierr v1.9.0 // indirect
	golang.org/x/exp v0.0.0-20261113113407-e3970619a1a4 // indirect
	golang.org/x/sys v0.41.0 // indirect
)
