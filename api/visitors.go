package api

// ForgottenResponse answers DELETE /admin/visitors: of how many conversations and threads nothing is left.
type ForgottenResponse struct {
	Sessions int `json:"sessions"`
	Threads  int `json:"threads"`
}
