// Package cputime tells how much processor time the process has used.
package cputime
