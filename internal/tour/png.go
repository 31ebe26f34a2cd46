package tour

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"

	"github.com/forkjoin-go/forkjoin/internal/wholefile"
)

// checkTarget tells before the work begins whether the picture can be written:
// not where the folder is missing or closed, nor into something that is no place
// for a picture, such as a folder or a device.
func checkTarget(path string) error {
	if path == "" {
		return nil
	}
	if !wholefile.Regular(path) {
		return fmt.Errorf("picture: %s is not a regular file", path)
	}
	if err := wholefile.Check(path); err != nil {
		return fmt.Errorf("picture: cannot create %s: %w", path, reason(err))
	}
	return nil
}

// writePNG writes the picture, so that path never holds half of one; when it fails
// or ctx is cancelled nothing is left behind.
func writePNG(ctx context.Context, path string, img image.Image) error {
	var b bytes.Buffer
	err := png.Encode(&b, img)
	if err == nil {
		err = wholefile.Write(ctx, path, b.Bytes())
	}
	if err != nil {
		return fmt.Errorf("picture: %w", err)
	}
	return nil
}
