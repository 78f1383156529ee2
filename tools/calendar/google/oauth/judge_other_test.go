//go:build !linux

package oauth_test

import "syscall"

func endsWithUs() *syscall.SysProcAttr { return nil }
