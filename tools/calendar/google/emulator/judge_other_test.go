//go:build !linux

package emulator

import "syscall"

func endsWithUs() *syscall.SysProcAttr { return nil }
