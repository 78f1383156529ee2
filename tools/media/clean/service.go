package clean

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"time"

	"annai/tools/media"
)

// A Service cleans pictures elsewhere. It is safe for concurrent use.
type Service interface {
	// Name is what an answer calls it: "gemini".
	Name() string
	// Clean returns a picture in PNG or JPEG. mediaType is that of data. Errors are of package fault.
	Clean(ctx context.Context, data []byte, mediaType string, operations []Operation) ([]byte, error)
}

// embeddedTime is what is kept of a deadline to clean a picture here, should a service fail.
const embeddedTime = 6 * time.Second

// ask has the service clean a picture. One that [Edit] would refuse is not sent, and what comes back is bounded alike.
func (o Options) ask(ctx context.Context, data []byte, operations []Operation) (result Result, err error) {
	err = o.Turns.Do(ctx, func() error {
		_, err := open(data)
		return err
	})
	if err != nil {
		return Result{}, err
	}
	_, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Result{}, fmt.Errorf("read a picture: %w", err)
	}
	asking, cancel := media.Sooner(ctx, embeddedTime)
	defer cancel()
	if len(operations) == 0 {
		operations = []Operation{Denoise, EnhanceText}
	}
	cleaned, err := o.Service.Clean(asking, data, "image/"+format, operations)
	if err != nil {
		return Result{}, err
	}
	err = o.Turns.Do(ctx, func() error {
		result, err = asPNG(cleaned)
		return err
	})
	if err != nil {
		return Result{}, fmt.Errorf("picture of %s: %w", o.Service.Name(), err)
	}
	result.Operations = operations
	return result, nil
}

// asPNG is a picture that a service cleaned.
func asPNG(cleaned []byte) (Result, error) {
	picture, err := open(cleaned)
	if err != nil {
		return Result{}, err
	}
	r := rasterOf(picture)
	var b bytes.Buffer
	if err := png.Encode(&b, r.image()); err != nil {
		return Result{}, fmt.Errorf("encode a picture: %w", err)
	}
	r.gray()
	r.flatten()
	return Result{PNG: b.Bytes(), Width: r.w, Height: r.h, Confidence: r.confidence}, nil
}
