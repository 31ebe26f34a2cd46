package main

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/forkjoin-go/forkjoin/internal/topology"
)

func TestTopo(t *testing.T) {
	for _, c := range []invocation{
		{"topo", ok, "\nThe default pool has ", ""},
		{"topo -h", ok, "Example:\n  forkjoin topo -fixture epyc-7702 -cpu 5", ""},
		{"topo -fixture list", ok, "\nepyc-7702           AMD EPYC 7702, ", ""},
		{"topo -fixture epyc-7702 -cpu 5", ok, "a thief on CPU 5 robs\n    first          the same core or L2:  69\n    then           the same L3:          4,6-7,68,70-71\n    after a while  the same memory node: ", ""},
		{"topo -fixture hybrid-8p16e", ok, "CPU 20-23, 62 % as fast", ""},
		{"topo -fixture affinity-6", ok, "the process may run on 6 of them: 0-1,4-5,64,68\n", ""},
		{"topo -fixture container-quota", ok, "allows it the time of 2.5 CPUs: Go sets GOMAXPROCS to 3 there\n", ""},
		{"topo -fixture liar-16-threads", ok, "not believed: a core is said to have 16 threads\n", ""},
		{"topo -fixture vm-2", ok, "All are equally near", ""},
		{"topo -fixture pdp-11", misuse, "", `forkjoin: topo: fixture is "pdp-11", want one of affinity-6, `},
		{"topo -fixture=", misuse, "", `fixture is ""`},
		{"topo -fixture vm-2 -cpu 2", misuse, "", "-cpu is 2, which is not online there\n"},
		{"topo -cpu -2", misuse, "", "-cpu is -2"},
		{"topo -json -svg", misuse, "", "-json and -svg exclude each other\n"},
		{"topo -format svg -json=false -fixture vm-2", ok, "</svg>\n", ""},
		{"topo -format csv", misuse, "", "-format is \"csv\", want text, json or svg\n"},
		{"topo -fixture list -json", ok, "\"name\": \"epyc-7702\",\n", ""},
		{"topo -fixture list -svg", misuse, "", "no picture of the list"},
		{"topo -study -fixture vm-2", misuse, "", "without -fixture and -cpu\n\"forkjoin topo -h\""},
		{"topo x", misuse, "", `unexpected argument "x"`},
	} {
		c.check(t)
	}
}

// Each machine can be shown in every form, and each CPU that may be used is a
// victim of the thief's once.
func TestTopoForms(t *testing.T) {
	for _, name := range topology.Fixtures() {
		if status, out, errs := call("topo", "-fixture", name); status != ok || errs != "" || len(out) < 100 {
			t.Errorf("%s: status %d, printed %q, and as error %q", name, status, out, errs)
		}
		var r topoReport
		_, out, _ := call("topo", "-json", "-fixture", name)
		if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Thieves) == 0 {
			t.Fatalf("%s: %d thieves, error %v", name, len(r.Thieves), err)
		}
		for _, thief := range r.Thieves {
			victims := map[int]int{}
			for _, v := range thief.Victims {
				for _, id := range v.CPUs {
					victims[id]++
				}
			}
			for _, c := range r.CPUs {
				if want := c.Allowed && c.ID != thief.CPU; want != (victims[c.ID] == 1) || victims[c.ID] > 1 {
					t.Errorf("%s: CPU %d robs CPU %d %d times", name, thief.CPU, c.ID, victims[c.ID])
				}
			}
		}
		_, out, _ = call("topo", "-svg", "-fixture", name)
		squares := strings.Count(out, "<title>CPU ")
		if err := wellFormed(out); err != nil || squares != len(r.CPUs) {
			t.Errorf("%s: the picture has %d CPUs, want %d; error %v", name, squares, len(r.CPUs), err)
		}
	}
}

func wellFormed(svg string) error {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		switch _, err := d.Token(); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}
