package sim

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strconv"
	"time"

	"github.com/forkjoin-go/forkjoin/internal/calibrate"
)

// A Calibration is what scheduling costs on one machine.
type Calibration struct {
	Version int       `json:"version"`
	Date    time.Time `json:"date"`
	Machine string    `json:"machine"` // operating system and architecture
	Workers int       `json:"workers"` // GOMAXPROCS
	Costs   Costs     `json:"costs"`

	// Doubt says why the figures cannot be trusted; it is empty if they can.
	Doubt string `json:"doubt,omitempty"`

	// Inflation is how much longer the same work takes while all processors are
	// busy, as when two of them are threads of one core: 1 is not at all.
	Inflation float64 `json:"inflation"`
}

// Calibrate measures [Costs] on this machine, in less than a second. Other
// programs must not keep it busy meanwhile: Doubt says if they seem to have.
// What takes a second processor is that of [TypicalCosts] where there is one
// only. It returns an error if package forkjoin is not linked into the program.
func Calibrate() (*Calibration, error) {
	if calibrate.Run == nil {
		return nil, errors.New("forkjoin: sim.Calibrate: package forkjoin is not linked into this program, so nothing could be measured")
	}
	f := calibrate.Run()
	c := &Calibration{
		Version: Version, Date: time.Now().UTC().Truncate(time.Second),
		Machine: runtime.GOOS + "/" + runtime.GOARCH, Workers: runtime.GOMAXPROCS(0),
		Costs: TypicalCosts(), Inflation: round(max(1, f.Together)),
	}
	set := func(p *float64, measured float64) {
		if measured > 0 {
			*p = round(measured)
		}
	}
	set(&c.Costs.Inline, f.Inline)
	set(&c.Costs.Push, f.Fork*0.7)
	set(&c.Costs.Pop, f.Fork*0.3)
	set(&c.Costs.Publish, f.Publish)
	set(&c.Costs.Poll, f.Poll)
	set(&c.Costs.Spawn, f.Spawn)
	set(&c.Costs.Probe, f.Probe)
	set(&c.Costs.Wake, f.Wake)
	set(&c.Costs.WakeTime, f.WakeTime)
	set(&c.Costs.Park, f.Park)
	if f.Steal > 0 {
		typical := TypicalCosts().Steal
		for i := range c.Costs.Steal {
			c.Costs.Steal[i] = round(f.Steal * typical[i] / typical[sameCache])
		}
	}
	switch {
	case f.Disturbed > 0.05:
		c.Doubt = fmt.Sprintf("other programs were on the processors for %.0f %% of the time", 100*f.Disturbed)
	case f.Spread > 1.3:
		c.Doubt = fmt.Sprintf("the same work took up to %.1f times as long as at its fastest: something else runs here", f.Spread)
	case f.Together > 1.5:
		c.Doubt = fmt.Sprintf("two works at the same time took %.1f times as long as one: the processors are not free", f.Together)
	}
	return c, nil
}

// round keeps three digits, more than a measurement has.
func round(x float64) float64 {
	if x <= 0 {
		return 0
	}
	v, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 3, 64), 64)
	if err != nil {
		return x
	}
	return v
}

// ReadCalibration reads what [Calibration.Write] has written.
func ReadCalibration(r io.Reader) (*Calibration, error) {
	c := new(Calibration)
	d := json.NewDecoder(r)
	d.DisallowUnknownFields()
	if err := d.Decode(c); err != nil {
		return nil, fmt.Errorf("forkjoin: calibration: %w", err)
	}
	if c.Version != Version {
		return nil, fmt.Errorf("forkjoin: calibration: version is %d, want %d", c.Version, Version)
	}
	return c, c.Costs.check()
}

// Write writes c as JSON.
func (c *Calibration) Write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(c)
}
