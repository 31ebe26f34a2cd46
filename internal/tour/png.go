package tour

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"path/filepath"
)

// checkTarget tells before the work begins whether the picture can be written:
// not where the folder is missing or closed, nor in place of something that
// must not be replaced, such as a folder or a device.
func checkTarget(path string) error {
	if path == "" {
		return nil
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("picture: %s is not a regular file", path)
	}
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	f.Close()
	return os.Remove(f.Name())
}

// createBeside creates a hidden file in the folder of path.
func createBeside(path string) (*os.File, error) {
	dir, base := filepath.Split(path)
	f, err := os.OpenFile(fmt.Sprintf("%s.%s.%d.tmp", dir, base, os.Getpid()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, fmt.Errorf("picture: cannot create %s: %w", path, reason(err))
	}
	return f, nil
}

// writePNG writes the picture beside path and renames it, so that path never
// holds half of one; when it fails or ctx is cancelled nothing is left behind.
func writePNG(ctx context.Context, path string, img image.Image) error {
	f, err := createBeside(path)
	if err != nil {
		return err
	}
	err = png.Encode(untilDone{ctx, f}, img)
	err = errors.Join(err, f.Close())
	if err == nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
		return fmt.Errorf("picture: %w", err)
	}
	return nil
}

// untilDone is a writer that fails once ctx is cancelled.
type untilDone struct {
	ctx context.Context
	w   io.Writer
}

func (u untilDone) Write(b []byte) (int, error) {
	if u.ctx.Err() != nil {
		return 0, context.Cause(u.ctx)
	}
	return u.w.Write(b)
}
