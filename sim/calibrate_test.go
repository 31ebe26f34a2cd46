package sim_test

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	_ "github.com/forkjoin-go/forkjoin" // measures
	"github.com/forkjoin-go/forkjoin/sim"
)

// What is measured depends on the machine: here it is only seen to be there, and
// to come back from a file.
func TestCalibrate(t *testing.T) {
	c, err := sim.Calibrate()
	if err != nil {
		t.Fatal(err)
	}
	k := c.Costs
	for name, v := range map[string]float64{"Push": k.Push, "Pop": k.Pop, "Publish": k.Publish, "Poll": k.Poll,
		"Spawn": k.Spawn, "Probe": k.Probe, "Steal": k.Steal[1], "Wake": k.Wake, "WakeTime": k.WakeTime, "Park": k.Park} {
		if v <= 0 {
			t.Errorf("%s is %v", name, v)
		}
	}
	if _, err := sim.Replay(sim.Fib(5, 10), sim.Config{Workers: 2, Costs: k}); err != nil {
		t.Error(err)
	}
	var b bytes.Buffer
	if err := c.Write(&b); err != nil {
		t.Fatal(err)
	}
	back, err := sim.ReadCalibration(&b)
	if err != nil || !reflect.DeepEqual(back, c) {
		t.Errorf("written %+v, read %+v, error %v", c, back, err)
	}
	for _, bad := range []string{"", "{}", "[1]", `{"version":2}`, `{"version":1,"costs":{"push":-1}}`, `{"version":1,"unknown":1}`} {
		if _, err := sim.ReadCalibration(strings.NewReader(bad)); err == nil || !strings.HasPrefix(err.Error(), "forkjoin: ") {
			t.Errorf("ReadCalibration of %q: error %v", bad, err)
		}
	}
}
