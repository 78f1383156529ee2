//go:build !windows

package oauth

import (
	"errors"
	"syscall"
)

func readOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
