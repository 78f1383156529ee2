package oauth

func readOnly(error) bool { return false }
