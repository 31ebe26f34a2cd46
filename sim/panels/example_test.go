package panels_test

import (
	"bytes"
	"fmt"
	"os"

	"github.com/forkjoin-go/forkjoin/sim/panels"
)

func ExampleCheck() {
	var file bytes.Buffer
	if err := panels.WriteJSON(&file); err != nil {
		fmt.Println(err)
		return
	}
	if _, _, err := panels.Check(&file, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// runs                         76 compared
	// samples of the generator      3 compared
	// gradient                      1 compared
	// distribution                  3 compared
	// claims                       35 compared
	// 118 passed, 0 failed
}
