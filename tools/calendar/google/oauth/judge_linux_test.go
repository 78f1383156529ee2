package oauth_test

import "syscall"

// endsWithUs makes a child end with this process, however it ends.
func endsWithUs() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
